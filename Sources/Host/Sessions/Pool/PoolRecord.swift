// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// One operation of a player pool: what was asked of it, what its lifecycle strategy decided and what was done. The operations of a
/// pool in their order are all that another strategy needs to decide anew.
public struct PoolRecord: Hashable, Sendable {
    /// What was asked.
    public enum Operation: Hashable, Sendable {
        /// `sourceKind` is a `KIT_SOURCE_*` number.
        case acquire(uniqueID: String, sourceKind: UInt32)
        /// `uniqueID` is nil where it is the lease's.
        case recycle(uniqueID: String?, force: Bool)
        /// `to`: the number of the borrower's lease; nil if it was rejected.
        case lend(to: UInt64?)
        case reclaim
        case preload(count: Int64)
        case clear
        case resize(Int64)
        case pressure(isCritical: Bool)
        case idle
        case upcoming([UpcomingItem])
        /// Nothing was asked: a player that was to be used again did not come to rest, or was not as good as new. `lease` is that of
        /// whoever was to have it.
        case lose
    }

    /// Something that is made ready.
    public struct Preparation: Hashable, Sendable {
        /// The item's.
        public var uniqueID: String
        /// `connected`, `cached`, `prepared` or `first_frame`.
        public var stage: String
        /// The number of the player that holds it.
        public var player: Int64

        /// As logs tell it.
        public init(uniqueID: String, stage: String, player: Int64) {
            self.uniqueID = uniqueID
            self.stage = stage
            self.player = player
        }
    }

    /// When the pool began with it.
    public var time: EventTime
    /// What was asked.
    public var operation: Operation
    /// The number of the lease that was given, taken back, lent or reclaimed; nil if there is none.
    public var lease: UInt64?
    /// Whose lease that is, or which came back; nil if there is none.
    public var player: Int64?
    /// What came of it; empty where there is nothing but the counts.
    public var outcome = ""
    /// Players that were made.
    public var created: Int64 = 0
    /// Players that were given up, in the order in which it was done.
    public var evicted: [Int64] = []
    /// What the strategy wants ready, in the order in which it was begun.
    public var prepared: [Preparation] = []
    /// The leases whose players played when the strategy was asked.
    public var playing: [UInt64] = []
    /// Whether the host's own decision was taken in place of the strategy's.
    public var isDefault = false

    /// One that has not been decided yet.
    public init(_ operation: Operation, at time: EventTime) {
        self.operation = operation
        self.time = time
    }
}

extension PoolRecord {
    /// The word for what was asked, as event logs and scripts have it.
    public var operationName: String {
        switch operation {
        case .acquire: "acquire"
        case .recycle: "recycle"
        case .lend: "lend"
        case .reclaim: "reclaim"
        case .preload: "preload"
        case .clear: "clear"
        case .resize: "max"
        case .pressure: "pressure"
        case .idle: "idle"
        case .upcoming: "upcoming"
        case .lose: "lose"
        }
    }

    /// For people: what was asked and what came of it.
    public var sentence: String {
        var words = [operationName]
        if case .acquire(let uniqueID, _) = operation { words.append(uniqueID) }
        if !outcome.isEmpty { words.append(outcome) }
        if let player { words.append("player \(player)") }
        if created > 0, player == nil { words.append("made \(created)") }
        if !evicted.isEmpty { words.append("gave up " + evicted.map(String.init).joined(separator: ", ")) }
        if isDefault { words.append("by default") }
        return words.joined(separator: " ")
    }
}
