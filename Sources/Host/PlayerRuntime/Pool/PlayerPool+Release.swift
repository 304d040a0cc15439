// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import MediaCore
internal import Sessions
internal import Synchronization

/// How players are stopped and destroyed. Without the ticket.
extension PlayerPool {
    /// How long one waits for players to be destroyed; they then go on without it.
    private static let releaseMilliseconds = 500

    /// Tells the holders, then stops and destroys.
    func dispose(of victims: [PoolLedger.Victim]) {
        for victim in victims {
            if !victim.holdings.isEmpty {
                awaitCommand(victim.player, victim.reins)
                bookmark(victim.player, uniqueID: victim.uniqueID, sourceRevision: victim.sourceRevision)
            }
            for holding in victim.holdings.reversed() { holding.onChange(.evicted) }
        }
        release(victims.filter(\.destroys))
        if !victims.isEmpty { room.signal() }
    }

    /// Waits until a command of a holder who has lost a player is over: none comes afterwards. Whoever has the player next must not be
    /// disturbed by it.
    ///
    /// - Returns: false if it takes so long that the player cannot be given to anybody.
    @discardableResult
    private func awaitCommand(_ player: any MediaPlayer, _ reins: PoolTicket) -> Bool {
        let isOver = reins.passes(withinMilliseconds: PlayerPool.settleMilliseconds)
        if !isOver {
            log.w(
                "PlayerPool",
                "player \(player.playerID) of pool \(policyName) is in the midst of a command that does not return")
        }
        return isOver
    }

    /// The same for a player that stays in the pool.
    @discardableResult
    func awaitCommand(index: UInt32) -> Bool {
        let known = state.withLock { state in
            state.ledger.position(index: index).map { (state.ledger[$0].player, state.ledger[$0].reins) }
        }
        return known.map { awaitCommand($0, $1) } ?? true
    }

    /// Destroys players. One may take as long as a player may take, and so may several: they go at the same time.
    private func release(_ victims: [PoolLedger.Victim]) {
        guard victims.count > 1 else {
            victims.first?.destroy()
            return
        }
        let all = DispatchGroup()
        for victim in victims {
            DispatchQueue.global().async(group: all) { victim.destroy() }
        }
        guard all.wait(timeout: .now() + .milliseconds(PlayerPool.releaseMilliseconds)) == .timedOut else { return }
        state.withLock { $0.ledger.counts.slowReleases += 1 }
        log.w("PlayerPool", "pool \(policyName): the release of \(victims.count) players takes long and goes on")
    }

    /// Brings a player to rest that is kept, or destroys it if it was given up meanwhile or is not as good as new.
    ///
    /// - Parameters:
    ///   - preparation: what is made ready in it, which ends.
    ///   - isLetGo: whether the commands of whoever had it are over.
    /// - Returns: whether it may be used again.
    @discardableResult
    func settle(
        _ player: any MediaPlayer, index: UInt32, ending preparation: PlayerPreparation? = nil, isLetGo: Bool = true
    ) -> Bool {
        preparation?.cancel()
        player.stop()
        player.reset()
        let isAtRest = isLetGo && player.state == .idle
        let differences = isAtRest ? player.differencesFromNew : []
        let (isKept, lost) = state.withLock { state -> (Bool, [PoolLedger.Victim]) in
            if !differences.isEmpty { state.ledger.counts.resetViolations += 1 }
            guard let position = state.ledger.position(index: index) else { return (false, []) }
            state.ledger[position].isSettling = false
            if isAtRest, differences.isEmpty { return (true, []) }
            return (false, state.ledger.remove([state.ledger[position].handle]))
        }
        if !differences.isEmpty {
            log.w(
                "PlayerPool",
                "player \(player.playerID) is not as a new one after its reset and is given up: "
                    + differences.joined(separator: ", "))
        }
        settled.signal()
        if !lost.isEmpty { room.signal() }
        if !isKept {
            // Whoever asks for it hears of it there; those that lent it are told.
            for holding in lost.flatMap({ $0.holdings.dropLast().reversed() }) { holding.onChange(.evicted) }
            player.destroy()
        }
        return isKept
    }
}
