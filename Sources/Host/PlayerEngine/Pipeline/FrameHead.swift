// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// The next frame of one track, and where the track's presentation has come to.
///
/// Thread: `kit-present`.
final class FrameHead {
    let line: Line
    private var frame: Frame?
    /// When the next frame is to be presented; nil while there is none.
    private(set) var time: MediaTime?
    /// Microseconds the next frame lasts.
    private(set) var duration: Int64 = 0
    /// Where the newest presented frame ends; nil before the first.
    private(set) var presentedEnd: MediaTime?
    /// Nothing will follow.
    private(set) var isOver = false

    init(_ line: Line) {
        self.line = line
    }

    /// Whether it has nothing to present now although more is to come.
    var isMissing: Bool { time == nil && !isOver }

    /// Takes the next frame if there is none yet.
    ///
    /// - Returns: true when this showed that nothing will follow.
    func fill() -> Bool {
        guard isMissing else { return false }
        // The order matters: what was sent before the end was said must be found.
        let isExhausted = line.frames.load.isExhausted
        guard let next = line.frames.receive() else {
            isOver = isExhausted
            return isExhausted
        }
        time = next.time
        duration = next.duration
        frame = consume next
        return false
    }

    /// Hands the next frame over for presentation, then gives its shell back.
    func present(_ body: (borrowing Frame) -> Void) {
        guard let next = frame.take() else { return }
        body(next)
        presentedEnd = max(next.end, presentedEnd ?? next.end)
        release(next)
    }

    /// Leaves the next frame out.
    func drop() {
        guard let next = frame.take() else { return }
        presentedEnd = max(next.end, presentedEnd ?? next.end)
        release(next)
    }

    /// Begins a new stretch of the timeline.
    func forgetEnd() {
        presentedEnd = nil
    }

    private func release(_ frame: consuming Frame) {
        frame.clear()
        line.frames.recycle(frame)
        time = nil
    }
}
