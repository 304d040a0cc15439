// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Sessions

/// The books of a pool: which players there are, who holds them, and the counts. Pure; calls nobody.
struct PoolLedger {
    /// The right of one holder, as the books know it.
    struct Holding {
        var generation: UInt32
        var number: UInt64
        var uniqueID: String
        var onChange: @Sendable (LeaseChange) -> Void
    }

    struct Entry {
        var index: UInt32
        /// The newest that was given to a lease or a return; never given again.
        var generation: UInt32 = 1
        /// That of the lease with which the present or last use began. A lease before it belongs to a former use.
        var useBegan: UInt32 = 1
        var player: any MediaPlayer
        var condition: PoolRequest.PlayerCondition
        var uniqueID = ""
        /// Of what is played under that id; nil if it is not known.
        var sourceRevision: UInt64?
        var stage = PoolRequest.Stage.none
        /// What is made ready in it for `uniqueID`, before it is leased.
        var preparation: PlayerPreparation?
        var createdSequence: UInt64
        var acquiredSequence: UInt64 = 0
        var idleSequence: UInt64 = 0
        /// Who holds it, the one that drives last; empty unless active.
        var holdings: [Holding] = [] {
            didSet { driver = holdings.last?.number ?? 0 }
        }
        /// The number of the lease that drives; 0 if none does.
        private(set) var driver: UInt64 = 0
        /// It is being stopped; usable once that is done.
        var isSettling = false
        /// The pool was cleared while it was in use.
        var isDoomed = false
        /// Owned by whoever commands the player, for as long as a command takes.
        let reins = PoolTicket()

        var handle: PlayerHandle { PlayerHandle(index: index, generation: generation) }
        var isLent: Bool { holdings.count > 1 }
        /// Whether it holds something that is or becomes ready.
        var isPrepared: Bool { stage > .none || preparation != nil }

        /// Puts a lease on top.
        fileprivate mutating func push(
            _ number: UInt64, uniqueID: String, onChange: @escaping @Sendable (LeaseChange) -> Void
        ) {
            generation &+= 1
            holdings.append(
                Holding(generation: generation, number: number, uniqueID: uniqueID, onChange: onChange))
        }

        /// The lease on top is the first of a new use.
        fileprivate mutating func began(_ uniqueID: String, _ sourceRevision: UInt64?) {
            preparation = nil
            self.uniqueID = uniqueID
            self.sourceRevision = sourceRevision
            useBegan = generation
            acquiredSequence = holdings.last?.number ?? 0
        }

        /// Nobody holds it any more.
        fileprivate mutating func rest(_ sequence: UInt64, keepsID: Bool) {
            generation &+= 1
            idleSequence = sequence
            holdings = []
            if !keepsID { uniqueID = "" }
        }
    }

    /// A player that left the books, and whom to tell before it is stopped.
    struct Victim {
        var player: any MediaPlayer
        var uniqueID: String
        var sourceRevision: UInt64?
        /// false while somebody else stops it, who will then destroy it too.
        var destroys: Bool
        var holdings: [Holding]
        var reins: PoolTicket
        /// Ends before the player is destroyed.
        var preparation: PlayerPreparation?

        /// Whether it does nothing that would have to end.
        var isAtRest: Bool { preparation == nil && player.state == .idle }

        func destroy() {
            preparation?.cancel()
            player.destroy()
        }
    }

    /// What giving back a lease means for its player.
    enum Release {
        /// Nobody holds it any more, and the strategy is to be asked.
        case last
        /// The one below drives again.
        case popped(resumed: Holding)
        /// It was not the one that drives.
        case removed
    }

    /// In order of creation, which is that of the indexes.
    private(set) var entries: [Entry] = []
    /// The same players as a policy sees them, kept up to date so that nothing is made anew for a request.
    private(set) var players: [PoolRequest.Player] = []
    var counts: PoolReport
    var resumes = ResumePoints()
    /// Players that are gone from the books.
    private var buried = GonePlayers()
    private var lastIndex: UInt32 = 0
    private var sequence: UInt64 = 0

    /// - Parameter strategy: the name that the counts are reported under.
    init(strategy: String) {
        counts = PoolReport(strategy: strategy)
    }

    /// The entry of exactly this handle.
    func position(_ handle: PlayerHandle) -> Int? {
        guard let position = position(index: handle.index), entries[position].generation == handle.generation else {
            return nil
        }
        return position
    }

