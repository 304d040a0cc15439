// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// The next frame of one line, and where the presentation of the line's segment has come to.
///
/// Thread: `kit-present`.
final class FrameHead {
    let line: Line
    /// What the line carries; of the segment that is presented, before the first what was chosen at the opening.
    private(set) var track: Track
    private let control: PlaybackControl
    private var frame: Frame?
    /// The segment that is presented; nil before the first.
    private(set) var segment: Segment?
    /// When the next frame of the segment is to be presented; nil while there is none.
    private(set) var time: MediaTime?
    /// Microseconds the next frame lasts.
    private(set) var duration: Int64 = 0
    /// Where the newest presented frame of the segment ends; nil before the first.
    private(set) var presentedEnd: MediaTime?
    /// Nothing of the segment will follow.
    private(set) var isOver = false
    /// The line's failure has been seen: nothing of any segment will follow.
    private(set) var isDead = false

    init(_ line: Line, track: Track, control: PlaybackControl) {
        self.line = line
        self.track = track
        self.control = control
    }

    /// Whether it has nothing to present now although more is to come.
    var isMissing: Bool { time == nil && !isOver }

    /// Microseconds of media ahead of the presentation, as far as they wait in queues.
    var ahead: Int64 { (time == nil ? 0 : duration) + line.frames.load.duration + line.packets.load.duration }

    /// Takes the next frame if there is none yet.
    ///
    /// - Returns: true when this showed that nothing of the segment will follow.
    func fill() -> Bool {
        guard let segment else { return false }
        while isMissing {
            // The order matters: what was sent before the failure was said must be found.
            let hasFailed = line.hasFailed
            guard let next = line.frames.receive() else {
                guard hasFailed else { return false }
                isDead = true
                isOver = true
                return true
            }
            guard let origin = next.segment, origin.number >= segment.number else {
                abandon(next)
                continue
            }
            let isOurs = origin === segment
            let isEnd = next.isEnd
            if isOurs && isEnd {
                line.frames.recycle(next)
            } else {
                if isOurs {
                    time = next.time
                    duration = next.duration
                }
                frame = consume next
            }
            isOver = !isOurs || isEnd
            return isOver
        }
        return false
    }

    /// Leaves the segment for a newer one; a frame of that one is kept.
    ///
    /// - Returns: whether it carries another track.
    @discardableResult
    func enter(_ newer: Segment) -> Bool {
        let former = track
        track = newer.track(line.kind) ?? former
        move(to: newer)
        return track.index != former.index
    }

    private func move(to newer: Segment) {
        segment = newer
        presentedEnd = nil
        time = nil
        isOver = isDead || newer.track(line.kind) == nil
        guard let held = frame.take() else { return }
        guard let origin = held.segment, origin.number >= newer.number else { return abandon(held) }
        if origin === newer {
            if held.isEnd {
                isOver = true
                return line.frames.recycle(held)
            }
            time = held.time
            duration = held.duration
        } else {
            isOver = true
        }
        frame = consume held
    }

    /// Hands the next frame over for presentation, then gives its shell back.
    func present(_ body: (borrowing Frame) -> Void) {
        guard let next = frame.take() else { return }
        body(next)
        release(next)
    }

    /// Leaves the next frame out.
    func drop() {
        guard let next = frame.take() else { return }
        release(next)
    }

    /// The timeline goes on elsewhere.
    func goOn(at position: MediaTime) {
        presentedEnd = position
    }

    private func abandon(_ frame: consuming Frame) {
        if line.kind == .video && !frame.isEnd { control.skipped.add(1, ordering: .relaxed) }
        line.frames.recycle(frame)
    }

    private func release(_ frame: consuming Frame) {
        presentedEnd = max(frame.end, presentedEnd ?? frame.end)
        line.frames.recycle(frame)
        time = nil
    }
}
