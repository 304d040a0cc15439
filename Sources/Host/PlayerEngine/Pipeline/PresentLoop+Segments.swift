// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// How a segment is entered, begins and ends.
extension PresentLoop {
    // MARK: Moves

    func followMoves(at now: EventTime) {
        if let order = control.takeUpRequests(at: position(at: now)) {
            move = order
            cutBuffering()
            updateClock(from: now)
        }
        let (order, failure, landed) = control.outcome
        move = order
        if let order, let failure {
            control.settleMove()
            move = nil
            if order.isSeek { control.post(.seekFailed(failure), position: position(at: now)) }
            updateClock(from: now)
        }
        if let landed, landed.number > segment?.number ?? 0 { enter(landed, at: now) }
    }

    private func enter(_ newer: Segment, at now: EventTime) {
        segment = newer
        for head in heads where head.enter(newer) {
            control.post(.trackChanged(head.track.info))
            if head.line.kind == .video { control.post(.rendition(head.track.info)) }
        }
        isAwaiting = true
        awaitingSince = now
        wrapMoment = nil
        passEnd = nil
        hasToldUnderrun = false
        updateClock(from: now)
    }

    // MARK: The first frame

    /// Presents the first frame of the segment once it is there.
    func awaitFirst(at now: EventTime) {
        // A newer move is on its way: this segment is for nobody.
        if let move, segment?.cause != .move(move.serial) { return signal.wait(until: nil) }
        if let first = firstHead(at: now) { return begin(with: first, at: now) }
        if heads.allSatisfy(\.isOver) { return beginWithNothing(at: now) }
        var deadline = awaitingSince.map { $0 + PresentLoop.patience }
        if let wrapMoment, buffering == nil {
            let end = wrapMoment + grace
            if now < end {
                deadline = min(deadline ?? end, end)
            } else if heads.contains(where: { $0.isMissing && isStarved($0) }) {
                control.post(.outputUnderrun)
                control.post(.demuxUnderrun)
                beginBuffering(buffers.highBuffer, cause: .loop, stoppedAt: wrapMoment, isTold: true, at: now)
            }
        }
        // When patience is at its end only a frame helps.
        signal.wait(until: deadline.flatMap { $0 > now ? $0 : nil })
    }

    /// Whose frame begins the segment: the picture's, or the sound's if there will be no picture soon.
    private func firstHead(at now: EventTime) -> FrameHead? {
        let video = heads.first { $0.line.kind == .video && !$0.isOver }
        if let video, video.time != nil { return video }
        let mayPassVideo = video == nil || awaitingSince.map { now - $0 >= PresentLoop.patience } ?? false
        return mayPassVideo ? heads.first { $0.line.kind == .audio && $0.time != nil } : nil
    }

    private func begin(with first: FrameHead, at now: EventTime) {
        guard let time = first.time, let segment else { return }
        let position = position(of: segment, with: time, lasting: first.duration)
        isAwaiting = false
        if let passEnd { setting.end?.count(from: passEnd, to: position) }
        passEnd = nil
        timeline = Timeline(at: position, rate: settings.rate)
        progress.begin(at: position)
        progress.tell(position, buffered: buffered)
        if let end = setting.end, position >= end.position {
            return settle(at: position)
        }
        let isShort = segment.cause != .wrap && !isBuffered(buffers.startBuffer)
        let isResumed = hasStarted
        hasStarted = true
        if isShort && !isResumed {
            beginBuffering(buffers.startBuffer, cause: underrunCause, isTold: !setting.isInstant, at: now)
        }
        if first.line.kind == .video || isPlaying { present(first, at: now) }
        if !isResumed { control.start() }
        settle(at: time)
        if isShort && isResumed && isPlaying {
            beginBuffering(buffers.startBuffer, cause: .seekRecovery, isTold: !setting.isInstant, at: now)
        }
        if let wrapMoment { tellGap(since: wrapMoment, at: now, position: time) }
        let start = wrapMoment.flatMap { now - $0 <= grace ? $0 : nil } ?? control.clock.now()
        wrapMoment = nil
        updateClock(from: start)
    }

