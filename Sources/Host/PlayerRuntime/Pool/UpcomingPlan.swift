// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// What is to be made ready of what may be played next.
public struct UpcomingPlan: Sendable {
    /// One item and the player that is to hold it. It is bound to the item's id and belongs to nobody.
    public struct Preparation: Sendable {
        /// The item's.
        public var uniqueID: String
        /// How far it is to be brought.
        public var stage: PoolRequest.Stage
        /// How far it was brought before.
        public var reached: PoolRequest.Stage
        /// Void once the player is leased or given up.
        public var handle: PlayerHandle
        /// The pool's; it may be stopped and given to somebody at any time.
        public var player: any MediaPlayer
        /// What is being made ready in it for the same id already.
        var running: PlayerPreparation?
    }

    /// In the order in which it is to be done.
    public var preparations: [Preparation] = []
    /// Why fewer are made ready than the strategy wanted; nil if there are not.
    public var error: PlayerError?
}
