// SPDX-License-Identifier: Apache-2.0

/// Decides how player instances are created, reused and given up. A pure function of the request; plugins and native Swift
/// strategies implement the same.
///
/// Thread: one call at a time per pool, on the thread of whoever uses the pool; never with a lock held.
public protocol LifecyclePolicy: AnyObject, Sendable {
    /// The name it is chosen by.
    var policyName: String { get }
    /// Whether it may answer with a player in use, whose owner then loses it.
    var takesOver: Bool { get }
    /// Whether it keeps one player per unique id.
    var bindsIDs: Bool { get }
    /// Its own wish for the pool's size; nil if it has none.
    var maxPoolSize: Int64? { get }

    /// Answers one request.
    ///
    /// - Returns: nil to decline, which means the default decision at no cost.
    /// - Throws: anything; the default decision is taken and a fault is counted.
    func decide(_ request: PoolRequest) throws -> PoolDecision?
}

/// Names a player of a pool; a stale one is an error, never another player.
public struct PlayerHandle: Hashable, Sendable {
    /// Index in the low, generation in the high 32 bits; never 0.
    public var rawValue: UInt64

    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

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
        /// Which players to give up; the default is none.
        case clear
        /// Which players to give up since `maxPoolSize` changed.
        case resize
    }

    /// How a source is named.
    public enum SourceKind: UInt32, Sendable {
        case unknown = 0
        case file = 1
        case url = 2
        /// By a video id.
        case vid = 3
    }

    /// Whom a player belongs to.
    public enum PlayerCondition: UInt32, Sendable {
        /// To nobody; it was used before.
        case idle = 1
        /// To a holder of a lease.
        case active = 2
        /// To nobody yet; made ahead.
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
        /// The source it was leased for last; empty if none.
        public var uniqueID: String
        /// Orders players by when they were made.
        public var createdSequence: UInt64
        /// Orders players by when they were leased last; 0 if never.
        public var acquiredSequence: UInt64
        /// Orders players by when they became idle last; 0 if never.
        public var idleSequence: UInt64

        public init(
            handle: PlayerHandle, condition: PlayerCondition, isPlaying: Bool, uniqueID: String,
            createdSequence: UInt64, acquiredSequence: UInt64, idleSequence: UInt64
        ) {
            self.handle = handle
            self.condition = condition
            self.isPlaying = isPlaying
            self.uniqueID = uniqueID
            self.createdSequence = createdSequence
            self.acquiredSequence = acquiredSequence
            self.idleSequence = idleSequence
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

    public init(kind: Kind, nowMicroseconds: Int64, players: [Player], maxPoolSize: Int64?, hardMax: Int64?) {
        self.kind = kind
        self.nowMicroseconds = nowMicroseconds
        self.players = players
        self.maxPoolSize = maxPoolSize
        self.hardMax = hardMax
    }
}

/// The answer of a lifecycle policy. Mirrors `kit_pool_decision_v1`; the pool checks it before anything is done.
public struct PoolDecision: Hashable, Sendable {
    /// What to do with the player in question.
    public enum Action: Hashable, Sendable {
        /// For plans.
        case none
        /// To an acquire: a new one.
        case create
        /// To an acquire: this one.
        case use(PlayerHandle)
        /// To an acquire: none.
        case refuse
        /// To a recycle: stop it and keep it.
        case keep
        /// To a recycle: give it up.
        case destroy
    }

    /// One that fits the request.
    public var action: Action
    /// For a preload: how many players to create.
    public var createCount: Int64
    /// Executed in this order.
    public var evict: [PlayerHandle]

    public init(_ action: Action, createCount: Int64 = 0, evict: [PlayerHandle] = []) {
        self.action = action
        self.createCount = createCount
        self.evict = evict
    }
}
