// SPDX-License-Identifier: Apache-2.0

/// What is known of a source once it is prepared. Unknown is nil, never zero.
public struct MediaDescription: Hashable, Sendable {
    /// The container's short name as libavformat has it.
    public var container: String
    /// nil for a live source and where the container does not tell, or tells what cannot be.
    public var duration: MediaTime?
    /// Whether a seek can be done at all.
    public var isSeekable: Bool
    /// nil if no video is played.
    public var video: VideoDescription?
    /// nil if no audio is played.
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
    /// libav's name of it.
    public var codec: String
    /// Pixels.
    public var width: Int
    /// Pixels.
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
    /// libav's name of it.
    public var codec: String
    /// Hertz.
    public var sampleRate: Int
    /// How many.
    public var channels: Int

    public init(codec: String, sampleRate: Int, channels: Int) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channels = channels
    }
}
