// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Players that are given up for new ones: one by one where the bound of the pool leaves no room else, the others once the new
/// ones are there.
struct Replacement {
    let reason: String
    fileprivate var pending: [PlayerHandle]
    fileprivate var victims: [PoolLedger.Victim] = []

    init(of handles: [PlayerHandle], for reason: String) {
        pending = handles
        self.reason = reason
    }
}

extension PlayerPool {
    /// Books a new player, in one step with striking off who has to go for it. With the ticket.
    ///
    /// - Throws: `poolRefused` if the factory has called the pool and there is no room any more; the player is destroyed then.
    func add(
        _ player: any MediaPlayer, condition: PoolRequest.PlayerCondition, uniqueID: String = "",
        in replacement: inout Replacement
    ) throws(PlayerError) -> PlayerHandle {
        let handle = state.withLock { state -> PlayerHandle? in
            guard state.ledger.hasRoom(hardMax: hardMax, evicting: replacement.pending) else { return nil }
            while !state.ledger.hasRoom(hardMax: hardMax) {
                let next = replacement.pending.removeFirst()
                replacement.victims += state.ledger.evict([next], for: replacement.reason)
            }
            let position = state.ledger.add(player, condition: condition, uniqueID: uniqueID)
            return state.ledger[position].handle
        }
        guard let handle else {
            player.destroy()
            throw full(uniqueID)
        }
        return handle
    }

    /// Strikes off the others: where a new one could not be made, no more than were replaced.
    ///
    /// - Returns: all that are given up.
    func finish(
        _ replacement: Replacement, replacedBy created: Int64, _ failure: PlayerError?
    ) -> [PoolLedger.Victim] {
        let (pending, victims) = (replacement.pending, replacement.victims)
        let count = failure == nil ? pending.count : min(pending.count, max(0, Int(created) - victims.count))
        return victims + state.withLock { $0.ledger.evict(Array(pending.prefix(count)), for: replacement.reason) }
    }
}
