// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Tells the position every 100 ms of media time, and frame counts whenever they change.
///
/// Thread: `kit-present`.
struct ProgressReport {
    private let control: PlaybackControl
    /// What the present thread itself counts.
    private(set) var counts = FrameCounts(maxConsecutiveDropped: 0)
    /// What sessions before have been told; the counts of this one begin there.
    private var former = FrameCounts()
    /// Pictures left out since the last one that was shown.
    private var dropped: Int64 = 0
    private var rate = FrameRateMeter()
    /// By how much sound was ahead of the newest picture, until it is told.
    private var soundOffset: Int64?
    /// The position at which the next one is told; nil before the first frame.
    private(set) var next: MediaTime?

    private static let interval: Int64 = 100_000

    init(_ control: PlaybackControl) {
        self.control = control
    }

    /// Media time starts, or goes on elsewhere.
    mutating func begin(at position: MediaTime) {
        next = position
    }

    /// Tells the position if it is time to.
    mutating func tell(_ position: MediaTime, buffered: @autoclosure () -> MediaTime?) {
        guard let due = next, position >= due else { return }
        tellNow(position, buffered: buffered())
    }

    mutating func tellNow(_ position: MediaTime, buffered: MediaTime?) {
        control.publish(position: position)
        // One moment, one reading of the clock, which costs more than the posting.
        let now = control.clock.now()
        control.post(
            .position(position, buffered: buffered.map { max($0, position) }, soundOffset: soundOffset.take()),
            at: now, position: position)
        if let due = next, position >= due {
            let steps = (position.microseconds - due.microseconds) / ProgressReport.interval + 1
            next = MediaTime(microseconds: due.microseconds + steps * ProgressReport.interval)
        }
        control.tellBytes(at: now)
        tellCounts(at: now)
    }

    // MARK: Pictures

    /// A picture is shown.
    ///
    /// - Parameter soundOffset: by how many microseconds sound is ahead of it; nil if that is not known.
    mutating func show(at now: EventTime, soundOffset: Int64?) {
        counts.presented += 1
        dropped = 0
        self.soundOffset = soundOffset ?? self.soundOffset
        rate.show()
        tellCounts(at: now)
    }

    /// A picture is left out because it is late.
    mutating func drop(at now: EventTime) {
        counts.droppedLate += 1
        dropped += 1
        counts.maxConsecutiveDropped = max(counts.maxConsecutiveDropped ?? 0, dropped)
        tellCounts(at: now)
    }

    /// Pictures are presented as time passes from here on.
    mutating func run(from now: EventTime) {
        rate.run(from: now)
    }

    /// Time has come to a moment; pictures that are presented then are told of afterwards.
    mutating func advance(to now: EventTime) {
        rate.advance(to: now) { [control] presented, seconds in
            control.post(.frameRate(presented: presented, seconds: seconds), at: now)
        }
    }

    /// Nothing is presented for the time being.
    mutating func stand(at now: EventTime) {
        advance(to: now)
        rate.stand(at: now)
    }

    private mutating func tellCounts(at time: EventTime? = nil) {
        counts.decoded = control.decoded.load(ordering: .relaxed)
        counts.skipped = control.skipped.load(ordering: .relaxed)
        counts.droppedByDecoder = control.droppedByDecoder.load(ordering: .relaxed)
        control.post(.frames(counts - former), at: time)
    }

    /// What happens from here on is told to another session, after the last figures of this one.
    mutating func beginSession() {
        former = counts
        former.maxConsecutiveDropped = nil
        counts.maxConsecutiveDropped = 0
        dropped = 0
        soundOffset = nil
        rate = FrameRateMeter()
        control.reading.beginSession()
    }
}

extension FrameCounts {
    /// What has come since others were counted; the most in a row is of this session alone.
    fileprivate static func - (counts: FrameCounts, former: FrameCounts) -> FrameCounts {
        FrameCounts(
            decoded: counts.decoded - former.decoded, presented: counts.presented - former.presented,
            droppedLate: counts.droppedLate - former.droppedLate,
            droppedByDecoder: counts.droppedByDecoder - former.droppedByDecoder,
            skipped: counts.skipped - former.skipped, maxConsecutiveDropped: counts.maxConsecutiveDropped)
    }
}
