// SPDX-License-Identifier: Apache-2.0

extension PoolLedger {
    /// What is wrong with a decision, in one sentence; nil if it may be executed.
    func objection(to decision: PoolDecision, for request: PoolRequest, takesOver: Bool) -> String? {
        var seen: Set<PlayerHandle> = []
        for handle in decision.evict {
            guard position(handle) != nil else { return "it gives up a player that the pool does not have" }
            guard seen.insert(handle).inserted else { return "it names a player twice" }
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
        case .clear, .resize:
            guard decision.action == .none else { return "it does not answer a plan" }
        }
        if let hardMax = request.hardMax, growth > 0 {
            let count = Int64(entries.count) - Int64(seen.count) + growth
            guard count <= hardMax else { return "it makes \(count) players where at most \(hardMax) may exist" }
        }
        return nil
    }

    /// Whether one more player may exist.
    func hasRoom(hardMax: Int64?) -> Bool {
        hardMax.map { Int64(entries.count) < $0 } ?? true
    }
}
