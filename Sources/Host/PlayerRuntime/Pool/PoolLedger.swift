// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Sessions

/// The books of a pool: which players there are, who holds them, and the counts. Pure; calls nobody.
struct PoolLedger {
    struct Entry {
        var index: UInt32
        /// Changes with every lease and every return.
        var generation: UInt32 = 1
        var player: any MediaPlayer
        var condition: PoolRequest.PlayerCondition
        var uniqueID = ""
        var createdSequence: UInt64
        var acquiredSequence: UInt64 = 0
        var idleSequence: UInt64 = 0
        var onRevoke: (@Sendable (LeaseRevocation) -> Void)?
        /// It is being stopped; usable once that is done.
        var isSettling = false
        /// The pool was cleared while it was in use.
        var isDoomed = false

        var handle: PlayerHandle { PlayerHandle(index: index, generation: generation) }
    }

    /// A player that left the books, and whom to tell before it is stopped.
    struct Victim {
        var player: any MediaPlayer
        /// false while somebody else stops it, who will then destroy it too.
        var destroys: Bool
        var onRevoke: (@Sendable (LeaseRevocation) -> Void)?
    }

    /// In order of creation.
    private(set) var entries: [Entry] = []
    var counts: PoolReport
    private var lastIndex: UInt32 = 0
    private var sequence: UInt64 = 0

    /// - Parameter strategy: the name that the counts are reported under.
    init(strategy: String) {
        counts = PoolReport(strategy: strategy)
    }

    /// The law of a pool's books.
    var isBalanced: Bool {
        counts.created == counts.idle + counts.active + counts.unbound + counts.destroyed
            && Int64(entries.count) == counts.created - counts.destroyed
    }

    /// The entry of exactly this handle.
    func position(_ handle: PlayerHandle) -> Int? {
        guard let position = position(index: handle.index), entries[position].generation == handle.generation else {
            return nil
        }
        return position
    }

    func position(index: UInt32) -> Int? {
        entries.firstIndex { $0.index == index }
    }

    func isSettling(_ handle: PlayerHandle) -> Bool {
        position(handle).map { entries[$0].isSettling } ?? false
    }

    subscript(position: Int) -> Entry {
        get { entries[position] }
        set { entries[position] = newValue }
    }

    mutating func nextSequence() -> UInt64 {
        sequence += 1
        return sequence
    }

    /// Books a new player, not leased to anybody.
    mutating func add(_ player: any MediaPlayer, condition: PoolRequest.PlayerCondition) -> Int {
        lastIndex += 1
        let now = nextSequence()
        var entry = Entry(index: lastIndex, player: player, condition: condition, createdSequence: now)
        if condition != .active { entry.idleSequence = now }
        entries.append(entry)
        counts.created += 1
        count(condition, by: 1)
        return entries.count - 1
    }

    /// Leases the player at `position`, whatever it was before.
    ///
    /// - Returns: whom to tell that the former lease is over.
    mutating func lease(
        _ position: Int, uniqueID: String, onRevoke: @escaping @Sendable (LeaseRevocation) -> Void
    ) -> (@Sendable (LeaseRevocation) -> Void)? {
        let former = entries[position].onRevoke
        move(position, to: .active)
        entries[position].generation &+= 1
        entries[position].uniqueID = uniqueID
        entries[position].acquiredSequence = nextSequence()
        entries[position].onRevoke = onRevoke
        return former
    }

    /// Takes the player at `position` back as idle.
    mutating func giveBack(_ position: Int, keepsID: Bool) {
        move(position, to: .idle)
        entries[position].generation &+= 1
        entries[position].idleSequence = nextSequence()
        entries[position].onRevoke = nil
        if !keepsID { entries[position].uniqueID = "" }
    }

    /// Strikes the player at `position` off.
    mutating func remove(_ position: Int) -> Victim {
        let entry = entries.remove(at: position)
        count(entry.condition, by: -1)
        counts.destroyed += 1
        return Victim(player: entry.player, destroys: !entry.isSettling, onRevoke: entry.onRevoke)
    }

    /// Strikes off those of `handles` that are still what they were when the decision was taken.
    mutating func evict(_ handles: [PlayerHandle]) -> [Victim] {
        handles.compactMap { handle in
            guard let position = position(handle) else { return nil }
            counts.evicted += 1
            return remove(position)
        }
    }

    /// Why a lease cannot be given back; nil if it can. In the order that a holder may rely on.
    func rejection(of lease: PlayerLease, uniqueID: String?, pool: ObjectIdentifier) -> RecycleOutcome? {
        guard lease.pool == pool, lease.handle.index > 0, lease.handle.index <= lastIndex else {
            return .rejectedUnknown
        }
        guard let position = position(index: lease.handle.index) else { return .rejectedDestroyed }
        let entry = entries[position]
        if entry.generation != lease.handle.generation {
            let isReturned = entry.condition != .active && entry.generation == lease.handle.generation &+ 1
            return isReturned ? .rejectedAlreadyIdle : .rejectedStaleLease
        }
        if entry.condition != .active { return .rejectedAlreadyIdle }
        if let uniqueID, uniqueID != lease.uniqueID { return .rejectedWrongID }
        return nil
    }

    private mutating func move(_ position: Int, to condition: PoolRequest.PlayerCondition) {
        count(entries[position].condition, by: -1)
        entries[position].condition = condition
        count(condition, by: 1)
    }

    private mutating func count(_ condition: PoolRequest.PlayerCondition, by amount: Int64) {
        switch condition {
        case .idle: counts.idle += amount
        case .active: counts.active += amount
        case .unbound: counts.unbound += amount
        }
    }
}
