// SPDX-License-Identifier: Apache-2.0

internal import Sessions

extension PoolLedger {
    /// What is wrong with a decision, in one sentence; nil if it may be executed.
    func objection(to decision: PoolDecision, for request: PoolRequest, takesOver: Bool) -> String? {
        guard decision.evict.count <= entries.count else { return "it gives up more players than the pool has" }
        var seen: Set<PlayerHandle> = []
        for handle in decision.evict {
            guard position(handle) != nil else { return "it gives up a player that the pool does not have" }
            guard seen.insert(handle).inserted else { return "it names a player twice" }
        }
        if !decision.prepare.isEmpty {
            guard case .upcoming = request.kind else { return "it prepares items where none were announced" }
        }
        var growth: Int64 = 0
        switch request.kind {
        case .acquire:
            switch decision.action {
            case .create: growth = 1
            case .use(let handle):
                guard let position = position(handle) else { return "it uses a player that the pool does not have" }
                guard !seen.contains(handle) else { return "it uses a player that it gives up" }
                guard entries[position].condition != .active || takesOver else {
                    return "it uses a player that is in use, and does not say that it takes over"
                }
            case .refuse: break
            case .none, .keep, .destroy: return "it does not answer an acquire"
            }
        case .recycle(let handle, _, let force):
            guard !seen.contains(handle) else { return "it gives up the player that it decides about" }
            switch decision.action {
            case .keep: if force { return "it keeps a player that was to be destroyed" }
            case .destroy: break
            case .none, .create, .use, .refuse: return "it does not answer a recycle"
            }
        case .preload(let count):
            guard decision.action == .none else { return "it does not answer a plan" }
            guard (0...count).contains(decision.createCount) else {
                return "it creates \(decision.createCount) players where \(count) were asked for"
            }
            growth = decision.createCount
        case .upcoming(let items):
            guard decision.action == .none else { return "it does not answer a plan" }
            if let objection = objection(to: decision.prepare, of: items, evicting: seen) { return objection }
            growth = Int64(decision.prepare.count { $0.player == nil })
        case .clear, .resize, .pressure, .idle:
            guard decision.action == .none else { return "it does not answer a plan" }
        }
        if let hardMax = request.hardMax, growth > 0 {
            let count = Int64(entries.count) - Int64(seen.count) + growth
            guard count <= hardMax else { return "it makes \(count) players where at most \(hardMax) may exist" }
        }
        return nil
    }

    private func objection(
        to preparations: [PoolDecision.Preparation], of items: [PoolRequest.Upcoming], evicting: Set<PlayerHandle>
    ) -> String? {
        var named: Set<Int> = []
        var used = evicting
        for preparation in preparations {
            guard items.indices.contains(preparation.item) else { return "it prepares an item that was not announced" }
            guard named.insert(preparation.item).inserted else { return "it prepares an item twice" }
            guard preparation.stage > .none else { return "it prepares an item and does not say how far" }
            guard let handle = preparation.player else { continue }
            guard let position = position(handle) else { return "it prepares in a player that the pool does not have" }
            let entry = entries[position]
            guard entry.condition != .active else { return "it prepares in a player that is in use" }
            guard entry.stage == .none || entry.uniqueID == items[preparation.item].uniqueID else {
                return "it prepares in a player that is ready for another item"
            }
            guard used.insert(handle).inserted else { return "it prepares in a player that it names twice" }
        }
        return nil
    }

    /// The law of a pool's books: what does not hold, in one sentence; nil if all does. Costs nothing.
    var violation: String? {
        if counts.created != counts.idle + counts.active + counts.unbound + counts.destroyed {
            return "created = idle + active + unbound + destroyed does not hold: \(counts)"
        }
        let existing = counts.idle + counts.active + counts.unbound
        return existing == Int64(entries.count)
            ? nil : "the counts are not those of \(entries.count) players: \(counts)"
    }

    /// What does not hold, a look at every player included.
    var violationInBooks: String? {
        if let violation { return violation }
        guard players.count == entries.count else { return "there are \(players.count) players as a policy sees them" }
        var (idle, active, unbound): (Int64, Int64, Int64) = (0, 0, 0)
        var last: UInt32 = 0
        for position in entries.indices {
            switch entries[position].condition {
            case .idle: idle += 1
            case .active: active += 1
            case .unbound: unbound += 1
            }
            if entries[position].index <= last { return "players are not in the order of their creation" }
            last = entries[position].index
            if let violation = violation(at: position) { return violation }
        }
        if idle != counts.idle || active != counts.active || unbound != counts.unbound {
            return "the counts are not those of the players: \(counts)"
        }
        return nil
    }

    private func violation(at position: Int) -> String? {
        let (entry, seen) = (entries[position], players[position])
        if (entry.condition == .active) != !entry.holdings.isEmpty {
            return "player \(entry.index) is \(entry.condition) and has \(entry.holdings.count) holders"
        }
        if entry.condition != .idle, entry.preparation != nil {
            return "player \(entry.index) is made ready and is \(entry.condition)"
        }
        if entry.condition == .unbound, !entry.uniqueID.isEmpty { return "player \(entry.index) is bound" }
        // All numbers are of one counter, so that what is in order here is nowhere else.
        for place in entry.holdings.indices.dropFirst()
        where entry.holdings[place - 1].number >= entry.holdings[place].number {
            return "the leases of player \(entry.index) are not in the order in which they were given"
        }
        guard seen.handle == entry.handle, seen.condition == entry.condition, seen.isLent == entry.isLent,
            seen.stage == entry.stage, seen.uniqueID == entry.uniqueID, seen.idleSequence == entry.idleSequence,
            seen.acquiredSequence == entry.acquiredSequence, !seen.isPlaying || entry.condition == .active
        else { return "player \(entry.index) is not what a policy sees of it" }
        return nil
    }
}
