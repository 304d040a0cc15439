// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

/// A question about a pool, with the whole pool in it.
public struct PluginPoolRequest {
    /// What is asked. Each has a default that is done where a strategy declines.
    public enum Question: Hashable, Sendable {
        /// `sourceKind` is a `KIT_SOURCE_*` number.
        case acquire(uniqueID: PluginText, sourceKind: UInt32)
        /// Whether a player that comes back is kept; `force`: the answer should be no.
        case recycle(player: UInt64, uniqueID: PluginText, force: Bool)
        /// How many players to create.
        case preload(count: Int64)
        /// Which players to destroy; an active one is destroyed when it comes back.
        case clear
        /// The pool's size changed.
        case resize
        /// Memory is short.
        case pressure(isCritical: Bool)
        /// The pool was not used for a while.
        case idle
        /// What may come next changed.
        case upcoming([Upcoming])
        /// A kind or reason this version does not know.
        case unknown(kind: UInt32, reason: UInt32)
    }

    /// Whom a player belongs to.
    public enum Condition: UInt32, Sendable {
        /// To nobody; it was used before or is bound to an id.
        case idle = 1
        /// To a holder of a lease.
        case active = 2
        /// To nobody and no id yet; made ahead.
        case unbound = 3
    }

    /// Something the app may play next.
    public struct Upcoming: Hashable, Sendable {
        /// 1 is next; negative is behind.
        public var distance: Int32
        /// The source's.
        public var uniqueID: PluginText
        /// The player that holds it, 0 if none.
        public var handle: UInt64
        /// `KIT_STAGE_*` it has reached.
        public var stage: UInt32

        /// Without `handle` and `stage`: the pool holds nothing of it.
        public init(distance: Int32, uniqueID: PluginText, handle: UInt64 = 0, stage: UInt32 = 0) {
            self.distance = distance
            self.uniqueID = uniqueID
            self.handle = handle
            self.stage = stage
        }
    }

    /// What is asked.
    public var question: Question
    /// Event time in microseconds.
    public var now: Int64
    /// In order of creation.
    public var players: PluginPlayers
    /// Advice to keep; nil if none is set.
    public var maxPoolSize: Int64?
    /// Enforced by the host; nil if there is none.
    public var hardMax: Int64?

    /// For the tests of a strategy; the host's own come from the C structure.
    public init(
        _ question: Question, now: Int64 = 0, players: [Player] = [], maxPoolSize: Int64? = nil, hardMax: Int64? = nil
    ) {
        self.init(
            question, now: now, players: PluginPlayers(players), maxPoolSize: maxPoolSize, hardMax: hardMax)
    }

    init(_ question: Question, now: Int64, players: PluginPlayers, maxPoolSize: Int64?, hardMax: Int64?) {
        self.question = question
        self.now = now
        self.players = players
        self.maxPoolSize = maxPoolSize
        self.hardMax = hardMax
    }
}
