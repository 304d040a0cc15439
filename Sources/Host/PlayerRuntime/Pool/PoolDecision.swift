// SPDX-License-Identifier: Apache-2.0

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

    /// One item to bring to a stage ahead of its use.
    public struct Preparation: Hashable, Sendable {
        /// Index into the upcoming items of the request.
        public var item: Int
        /// How far.
        public var stage: PoolRequest.Stage
        /// In which player; nil: in one to be created.
        public var player: PlayerHandle?

        /// - Parameter player: idle or unbound; nil: one that is to be created.
        public init(item: Int, stage: PoolRequest.Stage, player: PlayerHandle? = nil) {
            self.item = item
            self.stage = stage
            self.player = player
        }
    }

    /// One that fits the request.
    public var action: Action
    /// For a preload: how many players to create.
    public var createCount: Int64
    /// Executed in this order.
    public var evict: [PlayerHandle]
    /// For upcoming items, executed in this order.
    public var prepare: [Preparation]

    /// An answer that gives up and prepares nothing unless told to. What does not fit the request is a fault, and the default is done.
    public init(
        _ action: Action, createCount: Int64 = 0, evict: [PlayerHandle] = [], prepare: [Preparation] = []
    ) {
        self.action = action
        self.createCount = createCount
        self.evict = evict
        self.prepare = prepare
    }
}

extension PoolDecision {
    /// What is done without a strategy: create; destroy; give up nothing; prepare nothing.
    static func fallback(for kind: PoolRequest.Kind) -> PoolDecision {
        switch kind {
        case .acquire: PoolDecision(.create)
        case .recycle: PoolDecision(.destroy)
        case .preload, .clear, .resize, .pressure, .idle, .upcoming: PoolDecision(.none)
        }
    }
}
