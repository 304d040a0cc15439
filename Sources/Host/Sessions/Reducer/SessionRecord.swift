// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// What the host knows of one session: a row of the report's `sessions`, without the strategies' parts.
///
/// Durations are microseconds of event time. Unknown is nil, never 0.
public struct SessionRecord: Hashable, Sendable {
    /// What became of the attempt.
    public enum Outcome: String, Sendable {
        case complete
        /// Left after it had joined.
        case partial
        /// Exit before video start: wanted, ended before it joined, no fatal error.
        case ebvs
        /// Video start failure: wanted, a fatal error before it joined.
        case vsf
        /// Video playback failure: a fatal error after it joined.
        case vpf
        /// Never wanted by a foreground owner.
        case notAnAttempt = "not_an_attempt"
    }

    /// Which event ended it.
    public enum EndReason: String, Sendable {
        case completed
        case stopped
        case until
        case previewEnd = "preview_end"
        case interrupted
        case error
        case idle
        case `switch`
        case evict
        case takenOver = "taken_over"
        case destroy
    }

    /// Why the join time means nothing.
    public enum JoinInvalid: String, Sendable {
        case seek
        case stop
        case error
        case pause
    }

    /// From the beginning of preparing to each step of the start, microseconds; nil where a step did not come, or the beginning was not
    /// seen.
    public struct ReadyLatency: Hashable, Sendable {
        public internal(set) var opened: Int64?
        /// Its tracks are known.
        public internal(set) var streamInfo: Int64?
        public internal(set) var firstPacket: Int64?
        public internal(set) var firstDecoded: Int64?
        public internal(set) var firstVideoFrame: Int64?
    }

    /// Seeks and how long they took.
    public struct Seeks: Hashable, Sendable {
        public internal(set) var requested: Int64 = 0
        public internal(set) var completed: Int64 = 0
        public internal(set) var superseded: Int64 = 0
        public internal(set) var failed: Int64 = 0
        /// Request to first presented frame of the completed ones; at most the first `listLimit`.
        public internal(set) var latencies: [Int64] = []
    }

    /// Pictures since the session began, as last told; nil where that was not told.
    public struct Frames: Hashable, Sendable {
        public internal(set) var decoded: Int64?
        public internal(set) var presented: Int64?
        public internal(set) var droppedLate: Int64?
        public internal(set) var droppedByDecoder: Int64?
        public internal(set) var skipped: Int64?
        /// The most that came too late without one that was shown between them.
        public internal(set) var maxConsecutiveDropped: Int64?
        /// How often an output had nothing because the decoder was slow, and how long in all, in microseconds.
        public internal(set) var slowDecoderCount: Int64 = 0
        public internal(set) var slowDecoderTime: Int64 = 0
        /// Pictures presented per second of playing; nil without video.
        public internal(set) var perSecond: Double?
        /// Millionths of pictures presented in each full second of playing.
        public internal(set) var rates = Distribution()
        /// Microseconds between sound and pictures when these were presented, whichever was ahead.
        public internal(set) var soundOffsets = Distribution()

        /// Late ones of those that were due; nil if none was.
        public var droppedRatio: Double? {
            guard let presented, let droppedLate, presented > 0 || droppedLate > 0 else { return nil }
            return Double(droppedLate) / (Double(presented) + Double(droppedLate))
        }
    }

    /// One encoding of the video, and how much was seen of it.
    public struct Rendition: Hashable, Sendable {
        /// The track's; nil if a log did not tell.
        public var id: String?
        /// In pixels; nil if it is not known.
        public var width: Int64?
        /// In pixels; nil if it is not known.
        public var height: Int64?
        /// Bits per second.
        public var bitrate: Int64?
        /// Microseconds of media presented.
        public var mediaTime: Int64 = 0
    }

    /// The renditions that were decoded. The first selection is no switch.
    public struct Renditions: Hashable, Sendable {
        public internal(set) var switches: Int64 = 0
        /// Switches to a better one, by bitrate, else by the size of the picture.
        public internal(set) var up: Int64 = 0
        public internal(set) var down: Int64 = 0
        /// In the order of their first use.
        public internal(set) var list: [Rendition] = []

        /// Bits per second, weighted with media time; nil if no rendition tells its bitrate.
        public var meanBitrate: Double? {
            var (bits, time) = (0.0, 0.0)
            for rendition in list {
                guard let bitrate = rendition.bitrate else { continue }
                bits += Double(bitrate) * Double(rendition.mediaTime)
                time += Double(rendition.mediaTime)
            }
            return time > 0 ? bits / time : nil
        }
    }

