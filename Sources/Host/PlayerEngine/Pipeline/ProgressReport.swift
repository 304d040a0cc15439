// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Tells the position every 100 ms of media time, and frame counts whenever they change.
///
/// Thread: `kit-present`.
struct ProgressReport {
    private let control: PlaybackControl
    /// What the present thread itself counts.
    var counts = FrameCounts()
    /// The position at which the next one is told; nil before the first frame.
    private(set) var next: MediaTime?
    private var toldBytes: Int64 = -1

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
        control.post(.position(position, buffered: buffered.map { max($0, position) }), at: now, position: position)
        if let due = next, position >= due {
            let steps = (position.microseconds - due.microseconds) / ProgressReport.interval + 1
            next = MediaTime(microseconds: due.microseconds + steps * ProgressReport.interval)
        }
        tellBytes(at: now)
        tellCounts(at: now)
    }

    mutating func tellCounts(at time: EventTime? = nil) {
        counts.decoded = control.decoded.load(ordering: .relaxed)
        counts.skipped = control.skipped.load(ordering: .relaxed)
        counts.droppedByDecoder = control.droppedByDecoder.load(ordering: .relaxed)
        control.post(.frames(counts), at: time)
    }

    private mutating func tellBytes(at time: EventTime) {
        let bytes = control.bytesRead.load(ordering: .relaxed)
        guard bytes > toldBytes else { return }
        toldBytes = bytes
        control.post(.bytes(read: bytes), at: time)
    }
}
