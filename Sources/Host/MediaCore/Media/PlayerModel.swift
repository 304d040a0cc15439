// SPDX-License-Identifier: Apache-2.0

/// The page a player is used on.
public enum SceneType: Int32, Sendable, CaseIterable {
    case vod = 0
    case live = 1
    case videoList = 2
    case restricted = 3
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
    public var videoSource: VideoSource
    public var sceneType: SceneType
    public var coverURL: String?
    public var videoTitle: String?
    /// Whether playback starts as soon as it can.
    public var autoPlay: Bool
    /// Where playback starts; nil: at the beginning. One past the end plays nothing and completes.
    public var startTime: MediaTime?
    /// Where playback ends, with the reason `until`; nil: at the end of the source.
    public var endTime: MediaTime?
    /// How the player buffers, reaches the network and decodes.
    public var configuration: PlayerConfiguration
    /// Joins the figures of this playback with those of other systems.
    public var traceID: String?
    /// Called with the player before it prepares this source, to set what neither the model nor the controller has. Commands that it
    /// gives to the controller are performed afterwards. Thread: that of the command that opens the session.
    public var onPlayerConfig: (@Sendable (any MediaPlayer) -> Void)?

    public init(videoSource: VideoSource) {
        self.videoSource = videoSource
        sceneType = .vod
        coverURL = nil
        videoTitle = nil
        autoPlay = true
        startTime = nil
        endTime = nil
        configuration = PlayerConfiguration()
        traceID = nil
        onPlayerConfig = nil
    }
}