    /// What was read of the source.
    public struct Bytes: Hashable, Sendable {
        /// What something was read for.
        public enum Purpose: String, Sendable, CaseIterable {
            /// To find out what it is.
            case probe
            case play
            /// For nobody yet, who came later or may still come.
            case preload
            /// For somebody who never came.
            case wastedPreload = "wasted_preload"
        }

        /// nil until it was told.
        public internal(set) var read: Int64?
        public internal(set) var byNetwork: [NetworkType: Int64] = [:]
        /// nil where it was not told what had been read when the source was prepared.
        public internal(set) var byPurpose: [Purpose: Int64]?
        /// Bits per second, of stretches in which reading waited for the network.
        public internal(set) var throughput = Distribution()
    }

    /// A time in which nothing moved although something should have.
    public struct Stuck: Hashable, Sendable {
        /// What did not move.
        public enum Kind: String, Sendable, CaseIterable {
            /// Wanted and waiting for data, and nothing was loaded for 20 s.
            case buffering
            /// Playing, and the position stood still for 10 s.
            case playing
            /// Playing at or past the media's duration for 60 s.
            case notEnding = "not_ending"
            /// Forbidden by something outside for 10 minutes.
            case suppressed
        }

        /// What did not move.
        public var kind: Kind
        /// Microseconds since the request: when it last moved.
        public var start: Int64
        /// Microseconds until it moved again or was over.
        public var duration: Int64
    }

    /// An error of the player.
    public struct Failure: Hashable, Sendable {
        /// nil if a log did not tell.
        public var code: Int32?
        /// Of the code; empty if a log did not tell.
        public var name: String
        /// Whether it ended the session.
        public var isFatal: Bool
        /// What failed, on what.
        public var message: String
        /// What to try; empty if there is nothing.
        public var hint: String
        /// What a server answered; nil if that is not what failed.
        public var httpStatus: Int64?
    }

    /// Lists hold this many entries at most: a bound for endless sessions and hostile logs. Counts go on.
    public static let listLimit = 1000

    public internal(set) var session: SessionID
    public internal(set) var controller: ControllerID
    public internal(set) var continuedFrom: SessionID?
    public internal(set) var source: String?
    public internal(set) var uniqueID: String?
    public internal(set) var player: Int64?
    public internal(set) var instance: PlayerInstanceKind
    public internal(set) var outcome: Outcome
    /// nil while it is open, and for a log that ends without saying.
    public internal(set) var endReason: EndReason?
    /// nil until it was prepared.
    public internal(set) var media: MediaDescription?
    public package(set) var elapsed: Int64
    /// Time with play intent: playing, joining, stalled, seeking.
    public internal(set) var watched: Int64
    public internal(set) var join: Int64?
    public internal(set) var joinInvalid: JoinInvalid?
    public internal(set) var clickToFrame: Int64?
    /// Whether the position moved by a picture's duration at least after the first picture or, without video, the first sound; nil as long as
    /// neither came, or no position was told since.
    public internal(set) var isConfirmed: Bool?
    public internal(set) var readyLatency: ReadyLatency
    /// Time that was watched and not played, over watched time; nil if nothing was watched.
    public internal(set) var waitRatio: Double?
    /// Microseconds of media presented, loops again, jumps not; nil if no position was told.
    public internal(set) var mediaTime: Int64?
    /// The furthest position over the duration, 0 to 1; nil without a plausible duration.
    public internal(set) var completion: Double?
    /// How often the user paused once it had joined.
    public internal(set) var pauseCount: Int64
    public internal(set) var states: StateDurations
    public internal(set) var stalls: StallRecord
    public internal(set) var seeks: Seeks
    /// How often the source began again.
    public internal(set) var loopCount: Int64
    /// Microseconds of playing from the end of a pass to the first picture of the next, at most the first `listLimit`; nil if it wrapped and
    /// that was not told.
    public internal(set) var loopGaps: [Int64]?
    public internal(set) var frames: Frames
    public internal(set) var renditions: Renditions
    public internal(set) var bytes: Bytes
    /// Attempts to connect or read again.
    public internal(set) var retries: Int64
    /// Why it tried again last; nil if it did not, or that was not told. Not in the report.
    public internal(set) var retryReason: String?
    /// How often the source was opened after the first time.
    public internal(set) var reopens: Int64
    public internal(set) var stuck: [Stuck]
    public internal(set) var errors: [Failure]
    /// Events were lost on the way, so the figures may be wrong.
    public internal(set) var isIncomplete: Bool

    /// What is wrong with the record itself: that its states do not sum to its elapsed time, which is a defect of the reducer. nil for all others.
    package var defect: String? {
        guard states.sum != elapsed else { return nil }
        return
            "the states of session \(session.rawValue) sum to \(states.sum) µs and it lasted \(elapsed): its times are wrong. Please report this with an event log."
    }
}
