// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// What a run plays and how.
public struct PlaySettings: Sendable {
    /// What ends each session.
    public enum Until: Sendable {
        case prepared
        case firstFrame
        case end
    }

    /// Played one after the other on one controller.
    public var models: [PlayerModel]
    public var strategies = StrategySelection()
    public var until = Until.end
    /// Skips every wait: as fast as decoding goes. Figures are in the time that playing would have taken.
    public var isVirtualTime = false
    /// An open descriptor that the event log goes to; the caller closes it.
    public var recordDescriptor: Int32?

    public init(models: [PlayerModel]) {
        self.models = models
    }
}
