// SPDX-License-Identifier: Apache-2.0

public import MediaCore
internal import Sessions
internal import Synchronization

extension PlayerPool {
    public func acquirePlayer(
        uniqueID: String, sourceKind: PoolRequest.SourceKind,
        onRevoke: @escaping @Sendable (LeaseRevocation) -> Void
    ) throws(PlayerError) -> PlayerLease {
        var waits = 0
        while true {
            let depth = ticket.enter()
            let step: Step
            do throws(PlayerError) {
                guard depth <= PlayerPool.depthLimit else {
                    throw PlayerError(
                        .illegalState, "a player was asked for inside \(depth) callbacks of its own pool",
                        hint: "Do not acquire players in the player factory.")
                }
                step = try take(
                    uniqueID: uniqueID, sourceKind: sourceKind, mayReuse: waits < PlayerPool.waitLimit,
                    onRevoke: onRevoke)
            } catch {
                leave()
                reject(error.code.name, "no player for \(uniqueID): \(error)")
                throw error
            }
            leave()
            switch step {
            case .wait(let handle):
                waits += 1
                let isSettled = settled.wait(milliseconds: PlayerPool.settleMilliseconds) {
                    state.withLock { !$0.ledger.isSettling(handle) }
                }
                if !isSettled { waits = PlayerPool.waitLimit }
            case .lease(let lease, let former, let victims):
                former?(.takenOver)
                dispose(of: victims)
                guard former == nil || settle(lease.player, index: lease.handle.index) else {
                    throw PlayerError(
                        .staleLease, "player \(lease.player.playerID) was lost while \(uniqueID) took it over",
                        hint: "Ask for a player again.")
                }
                return lease
            }
        }
    }

    private enum Step {
        /// The player is being stopped; ask again afterwards.
        case wait(PlayerHandle)
        /// Leased. The former holder, if any, must be told and the player stopped before it is used.
        case lease(PlayerLease, former: (@Sendable (LeaseRevocation) -> Void)?, victims: [PoolLedger.Victim])
    }

    /// Decides and books. With the ticket.
    private func take(
        uniqueID: String, sourceKind: PoolRequest.SourceKind, mayReuse: Bool,
        onRevoke: @escaping @Sendable (LeaseRevocation) -> Void
    ) throws(PlayerError) -> Step {
        guard let factory = state.withLock({ $0.factory }) else {
            throw PlayerError(
                .illegalState, "pool \(policyName) was asked for a player before it was set up",
                hint: "Call setup(factory:) first.")
        }
        let kind = PoolRequest.Kind.acquire(uniqueID: uniqueID, sourceKind: sourceKind)
        let decision = mayReuse ? decide(kind).decision : PoolDecision.fallback(for: kind)
        switch decision.action {
        case .use(let handle):
            return try use(handle, evicting: decision.evict, uniqueID: uniqueID, onRevoke: onRevoke)
        case .create:
            guard hasRoom(evicting: decision.evict) else { throw full(uniqueID) }
            let player = try factory.makePlayer()
            let step = state.withLock { state -> Step? in
                // What the factory called back may have changed the pool since.
                let victims = state.ledger.evict(decision.evict)
                guard state.ledger.hasRoom(hardMax: hardMax) else { return nil }
                let position = state.ledger.add(player, condition: .active)
                _ = state.ledger.lease(position, uniqueID: uniqueID, onRevoke: onRevoke)
                return .lease(
                    lease(state.ledger[position], origin: .created), former: nil, victims: victims)
            }
            guard let step else {
                player.destroy()
                throw full(uniqueID)
            }
            return step
        case .none, .refuse, .keep, .destroy:
            throw PlayerError(
                .poolRefused, "lifecycle strategy \(policyName) refused a player for \(uniqueID)",
                hint: "Give a player back first, or choose another strategy.")
        }
    }

    private func use(
        _ handle: PlayerHandle, evicting evicted: [PlayerHandle], uniqueID: String,
        onRevoke: @escaping @Sendable (LeaseRevocation) -> Void
    ) throws(PlayerError) -> Step {
        let step = state.withLock { state -> Step? in
            guard let position = state.ledger.position(handle) else { return nil }
            let entry = state.ledger[position]
            if entry.isSettling { return .wait(handle) }
            let wasActive = entry.condition == .active
            let isHit = entry.condition != .unbound && (takesOver || (bindsIDs && entry.uniqueID == uniqueID))
            if isHit { state.ledger.counts.hits += 1 } else { state.ledger.counts.reused += 1 }
            let former = state.ledger.lease(position, uniqueID: uniqueID, onRevoke: onRevoke)
            if wasActive { state.ledger[position].isSettling = true }
            let lease = lease(state.ledger[position], origin: isHit ? .hit : .reused)
            return .lease(lease, former: former, victims: state.ledger.evict(evicted))
        }
        // Checked under the same ticket, so only a callback of this very operation can have taken it away.
        guard let step else { throw full(uniqueID) }
        return step
    }

    private func hasRoom(evicting evicted: [PlayerHandle]) -> Bool {
        guard let hardMax else { return true }
        return state.withLock { Int64($0.ledger.entries.count - evicted.count) < hardMax }
    }

    private func lease(_ entry: PoolLedger.Entry, origin: PlayerLease.Origin) -> PlayerLease {
        PlayerLease(
            player: entry.player, handle: entry.handle, uniqueID: entry.uniqueID, origin: origin, pool: self)
    }

    private func full(_ uniqueID: String) -> PlayerError {
        PlayerError(
            .poolRefused, "pool \(policyName) has no room for another player for \(uniqueID)",
            hint: "Give a player back first, or raise the pool's bound (\(hardMax.map(String.init) ?? "none")).")
    }
}
