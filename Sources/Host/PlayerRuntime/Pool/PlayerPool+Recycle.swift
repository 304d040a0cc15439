// SPDX-License-Identifier: Apache-2.0

public import MediaCore
internal import Sessions
internal import Synchronization

/// How leases end and change hands.
extension PlayerPool {
    @discardableResult
    public func recyclePlayer(_ lease: PlayerLease, uniqueID: String?, force: Bool) -> RecycleOutcome {
        _ = ticket.enter()
        var record = PoolRecord(.recycle(uniqueID: uniqueID, force: force), at: clock.now())
        record.note(lease, of: self)
        return takeBack(lease, uniqueID: uniqueID, force: force, &record)
    }

    @discardableResult
    public func recyclePlayer(_ player: (any MediaPlayer)?, uniqueID: String?, force: Bool) -> RecycleOutcome? {
        guard let player else { return nil }
        enterOnceSettled { $0.position(of: player) }
        var record = PoolRecord(.recycle(uniqueID: uniqueID, force: force), at: clock.now())
        let (rejection, entry) = state.withLock { state in
            (state.ledger.rejection(of: player), state.ledger.entries.first { $0.player === player })
        }
        record.player = entry?.player.playerID
        guard rejection == nil, var entry else {
            return reject(rejection ?? .rejectedUnknown, "player \(player.playerID) is nobody's", &record)
        }
        // A borrower that is gone had a newer one.
        let driver = entry.holdings.last
        entry.generation = driver?.generation ?? entry.generation
        let current = lease(entry, origin: .reused)
        record.note(current, of: self)
        return takeBack(current, uniqueID: uniqueID, force: force, telling: driver, &record)
    }

    /// With the ticket, which is given free.
    ///
    /// - Parameter holding: whose lease it is, if somebody else gives it back.
    private func takeBack(
        _ lease: PlayerLease, uniqueID: String?, force: Bool, telling holding: PoolLedger.Holding? = nil,
        _ record: inout PoolRecord
    ) -> RecycleOutcome {
        let rejection = state.withLock { $0.ledger.rejection(of: lease, uniqueID: uniqueID, pool: identity) }
        if let rejection { return reject(rejection, lease, &record) }
        let release = state.withLock { state in
            state.ledger.position(index: lease.handle.index)
                .map { state.ledger.release($0, generation: lease.handle.generation) } ?? .last
        }
        switch release {
        case .popped(let resumed):
            record.outcome = RecycleOutcome.popped.rawValue
            leave(record)
            awaitCommand(index: lease.handle.index)
            holding?.onChange(.evicted)
            resumed.onChange(.resumed)
            // What is not lent may be given up for somebody else.
            room.signal()
            return .popped
        case .removed:
            record.outcome = RecycleOutcome.removed.rawValue
            leave(record)
            room.signal()
            return .removed
        case .last: return giveBack(lease, force: force, telling: holding, &record)
        }
    }

    /// The player comes back; nobody else holds it. With the ticket, which is given free.
    private func giveBack(
        _ lease: PlayerLease, force: Bool, telling holding: PoolLedger.Holding?, _ record: inout PoolRecord
    ) -> RecycleOutcome {
        let known = state.withLock { state in
            state.ledger.position(index: lease.handle.index).map { state.ledger[$0] }
        }
        let handle = known?.handle ?? lease.handle
        let isDoomed = known?.isDoomed ?? false
        if force || isDoomed {
            state.withLock { $0.ledger.resumes.forget(lease.uniqueID) }
        } else {
            bookmark(lease.player, uniqueID: lease.uniqueID, sourceRevision: known?.sourceRevision)
        }
        let decision =
            isDoomed && !force
            ? PoolDecision(.destroy)
            : decide(.recycle(player: handle, uniqueID: lease.uniqueID, force: force), &record)
        let isKept = decision.action == .keep
        let outcome =
            isKept
            ? (bindsIDs || takesOver ? .retained : .pooled)
            : destroyedOutcome(force: force, isDoomed: isDoomed, isDefault: record.isDefault)
        var kept: PlayerHandle?
        let victims = state.withLock { state -> [PoolLedger.Victim]? in
            // A callback of the policy may have given it back itself.
            guard let position = state.ledger.position(handle) else { return nil }
            guard isKept else {
                var victims = state.ledger.remove([handle])
                for index in victims.indices { victims[index].holdings = [] }
                return victims + state.ledger.evict(decision.evict, for: "recycle")
            }
            state.ledger.giveBack(position, keepsID: bindsIDs)
            state.ledger[position].isSettling = true
            kept = state.ledger[position].handle
            return state.ledger.evict(decision.evict, for: "recycle")
        }
        guard let victims else { return reject(.rejectedStaleLease, lease, &record) }
        record.outcome = outcome.rawValue
        record.evicted = victims.map(\.player.playerID).filter { $0 != lease.player.playerID }
        leave(record)
        let limit = ReleaseLimit()
        var resting: [RestingPlayer] = []
        // Whoever gives its own lease back is done with its commands.
        let isLetGo = known.map { awaitCommand(lease.player, $0.reins, within: limit) } ?? true
        if let kept { resting = [RestingPlayer(player: lease.player, handle: kept, isLetGo: isLetGo)] }
        holding?.onChange(.evicted)
        let rest = release(victims, resting: resting, within: limit)
        room.signal()
        return rest.first == .failed ? .stopFailedDestroyed : outcome
    }

