// SPDX-License-Identifier: Apache-2.0

/// What is known of a source once it is prepared. Unknown is nil, never zero.
public struct MediaDescription: Hashable, Sendable {
    /// The container's short name as libavformat has it.
    public var container: String
    public var duration: MediaTime?
    public var isSeekable: Bool
    public var video: VideoDescription?
    public var audio: AudioDescription?

    public init(
        container: String, duration: MediaTime? = nil, isSeekable: Bool = false, video: VideoDescription? = nil,
        audio: AudioDescription? = nil
    ) {
        self.container = container
        self.duration = duration
        self.isSeekable = isSeekable
        self.video = video
        self.audio = audio
    }
}

/// The selected video track.
public struct VideoDescription: Hashable, Sendable {
    public var codec: String
    /// Pixels.
    public var width: Int
    public var height: Int
    /// Frame rate in thousandths of a hertz; nil if the container does not tell.
    public var framesPer1000Seconds: Int64?

    public init(codec: String, width: Int, height: Int, framesPer1000Seconds: Int64?) {
        self.codec = codec
        self.width = width
        self.height = height
        self.framesPer1000Seconds = framesPer1000Seconds
    }
}

/// The selected audio track.
public struct AudioDescription: Hashable, Sendable {
    public var codec: String
    /// Hertz.
    public var sampleRate: Int
    public var channels: Int

    public init(codec: String, sampleRate: Int, channels: Int) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channels = channels
    }
}
