// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Sessions
internal import Synchronization

/// How players are stopped and destroyed. Without the ticket.
extension PlayerPool {
    /// Tells the holders of victims and destroys those, and brings others to rest, all at the same time.
    ///
    /// - Parameter limit: of the wait. What takes longer goes on alone, and its player is given up.
    /// - Returns: what came of each of `resting`.
    @discardableResult
    func release(
        _ victims: [PoolLedger.Victim], resting: [RestingPlayer] = [], within limit: ReleaseLimit = ReleaseLimit()
    ) -> [RestOutcome] {
        tell(victims, within: limit)
        let outcomes = RestOutcomes()
        var works: [@Sendable () -> Void] = []
        // What does nothing ends at once, and is not worth a thread.
        for victim in victims where victim.destroys {
            if victim.isAtRest { victim.destroy() } else { works.append { victim.destroy() } }
        }
        for (place, player) in resting.enumerated() {
            let work: @Sendable () -> Void = { [self] in outcomes.note(bringToRest(player), at: place) }
            if player.isAtRest { work() } else { works.append(work) }
        }
        let late = limit.run(works)
        if late > 0 {
            state.withLock { $0.ledger.counts.slowReleases += Int64(late) }
            log.w(
                "PlayerPool",
                "pool \(policyName): after \(ReleaseLimit.milliseconds) ms \(late) of its players have not ended; they go on alone"
            )
        }
        if !victims.isEmpty { room.signal() }
        return resting.indices.map { place in
            let outcome = outcomes[place] ?? giveUp(resting[place])
            if outcome == .failed { noteLoss(of: resting[place]) }
            return outcome
        }
    }

    /// Tells whoever holds a player that it is over, before it is stopped.
    private func tell(_ victims: [PoolLedger.Victim], within limit: ReleaseLimit) {
        for victim in victims where !victim.holdings.isEmpty {
            awaitCommand(victim.player, victim.reins, within: limit)
            bookmark(victim.player, uniqueID: victim.uniqueID, sourceRevision: victim.sourceRevision)
            for holding in victim.holdings.reversed() { holding.onChange(.evicted) }
        }
    }

    /// Waits until a command of a holder who has lost a player is over: none comes afterwards. Whoever has the player next must not be
    /// disturbed by it.
    ///
    /// - Returns: false if it takes so long that the player cannot be given to anybody.
    @discardableResult
    private func awaitCommand(
        _ player: any MediaPlayer, _ reins: PoolTicket, within limit: ReleaseLimit
    ) -> Bool {
        let isOver = reins.passes(withinMilliseconds: limit.rest)
        if !isOver {
            log.w(
                "PlayerPool",
                "player \(player.playerID) of pool \(policyName) is in the midst of a command that does not return")
        }
        return isOver
    }

    /// The same for a player that stays in the pool.
    @discardableResult
    func awaitCommand(index: UInt32, within limit: ReleaseLimit = ReleaseLimit()) -> Bool {
        let known = state.withLock { state in
            state.ledger.position(index: index).map { (state.ledger[$0].player, state.ledger[$0].reins) }
        }
        return known.map { awaitCommand($0, $1, within: limit) } ?? true
    }

    /// Stops and resets a player, and destroys it if it was given up meanwhile or is not as good as new.
    private func bringToRest(_ resting: RestingPlayer) -> RestOutcome {
        let player = resting.player
        resting.preparation?.cancel()
        player.stop()
        player.reset()
        let isAtRest = resting.isLetGo && player.state == .idle
        let differences = isAtRest ? player.differencesFromNew : []
        let (outcome, lost) = state.withLock { state -> (RestOutcome, [PoolLedger.Victim]) in
            if !differences.isEmpty { state.ledger.counts.resetViolations += 1 }
            guard let position = state.ledger.position(index: resting.index) else { return (.gone, []) }
            guard isAtRest, differences.isEmpty else { return (.failed, state.ledger.lose(position)) }
            state.ledger[position].isSettling = false
            return (.kept, [])
        }
        if !differences.isEmpty {
            log.w(
                "PlayerPool",
                "player \(player.playerID) is not as a new one after its reset and is given up: "
                    + differences.joined(separator: ", "))
        }
        settled.signal()
        if outcome != .kept {
            tellLenders(lost)
            player.destroy()
        }
        return outcome
    }

    /// Strikes off a player that does not come to rest in time. Whoever stops it destroys it, should it ever get there.
    private func giveUp(_ resting: RestingPlayer) -> RestOutcome {
        let (outcome, lost) = state.withLock { state -> (RestOutcome, [PoolLedger.Victim]) in
            guard let position = state.ledger.position(index: resting.index) else { return (.gone, []) }
            // It may have come to rest just now.
            guard state.ledger[position].isSettling else { return (.kept, []) }
            return (.failed, state.ledger.lose(position))
        }
        settled.signal()
        tellLenders(lost)
        return outcome
    }

    /// Whoever asked for a player hears of its loss there; those that lent it are told.
    private func tellLenders(_ lost: [PoolLedger.Victim]) {
        guard !lost.isEmpty else { return }
        verify(after: "a loss")
        for holding in lost.flatMap({ $0.holdings.dropLast().reversed() }) { holding.onChange(.evicted) }
        room.signal()
    }

    /// Puts down, among the operations of the pool, that a player which was to be used again is none.
    private func noteLoss(of resting: RestingPlayer) {
        log.w(
            "PlayerPool", "pool \(policyName): player \(resting.player.playerID) did not come to rest and is given up")
        _ = ticket.enter()
        var record = PoolRecord(.lose, at: clock.now())
        record.player = resting.player.playerID
        record.lease = resting.lease
        record.outcome = RecycleOutcome.stopFailedDestroyed.rawValue
        leave(record)
    }
}
