// SPDX-License-Identifier: Apache-2.0

/// How a player buffers, reaches the network and decodes.
///
/// A field that is nil takes the value of `scene`, else the default; one that is set wins over both. `effective` says what is in force.
public struct PlayerConfiguration: Hashable, Sendable {
    /// What kind of content is played; chooses the buffers.
    public enum Scene: String, Hashable, Sendable, CaseIterable {
        /// Films: longer than 30 minutes.
        case long
        /// 5 to 30 minutes.
        case medium
        /// Up to 5 minutes, as in a feed.
        case short
        /// Live streams: little latency before few stalls.
        case live
    }

    /// One header of an HTTP request. Its value may be a secret and is never logged.
    public struct HTTPHeader: Hashable, Sendable {
        /// Without the colon.
        public var name: String
        /// May be a secret.
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Chooses the buffers that are not set; nil: the defaults, or what the scene type of the model chooses.
    public var scene: Scene?
    /// Media buffered before the clock starts, at most `highBuffer`.
    public var startBuffer: Duration?
    /// Media buffered before a loading ends, at most `maxBuffer`.
    public var highBuffer: Duration?
    /// Media read ahead at most.
    public var maxBuffer: Duration?
    /// Bytes of packets read ahead at most, whatever their duration.
    public var maxBufferBytes: Int?
    /// The longest that one network operation may take; fewer than 30 bytes a second over that time are as good as none.
    public var networkTimeout: Duration?
    /// How often a network operation that failed is tried again; 0 is never.
    public var networkRetryCount: Int?
    /// The time between two such tries.
    public var networkRetryInterval: Duration?
    /// The `Referer` header of HTTP requests; nil: none is sent.
    public var referer: String?
    /// The `User-Agent` header of HTTP requests; nil: the player's own.
    public var userAgent: String?
    /// Sent with every HTTP request of the source. `Authorization`, `Cookie` and `Proxy-Authorization` go to its own server only, not to
    /// others that redirects and playlists lead to.
    public var httpHeaders: [HTTPHeader] = []
    /// Plays without its video, which is then not decoded.
    public var isVideoDisabled = false
    /// Plays without its audio, which is then not decoded.
    public var isAudioDisabled = false
    /// Playback ends at this media position with the reason `previewEnd`.
    public var previewTime: Duration?
    /// Threads that decode video, 1 to 16; nil: as many as the machine has processors, up to 16.
    public var decoderThreads: Int?
    /// Which tracks are chosen when the source is opened.
    public var preferredTracks = TrackPreference()

    public init() {}
}
