// SPDX-License-Identifier: Apache-2.0

internal import PluginABI
public import PluginSupport

/// Keeps one player per unique id, and gives up the least recently used where there are too many. A pure function of the request.
///
/// Purpose: what was or will be watched is ready when it is asked for. Inputs: which player holds which id, who uses it and since
/// when, which play and which are lent, the pool's size and bound, what is announced.
/// Tunables: `max_pool_size` (players of all kinds, 1 or more, default 3; the pool's own value goes before it), `in_use` (what an id
/// whose player is in use gets: `take_over`, the default, or `refuse`), `window_behind` and `window_ahead` (how many announced items
/// are made ready, default 1 and 2), `min_idle`, `hard_max`, `idle_timeout_ms` as of `reuse-pool`.
/// Cost: linear in the players; that of a sort where many are given up.
public final class IdScopedPool: LifecyclePlugin {
    private let size: PoolSize
    private let takesOver: Bool
    private let window: ClosedRange<Int64>

    public init(options: PluginOptions) throws {
        size = try PoolSize(options)
        let inUse = options.string("in_use") ?? "take_over"
        guard ["take_over", "refuse"].contains(inUse) else {
            throw PluginFailure(.config, "in_use is '\(inUse)', which is neither take_over nor refuse")
        }
        takesOver = inUse == "take_over"
        let (behind, ahead) = (options.int("window_behind") ?? 1, options.int("window_ahead") ?? 2)
        guard behind >= 0, ahead >= 0 else {
            throw PluginFailure(.config, "window_behind and window_ahead must be at least 0")
        }
        window = -behind...ahead
    }

    public func decide(_ request: PluginPoolRequest) -> PluginPoolDecision? {
        switch request.question {
        case .acquire(let uniqueID, _): return acquire(uniqueID, request)
        case .recycle(_, _, let force): return PluginPoolDecision(force ? .destroy : .keep)
        case .preload(let count):
            let room = min(size.limit(of: request), request.hardMax ?? .max) - Int64(request.players.count)
            return PluginPoolDecision(.none, createCount: max(0, min(count, room)))
        case .clear: return PluginPoolDecision(.none, evict: request.players.inOrderOfRelease)
        case .resize:
            let excess = Int64(request.players.count) - size.limit(of: request)
            return PluginPoolDecision(.none, evict: leastRecentlyUsed(excess, of: request.players))
        case .pressure(isCritical: true): return PluginPoolDecision(.none, evict: request.players.notInUse)
        case .pressure, .idle: return size.trim(request)
        case .upcoming(let items): return prepare(items, request)
        case .unknown: return nil
        }
    }

    // MARK: Acquire

    private func acquire(_ uniqueID: PluginText, _ request: PluginPoolRequest) -> PluginPoolDecision {
        var unbound: (created: UInt64, handle: UInt64)?
        for player in request.players {
            if player.condition == .unbound {
                if unbound.map({ player.createdSequence < $0.created }) ?? true {
                    unbound = (player.createdSequence, player.handle)
                }
            } else if !uniqueID.isEmpty, player.uniqueID == uniqueID {
                let isFree = player.condition == .idle || takesOver
                return PluginPoolDecision(isFree ? .use(player.handle) : .refuse)
            }
        }
        if let unbound { return PluginPoolDecision(.use(unbound.handle)) }
        let count = Int64(request.players.count)
        let excess = count + 1 - min(size.limit(of: request), request.hardMax ?? .max)
        let evict = leastRecentlyUsed(excess, of: request.players)
        let isBounded = count + 1 - Int64(evict.count) <= request.hardMax ?? .max
        return isBounded ? PluginPoolDecision(.create, evict: evict) : PluginPoolDecision(.refuse)
    }

    /// Unbound ones, then idle, then active ones that do not play, then others; lent ones never.
    private func leastRecentlyUsed(
        _ count: Int64, of players: PluginPlayers, sparing spared: Set<UInt64> = [], onlyFree: Bool = false
    ) -> [UInt64] {
        players.first(count) { player in
            guard !player.isLent, spared.isEmpty || !spared.contains(player.handle) else { return nil }
            switch player.condition {
            case .unbound: return EvictionRank(group: 0, age: player.createdSequence, created: player.createdSequence)
            case .idle: return EvictionRank(group: 1, age: player.acquiredSequence, created: player.createdSequence)
            case .active where onlyFree: return nil
            case .active:
                return EvictionRank(
                    group: player.isPlaying ? 3 : 2, age: player.acquiredSequence, created: player.createdSequence)
            }
        }
    }

    // MARK: Upcoming

    /// One player for each item of the window, nearest first, as many as there is room for without taking one from its holder.
    private func prepare(
        _ items: [PluginPoolRequest.Upcoming], _ request: PluginPoolRequest
    ) -> PluginPoolDecision {
        var active: Set<UInt64> = []
        var unbound: [UInt64] = []
        for player in request.players {
            switch player.condition {
            case .active: active.insert(player.handle)
            case .unbound: unbound.append(player.handle)
            case .idle: break
            }
        }
        let wanted = items.indices
            .filter {
                items[$0].distance != 0 && window.contains(Int64(items[$0].distance)) && !items[$0].uniqueID.isEmpty
            }
            .sorted { IdScopedPool.isNearer(items[$0].distance, items[$1].distance) }
        var decision = PluginPoolDecision(.none)
        var used = active
        var seen: Set<String> = []
        var room = min(size.limit(of: request), request.hardMax ?? .max) - Int64(active.count)
        var created: Int64 = 0
        for index in wanted where room > 0 {
            let item = items[index]
            // Whoever plays it needs nothing made ready.
            guard !active.contains(item.handle), seen.insert(item.uniqueID.string).inserted else { continue }
            let handle = item.handle != 0 ? item.handle : unbound.isEmpty ? 0 : unbound.removeFirst()
            if handle == 0 { created += 1 } else { used.insert(handle) }
            let stage = item.distance == 1 ? KIT_STAGE_FIRST_FRAME : KIT_STAGE_PREPARED
            decision.prepare.append(.init(item: UInt32(index), stage: UInt32(stage), handle: handle))
            room -= 1
        }
        let excess = Int64(request.players.count) + created - min(size.limit(of: request), request.hardMax ?? .max)
        decision.evict = leastRecentlyUsed(excess, of: request.players, sparing: used, onlyFree: true)
        return decision
    }

    /// Nearest first; of two as near what is ahead.
    private static func isNearer(_ left: Int32, _ right: Int32) -> Bool {
        left.magnitude != right.magnitude ? left.magnitude < right.magnitude : left > right
    }
}
