// SPDX-License-Identifier: Apache-2.0

/// Which of several tracks of a kind is wanted.
public struct TrackPreference: Hashable, Sendable {
    /// Of the video: the highest that is not above it, in pixels; nil: no limit.
    public var maxHeight: Int?
    /// Of the video: the highest that is not above it, in bits per second; nil: no limit.
    public var maxBitrate: Int64?
    /// Of the audio: as the container tags it, `en` also matches `eng` and `en-GB`; nil: the container's default.
    public var language: String?

    /// No preference.
    public init() {}

    /// Whether it says anything about the video.
    package var limitsVideo: Bool { maxHeight != nil || maxBitrate != nil }

    /// The highest rendition within the limits, else the lowest; nil if there is no limit to keep to.
    ///
    /// A track that does not tell its height or bitrate is within every limit, and chosen only if no other is.
    package func rendition(of candidates: [TrackInfo]) -> TrackInfo? {
        guard limitsVideo else { return nil }
        func rank(_ track: TrackInfo) -> (Int, Int64) { (track.height ?? 0, track.bitrate ?? 0) }
        let within = candidates.filter { track in
            (maxHeight.map { (track.height ?? 0) <= $0 } ?? true)
                && (maxBitrate.map { (track.bitrate ?? 0) <= $0 } ?? true)
        }
        return within.max { rank($0) < rank($1) } ?? candidates.min { rank($0) < rank($1) }
    }

    /// The first track in the language, nil if there is none or none is wanted.
    package func speech(of candidates: [TrackInfo]) -> TrackInfo? {
        guard let language else { return nil }
        return candidates.first { $0.language.map { Language($0).matches(Language(language)) } ?? false }
    }
}
