// SPDX-License-Identifier: Apache-2.0

public import PluginSupport

/// Keeps returned players and gives the warmest one out again. A pure function of the request.
///
/// Purpose: fewer player creations in feeds. Inputs: which players are idle and since when, the pool's size.
/// Tunables: `max_pool_size` (idle players kept, 1 or more, default 3; the pool's own value goes before it), `min_idle` (idle players
/// that trimming leaves, default 0). Cost: linear in the players.
public final class ReusePool: LifecyclePlugin {
    private let maxPoolSize: Int64
    private let minIdle: Int64

    public init(options: PluginOptions) throws {
        maxPoolSize = options.int("max_pool_size") ?? 3
        minIdle = options.int("min_idle") ?? 0
        guard maxPoolSize > 0, minIdle >= 0 else {
            throw PluginFailure(.config, "max_pool_size must be at least 1 and min_idle at least 0")
        }
        guard minIdle <= maxPoolSize else {
            throw PluginFailure(.config, "min_idle (\(minIdle)) is above max_pool_size (\(maxPoolSize))")
        }
    }

    public func decide(_ request: PluginPoolRequest) -> PluginPoolDecision? {
        let limit = request.maxPoolSize ?? maxPoolSize
        // Longest idle first; the counter's values are unique but for players that never were given out.
        let idle = request.players.filter { $0.condition == .idle }
            .sorted { ($0.idleSequence, $0.createdSequence) < ($1.idleSequence, $1.createdSequence) }
        let unbound = request.players.filter { $0.condition == .unbound }
        switch request.question {
        case .acquire:
            return PluginPoolDecision(idle.last.map { .use($0.handle) } ?? .create)
        case .recycle(_, _, let force):
            return PluginPoolDecision(!force && Int64(idle.count) < limit ? .keep : .destroy)
        case .preload(let count):
            let active = request.players.count { $0.condition == .active }
            let room = max(0, limit) - Int64(idle.count) - Int64(active)
            return PluginPoolDecision(.none, createCount: max(0, min(count, room)))
        case .clear:
            let active = request.players.filter { $0.condition == .active }
            return PluginPoolDecision(.none, evict: (unbound + idle + active).map(\.handle))
        case .resize:
            return trim(idle, to: limit)
        case .pressure(let isCritical):
            guard isCritical else { return trim(idle, to: minIdle) }
            return PluginPoolDecision(.none, evict: (unbound + idle).map(\.handle))
        case .idle:
            return trim(idle, to: minIdle)
        case .upcoming:
            return PluginPoolDecision(.none)
        case .unknown:
            return nil
        }
    }

    /// Evicts the longest idle ones until `count` are left.
    private func trim(_ idle: [PluginPoolRequest.Player], to count: Int64) -> PluginPoolDecision {
        let excess = max(0, Int64(idle.count) - count)
        return PluginPoolDecision(.none, evict: idle.prefix(Int(excess)).map(\.handle))
    }
}
