// SPDX-License-Identifier: Apache-2.0

/// The page a player is used on.
public enum SceneType: Int32, Sendable, CaseIterable {
    case vod = 0
    case live = 1
    case videoList = 2
    case restricted = 3
    case minimal = 4
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
    }
}
