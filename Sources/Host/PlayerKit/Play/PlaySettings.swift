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
    /// Rate, loop, mute and volume of every source.
    public var playback = PlaybackSettings()
    /// Where the event log goes.
    public var record: OutputDescriptor?
    /// Where every picture goes, as YUV4MPEG2. This and the next two hold what one source gives: with several models, the last.
    public var pictures: OutputDescriptor?
    /// Where the sound goes, as WAV.
    public var sound: OutputDescriptor?
    /// Where a line with time stamp, size and MD5 of every picture goes, as ffmpeg's `framemd5` writes it.
    public var frameHashes: OutputDescriptor?
    /// How long a session may be paused, in event time, before it is stopped: a strategy that was granted to act may pause it, and
    /// nobody watches who would press play. In virtual time, which a pause does not skip, a second is enough.
    public var longestPause = Duration.seconds(30)
    /// In place of what the machine reports.
    public var network: NetworkType?
    /// Whether the report keeps how sessions went over time.
    public var keepsTraces = false

    public init(models: [PlayerModel]) {
        self.models = models
    }
}