    private func destroyedOutcome(force: Bool, isDoomed: Bool, isDefault: Bool) -> RecycleOutcome {
        if force { return .destroyedForce }
        if isDoomed { return .destroyedCleared }
        // Only who keeps players can have enough of them.
        return isDefault || !hasSizeOption ? .destroyed : .destroyedFull
    }

    public func lendPlayer(
        of lender: PlayerLease, onChange: @escaping @Sendable (LeaseChange) -> Void
    ) -> LendOutcome {
        _ = ticket.enter()
        var record = PoolRecord(.lend(to: nil), at: clock.now())
        record.note(lender, of: self)
        if let rejection = state.withLock({ $0.ledger.rejection(of: lender, pool: identity) }) {
            return .rejected(reject(rejection, lender, &record))
        }
        let lent = state.withLock { state -> (PlayerLease, PoolLedger.Holding?)? in
            guard let position = state.ledger.position(index: lender.handle.index) else { return nil }
            let suspended = state.ledger.lend(position, onChange: onChange)
            return (lease(state.ledger[position], origin: .borrowed), suspended)
        }
        guard let (lease, suspended) = lent else {
            return .rejected(reject(.rejectedDestroyed, lender, &record))
        }
        record.operation = .lend(to: lease.number)
        record.outcome = "lent"
        leave(record)
        awaitCommand(index: lease.handle.index)
        suspended?.onChange(.suspended)
        return .lent(lease)
    }

    @discardableResult
    public func reclaimPlayer(_ lease: PlayerLease) -> RecycleOutcome? {
        enterOnceSettled { $0.position(index: lease.handle.index) }
        var record = PoolRecord(.reclaim, at: clock.now())
        record.note(lease, of: self)
        if let rejection = state.withLock({ $0.ledger.rejection(of: lease, pool: identity) }) {
            return reject(rejection, lease, &record)
        }
        let borrowers = state.withLock { state in
            state.ledger.position(index: lease.handle.index)
                .map { state.ledger.reclaim($0, generation: lease.handle.generation) } ?? []
        }
        record.outcome = "reclaimed"
        leave(record)
        awaitCommand(index: lease.handle.index)
        for borrower in borrowers { borrower.onChange(.reclaimed) }
        room.signal()
        return nil
    }

    /// Enters the ticket when the player at a position is not being stopped for somebody: that would stop it for whoever gets it here.
    private func enterOnceSettled(_ position: (PoolLedger) -> Int?) {
        func isSettling() -> Bool {
            state.withLock { state in position(state.ledger).map { state.ledger[$0].isSettling } ?? false }
        }
        let limit = ReleaseLimit()
        while ticket.enter() == 1, limit.rest > 0, isSettling() {
            ticket.leave()
            _ = settled.wait(milliseconds: limit.rest) { !isSettling() }
        }
    }

    public func whileDriving<Result>(_ lease: PlayerLease, _ body: () -> Result) -> Result? {
        guard let reins = state.withLock({ $0.ledger.reins(of: lease, pool: identity) }) else { return nil }
        _ = reins.enter()
        defer { reins.leave() }
        // It may have been lost while another command was under way.
        guard state.withLock({ $0.ledger.reins(of: lease, pool: identity) }) != nil else { return nil }
        return body()
    }

    /// Why a lease means nothing; nil while its holder has a right to the player, suspended or not.
    public func check(_ lease: PlayerLease) -> RecycleOutcome? {
        state.withLock { $0.ledger.rejection(of: lease, pool: identity) }
    }

    /// Remembers where a player is that is about to be another's, or gone, if the strategy binds players to ids or has only one.
    /// Without the lock: the player is asked.
    func bookmark(_ player: any MediaPlayer, uniqueID: String, sourceRevision: UInt64?) {
        // What has no end, a live stream, has no place to go back to.
        guard bindsIDs || takesOver, !uniqueID.isEmpty, player.duration != nil else { return }
        let (state, position) = (player.state, player.currentPosition)
        switch state {
        case .prepared, .playing, .paused:
            let point = ResumePoint(position: position, sourceRevision: sourceRevision)
            self.state.withLock { $0.ledger.resumes.remember(point, for: uniqueID) }
        // It was seen to its end.
        case .completed: self.state.withLock { $0.ledger.resumes.forget(uniqueID) }
        // Nothing of it was seen in this use.
        case .idle, .preparing, .stopped, .error: break
        }
    }

    /// Ends an operation that changed nothing.
    private func reject(
        _ outcome: RecycleOutcome, _ lease: PlayerLease, _ record: inout PoolRecord
    ) -> RecycleOutcome {
        reject(outcome, "lease \(lease.number) of player \(lease.player.playerID) is none", &record)
    }

    private func reject(_ outcome: RecycleOutcome, _ what: String, _ record: inout PoolRecord) -> RecycleOutcome {
        record.outcome = outcome.rawValue
        leave(record)
        reject(outcome.rawValue, "\(what): \(outcome.rawValue)")
        return outcome
    }

    private var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

extension PoolRecord {
    /// Names a lease and its player, unless they are another pool's.
    fileprivate mutating func note(_ lease: PlayerLease, of pool: PlayerPool) {
        guard lease.pool == ObjectIdentifier(pool) else { return }
        self.lease = lease.number
        player = lease.player.playerID
    }
}