    /// Tells how long nothing was presented at a wrap. What was too long and no loading, for whatever reason, is told as one.
    private func tellGap(since wrapMoment: EventTime, at now: EventTime, position: MediaTime) {
        control.post(.loopGap(now - wrapMoment), at: now, position: position)
        guard now - wrapMoment > grace, buffering == nil else { return }
        beginBuffering(.zero, cause: .loop, stoppedAt: wrapMoment, isTold: true, at: now)
    }

    /// Nothing of the segment is to be presented: it lies beyond the end.
    private func beginWithNothing(at now: EventTime) {
        isAwaiting = false
        wrapMoment = nil
        if let from = segment?.from {
            let end = control.published.duration.map { min(from, $0) } ?? from
            timeline = Timeline(at: end, rate: settings.rate)
            progress.begin(at: end)
            settle(at: end)
        }
        updateClock(from: now)
    }

    /// The move is done.
    private func settle(at time: MediaTime) {
        guard let done = move else { return }
        control.settleMove()
        move = nil
        if done.isSeek { control.post(.seekEnd(at: time), position: time) }
    }

    /// Where media time is when the segment begins: where its earliest line begins, so that sound before the first picture is heard,
    /// but not before where the segment is to begin.
    private func position(of segment: Segment, with time: MediaTime, lasting duration: Int64) -> MediaTime {
        var earliest = time
        for head in heads where !head.isOver {
            guard let start = head.time ?? segment.from ?? segment.track(head.line.kind)?.start else { continue }
            earliest = min(earliest, start)
        }
        if let from = segment.from {
            // All that is left lies before: its last picture has been and is shown once more.
            guard time >= from || earliest >= from || !segment.showsLast else {
                return max(earliest, min(from, MediaTime(microseconds: time.microseconds + duration)))
            }
            return max(earliest, from)
        }
        let leap = setting.mayJump ? PresentLoop.leap : PresentLoop.absurdLeap
        let isNear = earliest < time && time.microseconds - earliest.microseconds <= leap
        return isNear ? max(earliest, min(time, .zero)) : time
    }

    // MARK: The end

    /// Everything of the segment has been presented: what follows on it comes next, or nothing.
    func finishSegment(at position: MediaTime) {
        if control.settings.loop.allows(control.wrapCount.load(ordering: .relaxed)), let segment,
            let next = control.wrap(after: segment)
        {
            return wrap(to: next, from: position)
        }
        guard let segment, control.complete(segment) else { return signal.wait(until: nil) }
        progress.tellNow(position, buffered: buffered)
        if let failure = control.failure { return control.fail(failure) }
        while !control.close(in: .completed) { followHandover(at: control.clock.now()) }
        // While what goes wrong can still be told.
        sinks.end()
        control.post(.completed, position: position)
        control.enter(.completed)
        control.end()
    }

    private func wrap(to next: Segment, from position: MediaTime) {
        let now = control.clock.now()
        progress.tellNow(position, buffered: buffered)
        wrapMoment = timeline.moment(of: position) ?? now
        passEnd = position
        let count = control.wrapCount.add(1, ordering: .relaxed).newValue
        control.post(.loop(count: Int64(count)), position: position)
        segment = next
        for head in heads { head.enter(next) }
        isAwaiting = true
        awaitingSince = now
        updateClock(from: wrapMoment ?? now)
    }

    /// Media time has come to where the model says that playback ends. What lies before it is still presented: what has been read
    /// however long it takes, what has not if it comes soon.
    func come(to end: PlaybackEnd, at now: EventTime) {
        let limit = (timeline.moment(of: end.position) ?? now) + grace
        var isAwaited = false
        for head in heads where head.isMissing && head.presentedEnd.map({ $0 < end.position }) ?? true {
            if head.line.packets.load.count > 0 { return signal.wait(until: nil) }
            isAwaited = true
        }
        if isAwaited && now < limit { signal.wait(until: limit) } else { stop(at: end.position, end.reason) }
    }

    func stop(at position: MediaTime, _ reason: StopReason) {
        control.tellsProgress.store(true, ordering: .relaxed)
        progress.tellNow(position, buffered: buffered)
        while !control.close(in: .stopped) { followHandover(at: control.clock.now()) }
        sinks.end()
        control.post(.stop(reason), position: position)
        control.enter(.stopped)
        control.end()
    }
}
