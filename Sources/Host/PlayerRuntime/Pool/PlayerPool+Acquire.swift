// SPDX-License-Identifier: Apache-2.0

public import MediaCore
internal import Sessions
internal import Synchronization

extension PlayerPool {
    /// What is asked for.
    private struct Wish {
        var uniqueID: String
        var sourceKind: PoolRequest.SourceKind
        var sourceRevision: UInt64?
        var onChange: @Sendable (LeaseChange) -> Void
        /// Waits for room where there is none, so that a refusal is not the end.
        var isPatient = false

        var kind: PoolRequest.Kind { .acquire(uniqueID: uniqueID, sourceKind: sourceKind) }
    }

    private enum Step {
        /// The player is being stopped; ask again afterwards.
        case wait(PlayerHandle)
        /// Leased. The former holder must be told, and the player brought to rest before it is used.
        case lease(
            PlayerLease, former: PoolLedger.Holding?, settles: Bool, ending: PlayerPreparation?,
            victims: [PoolLedger.Victim])
    }

    public func acquirePlayer(
        uniqueID: String, sourceKind: PoolRequest.SourceKind, sourceRevision: UInt64?,
        onChange: @escaping @Sendable (LeaseChange) -> Void
    ) throws(PlayerError) -> PlayerLease {
        let wish = Wish(
            uniqueID: uniqueID, sourceKind: sourceKind, sourceRevision: sourceRevision, onChange: onChange)
        var isFull = false
        let asked = clock.now()
        let lease = try acquire(wish, isFull: &isFull)
        let time = clock.now() - asked
        state.withLock { $0.ledger.counts.acquireTime.add(time) }
        return lease
    }

    /// Gives a player on a lease as `acquirePlayer` does, and waits where the bound of the pool leaves no room, in the order of asking.
    ///
    /// - Throws: what `acquirePlayer` throws for other reasons; `cancelled` once the task is cancelled.
    public func waitForPlayer(
        uniqueID: String, sourceKind: PoolRequest.SourceKind = .unknown, sourceRevision: UInt64? = nil,
        onChange: @escaping @Sendable (LeaseChange) -> Void = { _ in }
    ) async throws(PlayerError) -> PlayerLease {
        let wish = Wish(
            uniqueID: uniqueID, sourceKind: sourceKind, sourceRevision: sourceRevision, onChange: onChange,
            isPatient: true)
        let asked = clock.now()
        let seat = room.join()
        defer { room.leave(seat) }
        while true {
            await room.wait(seat)
            guard !Task.isCancelled else {
                throw PlayerError(
                    .cancelled, "the wait for a player for \(uniqueID) was cancelled",
                    hint: "Ask again when the player is wanted.")
            }
            var isFull = false
            do throws(PlayerError) {
                let lease = try acquire(wish, isFull: &isFull)
                let time = clock.now() - asked
                state.withLock { $0.ledger.counts.waitTime.add(time) }
                return lease
            } catch {
                guard isFull else { throw error }
            }
        }
    }

