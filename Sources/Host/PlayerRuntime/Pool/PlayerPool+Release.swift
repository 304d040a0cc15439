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
        // What does nothing ends at once, and is not worth a thread. What a player calls as it ends may need the ticket of the caller.
        let isInside = ticket.isOwnedByCaller
        for victim in victims where victim.destroys {
            if isInside || victim.isAtRest {
                ThreadMark.set { victim.destroy() }
            } else {
                works.append { victim.destroy() }
            }
        }
        for (place, player) in resting.enumerated() {
            let work: @Sendable () -> Void = { [self] in bringToRest(player) { outcomes.note($0, at: place) } }
            if isInside || player.isAtRest { ThreadMark.set { work() } } else { works.append(work) }
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
        for (place, player) in resting.enumerated() where outcomes[place] == nil {
            giveUp(player) { outcomes.note($0, at: place) }
        }
        return resting.indices.map { outcomes[$0] ?? .gone }
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
    func awaitCommand(_ player: any MediaPlayer, _ reins: PoolTicket, within limit: ReleaseLimit) -> Bool {
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
    ///
    /// - Parameter note: is told what came of it, in one step with the books.
    private func bringToRest(_ resting: RestingPlayer, _ note: (RestOutcome) -> Void) {
        let player = resting.player
        resting.preparation?.cancel()
        player.stop()
        player.reset()
        let isAtRest = resting.isLetGo && player.state == .idle
        let differences = isAtRest ? player.differencesFromNew : []
        guard isAtRest, differences.isEmpty else {
            if !differences.isEmpty {
                state.withLock { $0.ledger.counts.resetViolations += 1 }
                log.w(
                    "PlayerPool",
                    "player \(player.playerID) is not as a new one after its reset and is given up: "
                        + differences.joined(separator: ", "))
            }
            giveUp(resting, note)
            return player.destroy()
        }
        let isKept = state.withLock { state in
            guard let position = state.ledger.position(of: resting) else {
                note(.gone)
                return false
            }
            state.ledger[position].isSettling = false
            note(.kept)
            return true
        }
        settled.signal()
        if !isKept { player.destroy() }
    }

    /// Strikes off a player that does not come to rest, unless it just did. Whoever stops it destroys it, should it ever get there.
    /// With the ticket: nobody loses a player between a decision and what is done about it.
    private func giveUp(_ resting: RestingPlayer, _ note: (RestOutcome) -> Void) {
        _ = ticket.enter()
        let lost = state.withLock { state -> PoolLedger.Victim? in
            guard let position = state.ledger.position(of: resting) else {
                note(.gone)
                return nil
            }
            guard state.ledger[position].isSettling else {
                note(.kept)
                return nil
            }
            note(.failed)
            return state.ledger.lose(position, for: resting.lease)
        }
        guard let lost else { return ticket.leave() }
        log.w(
            "PlayerPool", "pool \(policyName): player \(resting.player.playerID) did not come to rest and is given up")
        var record = PoolRecord(.lose, at: clock.now())
        record.player = resting.player.playerID
        record.lease = resting.lease?.number
        record.outcome = RecycleOutcome.stopFailedDestroyed.rawValue
        leave(record)
        settled.signal()
        // Whoever asked for it hears of its loss there; those that lent it are told.
        for holding in lost.holdings.dropLast().reversed() { holding.onChange(.evicted) }
        room.signal()
    }
}
