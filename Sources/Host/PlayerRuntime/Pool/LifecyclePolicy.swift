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
    public enum Kind: Hashable, Sendable {
        case acquire(uniqueID: String, sourceKind: SourceKind)
        case recycle(player: PlayerHandle, uniqueID: String, force: Bool)
        case preload(count: Int64)
        case clear
        case resize
    }

    public enum SourceKind: UInt32, Sendable {
        case unknown = 0
        case file = 1
        case url = 2
        case vid = 3
    }

    public enum PlayerCondition: UInt32, Sendable {
        case idle = 1
        case active = 2
        case unbound = 3
    }

    public struct Player: Sendable {
        public var handle: PlayerHandle
        public var condition: PlayerCondition
        public var isPlaying: Bool
        public var uniqueID: String
        public var createdSequence: UInt64
        public var acquiredSequence: UInt64
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
    public enum Action: Hashable, Sendable {
        /// For plans.
        case none
        case create
        case use(PlayerHandle)
        case refuse
        case keep
        case destroy
    }

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