    private func acquire(_ wish: Wish, isFull: inout Bool) throws(PlayerError) -> PlayerLease {
        var waits = 0
        while true {
            let depth = ticket.enter()
            var record = PoolRecord(
                .acquire(uniqueID: wish.uniqueID, sourceKind: wish.sourceKind.rawValue), at: clock.now())
            let step: Step
            // There may be room by the time of the refusal; whoever waits tries again then.
            let wasFull = isFullNow
            do throws(PlayerError) {
                guard depth <= PlayerPool.depthLimit else {
                    throw PlayerError(
                        .illegalState, "a player was asked for inside \(depth) callbacks of its own pool",
                        hint: "Do not acquire players in the player factory.")
                }
                step = try take(wish, mayWait: waits < PlayerPool.waitLimit, &record)
            } catch {
                isFull = error.code == .poolRefused && (wasFull || isFullNow)
                record.outcome = error.code == .poolRefused ? "refused" : "failed"
                if wish.isPatient, isFull {
                    abandon()
                } else {
                    leave(record)
                    reject(error.code.name, "no player for \(wish.uniqueID): \(error)")
                }
                throw error
            }
            switch step {
            case .wait(let handle):
                abandon()
                waits += 1
                // Whoever stops it gives it up in time, unless that waits for this very call.
                let isSettled = settled.wait(milliseconds: ReleaseLimit.milliseconds * (ThreadMark.isSet ? 1 : 20)) {
                    state.withLock { !$0.ledger.isSettling(handle) }
                }
                if !isSettled { waits = PlayerPool.waitLimit }
            case .lease(let lease, let former, let settles, let preparation, let victims):
                leave(record)
                let limit = ReleaseLimit()
                var resting = RestingPlayer(
                    player: lease.player, handle: lease.handle, preparation: preparation, lease: lease)
                if let former {
                    resting.isLetGo = awaitCommand(index: lease.handle.index, within: limit)
                    former.onChange(.takenOver)
                }
                switch release(victims, resting: settles ? [resting] : [], within: limit).first ?? .kept {
                case .kept: return lease
                case .failed: waits = limit.rest > 0 ? waits + 1 : PlayerPool.waitLimit
                case .gone:
                    let error = PlayerError(
                        .staleLease, "player \(lease.player.playerID) was lost before \(wish.uniqueID) could use it",
                        hint: "Ask for a player again.")
                    reject(error.code.name, "no player for \(wish.uniqueID): \(error)")
                    throw error
                }
            }
        }
    }

    /// Gives the pool free after an operation that came to nothing and will be tried again.
    private func abandon() {
        verify(after: "an acquire that is tried again")
        ticket.leave()
    }

    private var isFullNow: Bool { state.withLock { !$0.ledger.hasRoom(hardMax: hardMax) } }

    /// Decides and books. With the ticket.
    ///
    /// - Parameter mayWait: whether a player that is being stopped may be waited for; else a new one is made.
    private func take(_ wish: Wish, mayWait: Bool, _ record: inout PoolRecord) throws(PlayerError) -> Step {
        guard let factory = state.withLock({ $0.factory }) else {
            throw PlayerError(
                .illegalState, "pool \(policyName) was asked for a player before it was set up",
                hint: "Call setup(factory:) first.")
        }
        var decision = decide(wish.kind, &record)
        if !mayWait, case .use(let handle) = decision.action, state.withLock({ $0.ledger.isSettling(handle) }) {
            decision = PoolDecision.fallback(for: wish.kind)
            record.isDefault = true
            state.withLock { $0.defaultsUsed += 1 }
        }
        switch decision.action {
        case .use(let handle): return try use(handle, evicting: decision.evict, for: wish, &record)
        case .create: return try create(evicting: decision.evict, for: wish, from: factory, &record)
        case .none, .refuse, .keep, .destroy:
            throw PlayerError(
                .poolRefused, "lifecycle strategy \(policyName) refused a player for \(wish.uniqueID)",
                hint: "Give a player back first, or choose another strategy.")
        }
    }

    private func create(
        evicting evicted: [PlayerHandle], for wish: Wish, from factory: any PlayerFactory, _ record: inout PoolRecord
    ) throws(PlayerError) -> Step {
        let mayHaveRoom = state.withLock { $0.ledger.hasRoom(hardMax: hardMax, evicting: evicted) }
        guard mayHaveRoom else { throw full(wish.uniqueID) }
        let player = try make(from: factory)
        let booked = state.withLock { state -> (PlayerLease, [PoolLedger.Victim])? in
            // What the factory called back may have changed the pool since.
            guard state.ledger.hasRoom(hardMax: hardMax, evicting: evicted) else { return nil }
            let victims = state.ledger.evict(evicted, for: "acquire")
            let position = state.ledger.add(player, condition: .active)
            _ = state.ledger.lease(
                position, uniqueID: wish.uniqueID, sourceRevision: wish.sourceRevision, onChange: wish.onChange)
            if bindsIDs, let size = state.maxPoolSize, state.ledger.entries.count > size {
                state.ledger.counts.overCapacity += 1
            }
            let resume = state.ledger.resumes[wish.uniqueID]
            return (lease(state.ledger[position], origin: .created, resume: resume), victims)
        }
        guard let (lease, victims) = booked else {
            player.destroy()
            throw full(wish.uniqueID)
        }
        record.note(lease, "created", evicting: victims)
        record.created = 1
        return .lease(lease, former: nil, settles: false, ending: nil, victims: victims)
    }

