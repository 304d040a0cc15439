// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Media time stands until enough is there.
struct Buffering {
    /// Microseconds of media to be there.
    var goal: Int64
    var cause: LoadingCause
    var since: EventTime
    /// Whether it is a loading that users are told of: not so long as it is only the moment that a file takes to be read.
    var isTold: Bool
    /// Told last; rises only.
    var percent = 0
}

extension PresentLoop {
    /// How long an output may be dry, in microseconds, before that is an underrun.
    var grace: Int64 { control.clock.skipsWaits ? 1_000_000 : 40_000 }
    /// A line with nothing while another has this much more than is wanted, in microseconds, is sparse, not starved.
    private static let sparseness: Int64 = 1_000_000

    /// Why there may be nothing to present.
    var underrunCause: LoadingCause { setting.isRemote ? .network : .unknown }

    /// Begins loading if an output is dry because the source gives nothing, and tells it if the decoder is what is slow.
    ///
    /// - Returns: when to look again; nil if no output is dry or about to be.
    func checkUnderrun(at now: EventTime) -> EventTime? {
        var next: EventTime?
        var isAnyMissing = false
        for head in heads where head.isMissing {
            isAnyMissing = true
            guard let dry = head.presentedEnd.flatMap(timeline.moment) else { continue }
            guard now >= dry + grace else {
                next = min(next ?? dry + grace, dry + grace)
                continue
            }
            next = min(next ?? now + grace, now + grace)
            if isStarved(head) {
                tellUnderrun()
                control.post(.demuxUnderrun)
                beginBuffering(buffers.highBuffer, cause: underrunCause, stoppedAt: dry, isTold: true, at: now)
                return nil
            }
            if head.line.packets.load.count > 0 && !hasToldUnderrun {
                tellUnderrun()
                control.post(.decoderSlow(stoppedAt: dry))
            }
        }
        if !isAnyMissing { hasToldUnderrun = false }
        return next
    }

    /// Whether a line has nothing because the source gives nothing.
    func isStarved(_ head: FrameHead) -> Bool {
        head.line.packets.load.count == 0 && control.isReading.load(ordering: .relaxed) && !isSparse(head, beyond: 0)
    }

    /// Whether a line has nothing while another has much ahead.
    private func isSparse(_ head: FrameHead, beyond goal: Int64) -> Bool {
        head.line.packets.load.count == 0
            && heads.contains { !$0.isOver && $0.ahead >= goal + PresentLoop.sparseness }
    }

    /// Whether a line has been dry for some time while another has much ahead, or all that may be read.
    func isLeftBehind(_ head: FrameHead, at now: EventTime) -> Bool {
        guard head.isMissing, head.line.packets.load.count == 0,
            isSparse(head, beyond: 0) || !control.isReading.load(ordering: .relaxed)
        else { return false }
        return (head.presentedEnd ?? mediaEnd).flatMap(timeline.moment).map { now >= $0 + grace } ?? false
    }

    private func tellUnderrun() {
        guard !hasToldUnderrun else { return }
        hasToldUnderrun = true
        control.post(.outputUnderrun)
    }

    // MARK: Until enough is there

    func beginBuffering(
        _ goal: Duration, cause: LoadingCause, stoppedAt: EventTime? = nil, isTold: Bool, at now: EventTime
    ) {
        buffering = Buffering(goal: max(0, goal.wholeMicroseconds), cause: cause, since: now, isTold: isTold)
        // Before the first look: what comes after it is heard of.
        control.isHungry.store(true, ordering: .sequentiallyConsistent)
        updateClock(from: now)
        if isTold { tellLoading(cause, stoppedAt: stoppedAt) }
    }

    private func tellLoading(_ cause: LoadingCause, stoppedAt: EventTime?) {
        control.post(.loadingBegin(cause: cause, stoppedAt: stoppedAt))
        control.post(.loadingProgress(0))
    }

    /// Lets media time go on once enough is there; tells how much is until then.
    func checkBuffering(at now: EventTime) {
        guard let current = buffering else { return }
        let isReady = heads.allSatisfy { !$0.isMissing || $0.line.packets.load.count == 0 }
        if isReady && isBuffered(.microseconds(current.goal)) { return endBuffering() }
        guard current.isTold else {
            guard isPlaying, now >= current.since + grace else { return }
            buffering?.isTold = true
            return tellLoading(current.cause, stoppedAt: current.since)
        }
        let percent = min(99, Int(level(of: current.goal) * 100 / max(1, current.goal)))
        guard percent > current.percent else { return }
        buffering?.percent = percent
        control.post(.loadingProgress(percent))
    }

    private func endBuffering() {
        let isTold = buffering?.isTold ?? false
        buffering = nil
        hasToldUnderrun = false
        control.isHungry.store(false, ordering: .relaxed)
        if isTold {
            control.post(.loadingProgress(100))
            control.post(.loadingEnd)
        }
        updateClock(from: control.clock.now())
    }

    /// Something else makes media time stand from here on.
    func cutBuffering() {
        guard let current = buffering else { return }
        buffering = nil
        control.isHungry.store(false, ordering: .relaxed)
        if current.isTold { control.post(.loadingEnd) }
    }

    /// Whether so much media is there, or all that will be for now: the source is at its end, or the queues are full.
    func isBuffered(_ goal: Duration) -> Bool {
        guard control.isReading.load(ordering: .sequentiallyConsistent) else { return true }
        return level(of: goal.wholeMicroseconds) >= goal.wholeMicroseconds
    }

    /// Microseconds of media that every line has ahead, up to the goal.
    private func level(of goal: Int64) -> Int64 {
        var level = goal
        for head in heads where !head.isOver && !isSparse(head, beyond: goal) { level = min(level, head.ahead) }
        return max(0, level)
    }
}
