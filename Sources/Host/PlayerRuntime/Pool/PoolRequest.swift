// SPDX-License-Identifier: Apache-2.0

/// A question to a lifecycle policy, with the whole pool as the policy may see it. Mirrors `kit_pool_request_v1`.
public struct PoolRequest: Sendable {
    /// What is asked.
    public enum Kind: Hashable, Sendable {
        /// Which player a source gets.
        case acquire(uniqueID: String, sourceKind: SourceKind)
        /// Whether a player that comes back is kept. `force`: the answer should be no.
        case recycle(player: PlayerHandle, uniqueID: String, force: Bool)
        /// How many of `count` players to make ahead.
        case preload(count: Int64)
        /// Which players to give up; the default is none. Naming one in use means: when it comes back.
        case clear
        /// Which players to give up since `maxPoolSize` changed.
        case resize
        /// Which players to give up since memory is short.
        case pressure(Pressure)
        /// Which players to give up since the pool was not used for a while.
        case idle
        /// How far to bring what may be played next.
        case upcoming([Upcoming])
    }

    /// How a source is named.
    public enum SourceKind: UInt32, Sendable {
        case unknown = 0
        case file = 1
        case url = 2
        /// By a video id.
        case vid = 3
    }

    /// How short memory is.
    public enum Pressure: UInt32, Sendable, CaseIterable {
        /// What is not needed soon should go.
        case moderate = 1
        /// Whatever is not in use must go.
        case critical = 2
    }

    /// How far an item was brought ahead of its use.
    public enum Stage: UInt32, Sendable, Comparable, CaseIterable {
        case none = 0
        case connected = 1
        case cached = 2
        /// Can be started at once.
        case prepared = 3
        /// Its first frame is decoded and can be shown at once.
        case firstFrame = 4

        public static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
    }

    /// Whom a player belongs to.
    public enum PlayerCondition: UInt32, Sendable {
        /// To nobody; it was used before or is bound to an id.
        case idle = 1
        /// To a holder of a lease.
        case active = 2
        /// To nobody and no id: made ahead, or used without one by a strategy that keeps ids.
        case unbound = 3
    }

    /// One player of the pool.
    public struct Player: Sendable {
        /// What an answer names it by.
        public var handle: PlayerHandle
        /// Whom it belongs to.
        public var condition: PlayerCondition
        /// Whether it plays now.
        public var isPlaying: Bool
        /// Whether its holder lent it to another.
        public var isLent: Bool
        /// How far it was brought ahead of its use.
        public var stage: Stage
        /// The source it was leased for last or is prepared for; empty if none.
        public var uniqueID: String {
            didSet { text = StableText(uniqueID) }
        }
        /// `uniqueID`, where others may point to it.
        package private(set) var text: StableText
        /// Orders players by when they were made.
        public var createdSequence: UInt64
        /// Orders players by when they were leased last; 0 if never.
        public var acquiredSequence: UInt64
        /// Orders players by when they became idle last; 0 if never.
        public var idleSequence: UInt64

        /// What is not given is that of a player which was only made.
        public init(
            handle: PlayerHandle, condition: PlayerCondition, isPlaying: Bool = false, isLent: Bool = false,
            stage: Stage = .none, uniqueID: String = "", createdSequence: UInt64 = 0, acquiredSequence: UInt64 = 0,
            idleSequence: UInt64 = 0
        ) {
            self.handle = handle
            self.condition = condition
            self.isPlaying = isPlaying
            self.isLent = isLent
            self.stage = stage
            self.uniqueID = uniqueID
            text = StableText(uniqueID)
            self.createdSequence = createdSequence
            self.acquiredSequence = acquiredSequence
            self.idleSequence = idleSequence
        }
    }

    /// Something the app may play next.
    public struct Upcoming: Hashable, Sendable {
        /// The source's; it says whether a player of the pool holds it.
        public var uniqueID: String
        /// 1 is next, 2 the one after; negative is behind.
        public var distance: Int32
        /// The player that holds it; nil if none.
        public var player: PlayerHandle?
        /// How far it was brought.
        public var stage: Stage

        /// Without `player` and `stage`: the pool holds nothing of it.
        public init(uniqueID: String, distance: Int32, player: PlayerHandle? = nil, stage: Stage = .none) {
            self.uniqueID = uniqueID
            self.distance = distance
            self.player = player
            self.stage = stage
        }
    }

    /// What is asked.
    public var kind: Kind
    /// Event time in microseconds.
    public var nowMicroseconds: Int64
    /// In order of creation.
    public var players: [Player]
    /// Advice to keep; nil if none is set.
    public var maxPoolSize: Int64?
    /// Enforced by the pool; nil if there is none.
    public var hardMax: Int64?

    /// For policies that ask others, and their tests; a pool makes its own.
    public init(
        kind: Kind, nowMicroseconds: Int64, players: [Player], maxPoolSize: Int64? = nil, hardMax: Int64? = nil
    ) {
        self.kind = kind
        self.nowMicroseconds = nowMicroseconds
        self.players = players
        self.maxPoolSize = maxPoolSize
        self.hardMax = hardMax
    }
}

/// Names a player of a pool; a stale one is an error, never another player.
public struct PlayerHandle: Hashable, Sendable {
    /// Index in the low, generation in the high 32 bits; never 0.
    public var rawValue: UInt64

    /// Any number; one that names no player of a pool is refused there.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

extension PlayerHandle {
    var index: UInt32 { UInt32(truncatingIfNeeded: rawValue) }
    var generation: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }

    init(index: UInt32, generation: UInt32) {
        self.init(rawValue: UInt64(generation) << 32 | UInt64(index))
    }
}