    /// Has a player made, and makes sure that it is another one.
    func make(from factory: any PlayerFactory) throws(PlayerError) -> any MediaPlayer {
        let player = try ThreadMark.set { () throws(PlayerError) in try factory.makePlayer() }
        guard !state.withLock({ $0.ledger.holds(player) }) else {
            throw PlayerError(
                .factoryFailed, "the player factory of pool \(policyName) gave player \(player.playerID) a second time",
                hint: "Make a new player in every call of makePlayer.")
        }
        return player
    }

    private func use(
        _ handle: PlayerHandle, evicting evicted: [PlayerHandle], for wish: Wish, _ record: inout PoolRecord
    ) throws(PlayerError) -> Step {
        // Who is about to lose it may want to go on later.
        let entry = state.withLock { state in state.ledger.position(handle).map { state.ledger[$0] } }
        if let entry, entry.condition == .active, !entry.isSettling {
            bookmark(entry.player, uniqueID: entry.uniqueID, sourceRevision: entry.sourceRevision)
        }
        let step = state.withLock { state -> Step? in
            guard let position = state.ledger.position(handle) else { return nil }
            let entry = state.ledger[position]
            if entry.isSettling { return .wait(handle) }
            let isSame = entry.uniqueID == wish.uniqueID
            let isHit = bindsIDs ? entry.condition != .unbound && isSame : takesOver
            if isHit { state.ledger.counts.hits += 1 } else { state.ledger.counts.reused += 1 }
            let former = state.ledger.lease(
                position, uniqueID: wish.uniqueID, sourceRevision: wish.sourceRevision, onChange: wish.onChange)
            // What it plays or was prepared for is another's.
            let settles = entry.condition == .active || (entry.isPrepared && !isSame)
            state.ledger[position].isSettling = settles
            state.ledger[position].stage = .none
            let lease = lease(
                state.ledger[position], origin: isHit ? .hit : .reused, stage: settles ? .none : entry.stage,
                resume: state.ledger.resumes[wish.uniqueID], preparation: settles ? nil : entry.preparation)
            return .lease(
                lease, former: former, settles: settles, ending: settles ? entry.preparation : nil,
                victims: state.ledger.evict(evicted, for: "acquire"))
        }
        // Checked under the same ticket, so only a callback of this very operation can have taken it away.
        guard let step else { throw full(wish.uniqueID) }
        if case .lease(let lease, _, _, _, let victims) = step {
            record.note(lease, lease.origin == .hit ? "hit" : "reused", evicting: victims)
        }
        return step
    }

    func lease(
        _ entry: PoolLedger.Entry, origin: PlayerLease.Origin, stage: PoolRequest.Stage = .none,
        resume: ResumePoint? = nil, preparation: PlayerPreparation? = nil
    ) -> PlayerLease {
        PlayerLease(
            player: entry.player, handle: entry.handle, uniqueID: entry.uniqueID, origin: origin, stage: stage,
            resume: resume, preparation: preparation, number: entry.holdings.last?.number ?? 0, pool: self)
    }

    func full(_ uniqueID: String) -> PlayerError {
        PlayerError(
            .poolRefused,
            "pool \(policyName) has no room for another player" + (uniqueID.isEmpty ? "" : " for \(uniqueID)"),
            hint: "Give a player back first, or raise the pool's bound (\(hardMax.map(String.init) ?? "none")).")
    }
}

extension PoolRecord {
    fileprivate mutating func note(_ lease: PlayerLease, _ outcome: String, evicting victims: [PoolLedger.Victim]) {
        self.lease = lease.number
        self.outcome = outcome
        player = lease.player.playerID
        evicted = victims.map(\.player.playerID)
    }
}
