// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// Something that may be played next.
public struct UpcomingItem: Hashable, Sendable {
    public var uniqueID: String
    /// 1 is next, 2 the one after; negative is behind.
    public var distance: Int32

    public init(uniqueID: String, distance: Int32) {
        self.uniqueID = uniqueID
        self.distance = distance
    }
}

/// What is to be made ready of what may be played next.
public struct UpcomingPlan: Sendable {
    /// One item and the player that is to hold it. It is bound to the item's id and belongs to nobody.
    public struct Preparation: Sendable {
        public var uniqueID: String
        /// How far it is to be brought.
        public var stage: PoolRequest.Stage
        /// How far it was brought before.
        public var reached: PoolRequest.Stage
        /// Void once the player is leased or given up.
        public var handle: PlayerHandle
        public var player: any MediaPlayer
        /// What is being made ready in it for the same id already.
        var running: PlayerPreparation?
    }

    /// In the order in which it is to be done.
    public var preparations: [Preparation] = []
    /// Why fewer are made ready than the strategy wanted; nil if there are not.
    public var error: PlayerError?
}
