// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
public import Sessions
internal import Synchronization

/// What may be played next is made ready before it is asked for.
extension PlayerPool {
    @discardableResult
    public func announce(
        upcoming items: [UpcomingItem], prepare make: (UpcomingPlan.Preparation) -> PlayerPreparation?
    ) -> UpcomingPlan {
        let depth = ticket.enter()
        var record = PoolRecord(.upcoming(items), at: clock.now())
        let (asked, announcement) = state.withLock { state in
            state.announcement += 1
            return (state.ledger.upcoming(items), state.announcement)
        }
        let decision = depth <= PlayerPool.depthLimit ? decide(.upcoming(asked), &record) : PoolDecision(.none)
        var plan = UpcomingPlan()
        var created: Int64 = 0
        var room = Replacement(of: decision.evict, for: "upcoming")
        for preparation in decision.prepare {
            do throws(PlayerError) {
                let id = asked[preparation.item].uniqueID
                guard let prepared = try prepare(preparation, for: id, in: &room) else { continue }
                plan.preparations.append(prepared)
                if preparation.player == nil { created += 1 }
            } catch {
                plan.error = error
                break
            }
        }
        let victims = finish(room, replacedBy: created, plan.error)
        let wanted = Set(plan.preparations.map(\.handle))
        let cancelled = state.withLock { $0.ledger.cancelPreparations(except: wanted) }
        record.created = created
        record.evicted = victims.map(\.player.playerID)
        record.prepared = plan.preparations.map {
            .init(uniqueID: $0.uniqueID, stage: $0.stage.name, player: $0.player.playerID)
        }
        leave(record)
        bringBack(cancelled, with: victims)
        let planned = plan.preparations.compactMap { item in make(item).map { (item, $0) } }
        // What is ready for the same item but not as it is wanted now.
        let replaced = planned.compactMap { item, preparation in
            item.running === preparation ? nil : state.withLock { $0.ledger.takeBack(item.handle) }
        }
        bringBack(replaced)
        // Another thread may be bringing one to rest.
        _ = settled.wait(milliseconds: ReleaseLimit.milliseconds) {
            state.withLock { state in !wanted.contains(where: state.ledger.isSettling) }
        }
        for (item, preparation) in planned { begin(item, of: announcement, with: preparation) }
        return plan
    }

    private func bringBack(_ entries: [PoolLedger.Entry], with victims: [PoolLedger.Victim] = []) {
        let resting = entries.map {
            RestingPlayer(player: $0.player, handle: $0.handle, preparation: $0.preparation)
        }
        release(victims, resting: resting)
    }

    /// Has a player do what is planned, unless it is another's meanwhile or something else was announced.
    private func begin(
        _ planned: UpcomingPlan.Preparation, of announcement: UInt64, with preparation: PlayerPreparation
    ) {
        // With the ticket, so that nobody leases a player that has half of it. Nothing here waits.
        _ = ticket.enter()
        defer { ticket.leave() }
        let isRunning = planned.running === preparation
        let isFree = state.withLock { state in
            guard state.announcement == announcement, let position = state.ledger.position(planned.handle),
                state.ledger[position].condition == .idle, !state.ledger[position].isSettling,
                state.ledger[position].preparation === (isRunning ? preparation : nil)
            else { return false }
            state.ledger[position].preparation = preparation
            return true
        }
        verify(after: "what was announced is begun")
        guard isFree else { return }
        if isRunning {
            preparation.proceed(to: planned.stage)
        } else {
            preparation.begin(to: planned.stage) { [weak self, weak preparation] stage in
                guard let preparation else { return }
                self?.reached(stage, planned.handle, by: preparation)
            }
        }
    }

    /// nil: the player is not free any more, which only a callback of this very operation can have done.
    private func prepare(
        _ preparation: PoolDecision.Preparation, for uniqueID: String, in room: inout Replacement
    ) throws(PlayerError) -> UpcomingPlan.Preparation? {
        var handle = preparation.player
        if handle == nil {
            guard let factory = state.withLock({ $0.factory }) else { throw notSetUp }
            handle = try add(try make(from: factory), condition: .idle, uniqueID: uniqueID, in: &room)
        }
        return state.withLock { state in
            guard let position = handle.flatMap({ state.ledger.position($0) }),
                state.ledger[position].condition != .active
            else { return nil }
            if state.ledger[position].uniqueID != uniqueID { state.ledger.bind(position, to: uniqueID) }
            let entry = state.ledger[position]
            return UpcomingPlan.Preparation(
                uniqueID: uniqueID, stage: preparation.stage, reached: entry.stage, handle: entry.handle,
                player: entry.player, running: entry.preparation?.uniqueID == uniqueID ? entry.preparation : nil)
        }
    }

    /// Says how far a player was brought that `announce` named, by whoever makes it ready without a `PlayerPreparation`.
    ///
    /// - Returns: false if it is leased, given up or taken back meanwhile.
    @discardableResult
    public func reached(_ stage: PoolRequest.Stage, _ handle: PlayerHandle) -> Bool {
        reached(stage, handle, by: nil)
    }

    /// What was begun for another announcement says nothing of what is begun now.
    @discardableResult
    private func reached(_ stage: PoolRequest.Stage, _ handle: PlayerHandle, by preparation: PlayerPreparation?) -> Bool
    {
        defer { verify(after: "a stage") }
        return state.withLock { state in
            guard let position = state.ledger.position(handle), state.ledger[position].condition == .idle,
                !state.ledger[position].isSettling, state.ledger[position].preparation === preparation
            else { return false }
            state.ledger[position].stage = stage
            return true
        }
    }
}

extension PoolLedger {
    /// What of the announced items the pool holds.
    fileprivate func upcoming(_ items: [UpcomingItem]) -> [PoolRequest.Upcoming] {
        var held: [String: Int] = [:]
        for (position, entry) in entries.enumerated() where !entry.uniqueID.isEmpty { held[entry.uniqueID] = position }
        return items.map { item in
            let entry = held[item.uniqueID].map { entries[$0] }
            return PoolRequest.Upcoming(
                uniqueID: item.uniqueID, distance: item.distance, player: entry?.handle, stage: entry?.stage ?? .none)
        }
    }

    /// Takes back what was made ready and is not wanted any more; the players keep their ids.
    ///
    /// - Returns: players to bring to rest.
    fileprivate mutating func cancelPreparations(except wanted: Set<PlayerHandle>) -> [Entry] {
        let unwanted = entries.filter { entry in
            // Of two ids, the player is now bound to the other.
            let isStale = entry.preparation.map { $0.uniqueID != entry.uniqueID } ?? false
            return isStale || !wanted.contains(entry.handle)
        }
        return unwanted.compactMap { takeBack($0.handle) }
    }

    /// Takes back what was made ready in a player that nobody holds.
    ///
    /// - Returns: the player to bring to rest, as it was; nil if nothing is ready in it.
    fileprivate mutating func takeBack(_ handle: PlayerHandle) -> Entry? {
        guard let position = position(handle) else { return nil }
        let entry = entries[position]
        guard entry.condition == .idle, entry.isPrepared, !entry.isSettling else { return nil }
        self[position].stage = .none
        self[position].preparation = nil
        self[position].isSettling = true
        return entry
    }
}

extension PoolRequest.Stage {
    /// As logs spell it.
    public var name: String {
        switch self {
        case .none: "none"
        case .connected: "connected"
        case .cached: "cached"
        case .prepared: "prepared"
        case .firstFrame: "first_frame"
        }
    }
}
