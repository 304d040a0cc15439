// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// A stretch of packets that belong together: from the start, from where a move landed, or from a wrap. Each packet and frame carries its own.
///
/// Thread: any; it never changes.
final class Segment: Sendable {
    enum Cause: Sendable, Equatable {
        /// The source was opened.
        case start
        /// The move of this serial number landed: a seek, a change of track.
        case move(Int)
        /// The source came to its end and plays again.
        case wrap
    }

    /// Counts from 1.
    let number: Int
    let cause: Cause
    /// What lies before it is decoded and not presented; nil: the source says what is.
    let from: MediaTime?
    /// Whether its last picture is shown if all lie before `from`.
    let showsLast: Bool
    let video: Track?
    let audio: Track?

    init(
        _ number: Int, _ cause: Cause, from: MediaTime? = nil, showsLast: Bool = false, video: Track?, audio: Track?
    ) {
        self.number = number
        self.cause = cause
        self.from = from
        self.showsLast = showsLast
        self.video = video
        self.audio = audio
    }

    func track(_ kind: Track.Kind) -> Track? {
        switch kind {
        case .video: video
        case .audio: audio
        }
    }
}