    func position(index: UInt32) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].index < index { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].index == index ? low : nil
    }

    /// The entry of a player.
    func position(of player: any MediaPlayer) -> Int? {
        entries.firstIndex { $0.player === player }
    }

    func isSettling(_ handle: PlayerHandle) -> Bool {
        position(handle).map { entries[$0].isSettling } ?? false
    }

    func holds(_ player: any MediaPlayer) -> Bool {
        entries.contains { $0.player === player }
    }

    /// Every change of an entry goes through here.
    subscript(position: Int) -> Entry {
        get { entries[position] }
        _modify {
            defer { players[position].take(entries[position]) }
            yield &entries[position]
        }
    }

    /// Puts down who plays, which only the players know.
    mutating func note(_ changes: [(index: UInt32, isPlaying: Bool)]) {
        for change in changes {
            if let position = position(index: change.index) { players[position].isPlaying = change.isPlaying }
        }
    }

    mutating func nextSequence() -> UInt64 {
        sequence += 1
        return sequence
    }

    // MARK: Players

    /// Books a new player, held by nobody until `lease`.
    mutating func add(_ player: any MediaPlayer, condition: PoolRequest.PlayerCondition, uniqueID: String = "") -> Int {
        lastIndex += 1
        let now = nextSequence()
        var entry = Entry(
            index: lastIndex, player: player, condition: condition, uniqueID: uniqueID, createdSequence: now)
        if condition != .active { entry.idleSequence = now }
        entries.append(entry)
        players.append(PoolRequest.Player(entry))
        counts.created += 1
        count(condition, by: 1)
        return entries.count - 1
    }

    /// Makes an unbound or idle player that of an id that is prepared.
    mutating func bind(_ position: Int, to uniqueID: String) {
        move(position, to: .idle)
        self[position].uniqueID = uniqueID
    }

    /// Strikes those of `handles` off that are still what they were when they were named.
    mutating func remove(_ handles: [PlayerHandle]) -> [Victim] {
        let positions = handles.compactMap(position)
        guard !positions.isEmpty else { return [] }
        let victims = positions.map { position -> Victim in
            let entry = entries[position]
            count(entry.condition, by: -1)
            counts.destroyed += 1
            buried.add(entry.player)
            return Victim(
                player: entry.player, uniqueID: entry.uniqueID, sourceRevision: entry.sourceRevision,
                destroys: !entry.isSettling, holdings: entry.holdings, reins: entry.reins,
                preparation: entry.preparation)
        }
        if positions.count == 1 {
            entries.remove(at: positions[0])
            players.remove(at: positions[0])
        } else {
            let gone = Set(positions.map { entries[$0].index })
            entries.removeAll { gone.contains($0.index) }
            players.removeAll { gone.contains($0.handle.index) }
        }
        return victims
    }

    /// The entry of a player that is brought to rest, if nobody else has got it since.
    func position(of resting: RestingPlayer) -> Int? {
        guard let position = position(resting.handle) else { return nil }
        let driver = entries[position].holdings.last
        return driver == nil || driver?.generation == resting.handle.generation ? position : nil
    }

    /// Strikes off a player that does not come to rest.
    ///
    /// - Parameter lease: that was to have it, and is not served.
    /// - Returns: it, with those who lent it or wait for it.
    mutating func lose(_ position: Int, for lease: PlayerLease?) -> Victim? {
        counts.stopFailures += 1
        switch lease?.origin {
        case .hit: counts.hits -= 1
        case .reused: counts.reused -= 1
        case .created, .borrowed, nil: break
        }
        return remove([entries[position].handle]).first
    }

    /// Strikes `handles` off to make room.
    ///
    /// - Parameter reason: what made it necessary.
    mutating func evict(_ handles: [PlayerHandle], for reason: String) -> [Victim] {
        let victims = remove(handles)
        guard !victims.isEmpty else { return [] }
        let count = Int64(victims.count)
        counts.evicted += count
        counts.evictedActive += Int64(victims.count { !$0.holdings.isEmpty })
        counts.evictedBy[reason, default: 0] += count
        return victims
    }

    /// Whether one more player may exist, those of `evicted` gone that still are what they were.
    func hasRoom(hardMax: Int64?, evicting evicted: [PlayerHandle] = []) -> Bool {
        guard let hardMax else { return true }
        return Int64(entries.count - evicted.count { position($0) != nil }) < hardMax
    }

    // MARK: Leases

    /// Leases the player at `position`, whatever it was before. Of one in use the lease that drives is replaced.
    ///
    /// - Returns: whom to tell that the former lease is over.
    mutating func lease(
        _ position: Int, uniqueID: String, sourceRevision: UInt64?, onChange: @escaping @Sendable (LeaseChange) -> Void
    ) -> Holding? {
        let former = self[position].holdings.popLast()
        move(position, to: .active)
        push(position, uniqueID: uniqueID, onChange: onChange)
        self[position].began(uniqueID, sourceRevision)
        return former
    }

    /// Puts another lease above those of a player in use.
    ///
    /// - Returns: whom to tell that it does not drive any more.
    mutating func lend(_ position: Int, onChange: @escaping @Sendable (LeaseChange) -> Void) -> Holding? {
        let lender = entries[position].holdings.last
        push(position, uniqueID: entries[position].uniqueID, onChange: onChange)
        return lender
    }

    private mutating func push(
        _ position: Int, uniqueID: String, onChange: @escaping @Sendable (LeaseChange) -> Void
    ) {
        let number = nextSequence()
        self[position].push(number, uniqueID: uniqueID, onChange: onChange)
    }

    /// Ends a lease that is one, unless it is the only one of its player.
    mutating func release(_ position: Int, generation: UInt32) -> Release {
        let holdings = entries[position].holdings
        guard holdings.count > 1, let place = holdings.firstIndex(where: { $0.generation == generation }) else {
            return .last
        }
        self[position].holdings.remove(at: place)
        return place == holdings.count - 1 ? .popped(resumed: holdings[place - 1]) : .removed
    }

    /// Ends the leases above one.
    ///
    /// - Returns: whose they were, the one that drove first.
    mutating func reclaim(_ position: Int, generation: UInt32) -> [Holding] {
        guard let place = entries[position].holdings.firstIndex(where: { $0.generation == generation }) else {
            return []
        }
        let above = entries[position].holdings[(place + 1)...]
        self[position].holdings.removeSubrange((place + 1)...)
        return above.reversed()
    }

    /// Takes the player at `position` back as idle, or as unbound where ids are kept and it has none.
    mutating func giveBack(_ position: Int, keepsID: Bool) {
        move(position, to: keepsID && entries[position].uniqueID.isEmpty ? .unbound : .idle)
        let now = nextSequence()
        self[position].rest(now, keepsID: keepsID)
    }

    /// The reins of the player of a lease that is in force and has none above it; nil for any other.
    func reins(of lease: PlayerLease, pool: ObjectIdentifier) -> PoolTicket? {
        guard lease.pool == pool, let position = position(index: lease.handle.index),
            entries[position].holdings.last?.generation == lease.handle.generation
        else { return nil }
        return entries[position].reins
    }

    /// Why a lease means nothing; nil if it is in force. In the order that a holder may rely on.
    func rejection(of lease: PlayerLease, uniqueID: String? = nil, pool: ObjectIdentifier) -> RecycleOutcome? {
        guard lease.pool == pool, lease.handle.index > 0, lease.handle.index <= lastIndex else {
            return .rejectedUnknown
        }
        guard let position = position(index: lease.handle.index) else { return .rejectedDestroyed }
        let entry = entries[position]
        guard entry.holdings.contains(where: { $0.generation == lease.handle.generation }) else {
            let isFormerUse = lease.handle.generation < entry.useBegan
            return isFormerUse || entry.condition == .active ? .rejectedStaleLease : .rejectedAlreadyIdle
        }
        if let uniqueID, uniqueID != lease.uniqueID { return .rejectedWrongID }
        return nil
    }

    /// Why a player cannot be given back; nil if somebody holds it. In the order that a holder may rely on.
    func rejection(of player: any MediaPlayer) -> RecycleOutcome? {
        guard let entry = entries.first(where: { $0.player === player }) else {
            return buried.has(player) ? .rejectedDestroyed : .rejectedUnknown
        }
        return entry.holdings.isEmpty ? .rejectedAlreadyIdle : nil
    }

    // MARK: Counts

    private mutating func move(_ position: Int, to condition: PoolRequest.PlayerCondition) {
        count(entries[position].condition, by: -1)
        self[position].condition = condition
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

extension PoolRequest.Player {
    fileprivate init(_ entry: PoolLedger.Entry) {
        self.init(handle: entry.handle, condition: entry.condition, uniqueID: entry.uniqueID)
        take(entry)
    }

    /// Whether it plays stays what it was; nobody plays a player that nobody holds.
    fileprivate mutating func take(_ entry: PoolLedger.Entry) {
        handle = entry.handle
        condition = entry.condition
        if condition != .active { isPlaying = false }
        isLent = entry.isLent
        stage = entry.stage
        if uniqueID != entry.uniqueID { uniqueID = entry.uniqueID }
        createdSequence = entry.createdSequence
        acquiredSequence = entry.acquiredSequence
        idleSequence = entry.idleSequence
    }
}
