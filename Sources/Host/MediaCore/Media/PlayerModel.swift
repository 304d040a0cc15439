// SPDX-License-Identifier: Apache-2.0

/// The page a player is used on.
public enum SceneType: Int32, Sendable, CaseIterable {
    /// Video on demand.
    case vod = 0
    /// A live stream.
    case live = 1
    /// A list or feed of short videos.
    case videoList = 2
    /// A page on which the user may do less, such as not seek.
    case restricted = 3
    /// A page with hardly any controls.
    case minimal = 4

    /// The buffers that suit such a page where a configuration names no scene; nil: the defaults.
    package var configurationScene: PlayerConfiguration.Scene? {
        switch self {
        case .live: .live
        case .videoList: .short
        case .vod, .restricted, .minimal: nil
        }
    }
}

/// Everything a controller needs to play one source. A value: changing it later changes nothing that plays.
public struct PlayerModel: Sendable {
    /// What is played.
    public var videoSource: VideoSource
    /// The page it is played on; chooses the buffers where `configuration` does not.
    public var sceneType: SceneType
    /// A picture to show before the first frame.
    public var coverURL: String?
    /// For people.
    public var videoTitle: String?
    /// Whether playback starts as soon as it can.
    public var autoPlay: Bool
    /// Where playback starts; nil: at the beginning. One past the end plays nothing and completes.
    public var startTime: MediaTime?
    /// Where playback ends, with the reason `until`, counted on through the passes of a loop; nil: at the end of the source.
    public var endTime: MediaTime?
    /// Whether playback ends with its first picture, or without one its first sound, with the reason `until`.
    public var endsAtFirstFrame: Bool
    /// How the player buffers, reaches the network and decodes.
    public var configuration: PlayerConfiguration
    /// Joins the figures of this playback with those of other systems.
    public var traceID: String?
    /// Called with the player before it prepares this source, to set what neither the model nor the controller has. Commands that it
    /// gives to the controller are performed afterwards. Thread: that of the command that opens the session.
    public var onPlayerConfig: (@Sendable (any MediaPlayer) -> Void)?

    /// Plays all of the source at once, with the default configuration.
    public init(videoSource: VideoSource) {
        self.videoSource = videoSource
        sceneType = .vod
        coverURL = nil
        videoTitle = nil
        autoPlay = true
        startTime = nil
        endTime = nil
        endsAtFirstFrame = false
        configuration = PlayerConfiguration()
        traceID = nil
        onPlayerConfig = nil
    }
}
