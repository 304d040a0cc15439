// SPDX-License-Identifier: Apache-2.0

public import PluginSupport

/// Keeps returned players and gives the warmest one out again. A pure function of the request.
///
/// Purpose: fewer player creations in feeds. Inputs: which players are idle and since when, the pool's size and bound.
/// Tunables: `max_pool_size` (idle players kept, 1 or more, default 3; the pool's own value goes before it), `min_idle` (idle players
/// that trimming leaves, default 0), `hard_max` (players that may exist, kept to by the host; default 0, none), `idle_timeout_ms`
/// (when the host asks to trim; default 0, never). Cost: linear in the players; that of a sort where many are given up.
public final class ReusePool: LifecyclePlugin {
    private let size: PoolSize

    public init(options: PluginOptions) throws {
        size = try PoolSize(options)
    }

    public func decide(_ request: PluginPoolRequest) -> PluginPoolDecision? {
        switch request.question {
        case .acquire: return PluginPoolDecision(acquire(request))
        case .recycle(_, _, let force):
            return PluginPoolDecision(
                !force && KeptPlayers(request.players).idle < size.limit(of: request) ? .keep : .destroy)
        case .preload(let count):
            let kept = KeptPlayers(request.players)
            let room = min(size.limit(of: request), request.hardMax ?? .max) - kept.idle - kept.active
            return PluginPoolDecision(.none, createCount: max(0, min(count, room)))
        case .clear: return PluginPoolDecision(.none, evict: request.players.inOrderOfRelease)
        case .resize:
            let excess = KeptPlayers(request.players).idle - size.limit(of: request)
            return PluginPoolDecision(.none, evict: request.players.longestIdle(excess))
        case .pressure(isCritical: true): return PluginPoolDecision(.none, evict: request.players.notInUse)
        case .pressure, .idle: return size.trim(request)
        case .upcoming: return PluginPoolDecision(.none)
        case .unknown: return nil
        }
    }

    /// The newest idle one, else a new one, else none.
    private func acquire(_ request: PluginPoolRequest) -> PluginPoolDecision.Action {
        var newest: (rank: EvictionRank, handle: UInt64)?
        for player in request.players where player.condition == .idle {
            let rank = EvictionRank(group: 0, age: player.idleSequence, created: player.createdSequence)
            if let newest, rank < newest.rank { continue }
            newest = (rank, player.handle)
        }
        if let newest { return .use(newest.handle) }
        return Int64(request.players.count) < request.hardMax ?? .max ? .create : .refuse
    }
}
