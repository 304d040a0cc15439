// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Presents frames when they are due, and tells what the viewer gets.
///
/// The first picture is shown as soon as it is there; media time starts once enough is buffered. A picture that is late by more than
/// its own duration, and by more than 100 ms, is left out if a newer one is waiting; otherwise it is shown late. Sound is never left out.
///
/// Sound leads: it is presented without gaps by its own time stamps, and pictures are timed against it. The outputs there are, files
/// and none, have no clock of their own, so media time runs with event time; one that has a clock would set `timeline` from it.
///
/// Thread: `kit-present`.
final class PresentLoop {
    /// What the source is like, and where playback ends.
    struct Setting: Sendable {
        /// The source as it may be shown.
        var name: String
        var isRemote: Bool
        /// Reading never waits for anybody.
        var isInstant: Bool
        /// Time stamps may jump, as those of broadcast streams do.
        var mayJump: Bool
        /// Where it is until the first frame.
        var start: MediaTime
        /// Moves back by what each pass of a loop has played.
        var end: PlaybackEnd?
        var endsAtFirstFrame: Bool
    }

    let control: PlaybackControl
    let heads: [FrameHead]
    var setting: Setting
    let buffers: PlayerConfiguration.Effective
    let signal: any MediaSignal
    let sinks: SinkGroup

    /// What is presented; nil before the first.
    var segment: Segment?
    var timeline: Timeline
    /// The next frame is the first of its segment, and there has not been one yet.
    var isAwaiting = true
    /// When waiting for the first frame of the segment began.
    var awaitingSince: EventTime?
    /// Where the pass before ended, if this one follows on it.
    var passEnd: MediaTime?
    /// When that was.
    var wrapMoment: EventTime?
    /// When playing was last paused; nil before.
    private var pausedAt: EventTime?
    /// A first frame has been presented.
    var hasStarted = false
    var isPlaying = false
    /// The move that playback waits for.
    var move: Move?
    /// Why media time stands until more is there.
    var buffering: Buffering?
    /// Whether the underrun of now has been told.
    var hasToldUnderrun = false
    var progress: ProgressReport
    var settings = PlaybackSettings()
    private var seenRevision = -1
    /// The picture that is shown, and whether the session has been told that it is for the viewer.
    var shown: (time: MediaTime, width: Int, height: Int)?
    var hasToldFirst = false
    var hasPlayedAudio = false
    private var hasToldMissing = false

    /// How late a picture may be, in microseconds.
    private static let lateness: Int64 = 100_000
    /// How long sound waits for the first picture, in microseconds.
    static let patience: Int64 = 1_000_000
    /// A leap of the time stamps by more than this, in microseconds, is a break and not a pause: in streams that have such, and in
    /// all others, where it is damage.
    static let leap: Int64 = 10_000_000
    static let absurdLeap: Int64 = 3_600_000_000
    /// Where they may jump, going back by more than this, in microseconds, is one as well: content does not go back.
    private static let setback: Int64 = 500_000
    /// How long a line that went back alone waits for the others to do so, in microseconds.
    private static let solitude: Int64 = 3_000_000

    init(
        _ lines: [(line: Line, track: Track)], control: PlaybackControl, sinks: SinkFactory, setting: Setting,
        signal: any MediaSignal
    ) {
        self.control = control
        self.heads = lines.map { FrameHead($0.line, track: $0.track, control: control) }
        self.setting = setting
        self.signal = signal
        buffers = control.configuration.effective
        timeline = Timeline(at: setting.start, rate: 1)
        self.sinks = SinkGroup(sinks, interrupt: control.interrupt) { control.post(.error($0, isFatal: false)) }
        progress = ProgressReport(control)
    }

    func run() {
        while !control.isEnding {
            follow()
            for head in heads where head.fill() { finish(head) }
            guard !control.isEnding else { break }
            advance()
            if setting.endsAtFirstFrame && hasPresentedFirst { stop(at: position(at: control.clock.now()), .until) }
        }
        sinks.end()
        signal.leave()
    }

    // MARK: Steps

    /// Does the next thing there is to do, or waits for it.
    private func advance() {
        let now = control.clock.now()
        if buffering != nil { checkBuffering(at: now) }
        let mayShow = isPlaying || (hasStarted ? move != nil : control.wantsPreview)
        guard segment != nil, mayShow else { return signal.wait(until: nil) }
        if isAwaiting { return awaitFirst(at: now) }
        guard move == nil else { return signal.wait(until: nil) }
        if let buffering { return signal.wait(until: buffering.isTold ? nil : buffering.since + grace) }
        followLeap(at: now)
        followPictures(at: now)
        if let due = dueHead(at: now) { return present(due, at: now) }
        if let end = setting.end, timeline.position(at: now) >= end.position { return come(to: end, at: now) }
        let end = mediaEnd ?? timeline.start
        let position = min(timeline.position(at: now), end)
        progress.tell(position, buffered: buffered)
        if heads.allSatisfy(\.isOver) && position >= end { return finishSegment(at: position) }
        let starving = checkUnderrun(at: now)
        guard buffering == nil else { return }
        signal.wait(until: nextMoment(from: position, starving: starving))
    }

    /// Takes up what has been asked for or has come of it since the last look.
    private func follow() {
        let revision = control.revision.load(ordering: .acquiring)
        guard revision != seenRevision else { return }
        seenRevision = revision
        let now = control.clock.now()
        followHandover(at: now)
        followSettings(at: now)
        followMoves(at: now)
        followIntent(at: now)
    }

    private func followSettings(at now: EventTime) {
        let wanted = control.settings
        if wanted.rate != settings.rate {
            timeline.set(rate: wanted.rate, at: now)
            control.post(.rate(wanted.rate), position: position(at: now))
        }
        if wanted.isMuted != settings.isMuted || wanted.volume != settings.volume {
            control.post(.mute(wanted.isMuted, volume: wanted.volume), position: position(at: now))
        }
        settings = wanted
    }

    private func followIntent(at now: EventTime) {
        let wants = control.wantsPlay
        guard wants != isPlaying else { return }
        isPlaying = wants
        updateClock(from: now)
        if wants {
            if isAwaiting { awaitingSince = now }
            tellFirst()
            // A pause is no gap.
            if let pausedAt, let moment = wrapMoment { wrapMoment = moment + (now - pausedAt) }
        } else {
            pausedAt = now
            progress.tellNow(position(at: now), buffered: buffered)
        }
        control.enter(wants ? .playing : .paused)
    }

    /// Lets media time run if nothing keeps it, else has it stand.
    func updateClock(from now: EventTime) {
        if isPlaying && !isAwaiting && move == nil && buffering == nil {
            timeline.run(from: now)
            if pictureMoment(until: now) == now { progress.run(from: now) }
        } else {
            progress.stand(at: pictureMoment(until: now) ?? now)
            timeline.stand(at: now)
        }
        control.tellsProgress.store(timeline.isRunning, ordering: .relaxed)
    }

    /// Where playback is, as it is told.
    func position(at now: EventTime) -> MediaTime {
        let position = timeline.position(at: now)
        return mediaEnd.map { min(position, max($0, timeline.start)) } ?? position
    }

    /// Whether the viewer has got what a session waits for first.
    private var hasPresentedFirst: Bool {
        shown != nil || hasPlayedAudio && !heads.contains { $0.line.kind == .video }
    }

    // MARK: Presenting

    private func dueHead(at now: EventTime) -> FrameHead? {
        var earliest: FrameHead?
        for head in heads {
            guard let time = presentationTime(of: head) else { continue }
            if earliest.flatMap(\.time).map({ time < $0 }) ?? true { earliest = head }
        }
        guard let earliest, let moment = earliest.time.flatMap(timeline.moment), moment <= now else { return nil }
        return earliest
    }

    func present(_ head: FrameHead, at now: EventTime) {
        switch head.line.kind {
        case .video: showVideo(head, at: now)
        case .audio: playAudio(head)
        }
    }

    private func showVideo(_ head: FrameHead, at now: EventTime) {
        guard let time = head.time, let track = segment?.track(.video) else { return }
        let lateness = timeline.moment(of: time).map { now - $0 } ?? 0
        if shown != nil, !control.clock.skipsWaits, lateness > max(head.duration, PresentLoop.lateness),
            head.line.frames.load.count > 0
        {
            head.drop()
            return progress.drop(at: now)
        }
        let offset = soundOffset(at: now, lateness)
        head.present { frame in
            sinks.show(frame, of: track)
            // Told before the first picture, at which a session may end.
            progress.show(at: now, soundOffset: offset)
            if shown == nil || shown!.width != frame.width || shown!.height != frame.height {
                control.post(.videoSize(width: frame.width, height: frame.height))
            }
            shown = (time, frame.width, frame.height)
            if isPlaying || move != nil {
                tellFirst()
            } else {
                control.post(.firstVideoFrame(pts: time, isPreview: true), position: time)
            }
        }
    }

    /// By how much sound is ahead of a picture that is so late: sound goes by media time. nil while none is heard, and where lateness says
    /// nothing.
    private func soundOffset(at now: EventTime, _ lateness: Int64) -> Int64? {
        guard timeline.isRunning, !control.clock.skipsWaits else { return nil }
        for head in heads where head.line.kind == .audio {
            guard let end = head.presentedEnd, !head.isOver else { return nil }
            return head.time != nil || end >= timeline.position(at: now) ? lateness : nil
        }
        return nil
    }

    private func playAudio(_ head: FrameHead) {
        guard let time = head.time, let track = segment?.track(.audio) else { return }
        head.present { sinks.play($0, of: track, gain: settings.isMuted ? 0 : settings.volume) }
        guard !hasPlayedAudio else { return }
        hasPlayedAudio = true
        control.post(.firstAudio(pts: time), position: time)
    }

    /// When the next frame of a line may be presented: nil if there is none, if it lies beyond a break in the time stamps, or
    /// beyond the end.
    private func presentationTime(of head: FrameHead) -> MediaTime? {
        guard let time = head.time, !isBeyondBreak(head) else { return nil }
        return setting.end.map { time < $0.position } ?? true ? time : nil
    }

    private func isBeyondBreak(_ head: FrameHead) -> Bool {
        guard let time = head.time, let end = head.presentedEnd else { return false }
        let step = time.microseconds - end.microseconds
        return setting.mayJump
            ? step > PresentLoop.leap || step < -PresentLoop.setback : abs(step) > PresentLoop.absurdLeap
    }

    /// Moves media time across a break once every line has come to it, or gives nothing more before it.
    private func followLeap(at now: EventTime) {
        var target: MediaTime?
        for head in heads where !head.isOver && !isLeftBehind(head, at: now) {
            guard isBeyondBreak(head), let time = head.time else { return endSolitude(at: now) }
            target = min(target ?? time, time)
        }
        guard let target, mediaEnd.map({ timeline.position(at: now) >= $0 }) ?? true else { return }
        timeline.jump(to: target, at: now)
        for head in heads { head.goOn(at: target) }
        progress.begin(at: target)
    }

    /// When a line that went back waits no more for the others; nil if it did not.
    private func solitudeEnd(of head: FrameHead) -> MediaTime? {
        guard isBeyondBreak(head), let time = head.time, let end = head.presentedEnd, time < end else { return nil }
        return MediaTime(microseconds: end.microseconds + PresentLoop.solitude)
    }

    private func endSolitude(at now: EventTime) {
        for head in heads {
            guard let end = solitudeEnd(of: head), timeline.position(at: now) >= end, let time = head.time else {
                continue
            }
            head.goOn(at: time)
        }
    }

    /// Has the seconds counted that are over.
    private func followPictures(at now: EventTime) {
        guard let moment = pictureMoment(until: now) else { return }
        if moment < now { progress.stand(at: moment) } else { progress.advance(to: now) }
    }

    /// Up to when there are pictures: now, or when the last one of the segment was over; nil if there are none, or time stands at its end.
    private func pictureMoment(until now: EventTime) -> EventTime? {
        for head in heads where head.line.kind == .video {
            guard head.isOver else { return now }
            return head.presentedEnd.flatMap(timeline.moment).map { min($0, now) }
        }
        return nil
    }

    // MARK: Waiting and ending

    /// Where everything presented so far of the segment ends.
    var mediaEnd: MediaTime? { heads.lazy.compactMap(\.presentedEnd).max() }

    var buffered: MediaTime? { control.bufferedPosition ?? mediaEnd }

    private func nextMoment(from position: MediaTime, starving: EventTime?) -> EventTime? {
        var next = starving
        func consider(_ position: MediaTime?) {
            guard let moment = position.flatMap(timeline.moment) else { return }
            next = min(next ?? moment, moment)
        }
        // A position that is not reached yet because nothing is there to present is nothing to wake up for.
        let end = mediaEnd ?? timeline.start
        if let next = progress.next, next <= end { consider(next) }
        for head in heads {
            consider(presentationTime(of: head))
            consider(solitudeEnd(of: head))
        }
        if position < end && heads.allSatisfy({ $0.isOver || isBeyondBreak($0) }) { consider(end) }
        consider(setting.end?.position)
        return next
    }

    /// Tells what became of a line at its end.
    private func finish(_ head: FrameHead) {
        let track = segment?.track(head.line.kind)
        if head.isDead, let failure = head.line.failure {
            let isFatal = heads.allSatisfy { $0.line.hasFailed }
            if isFatal { control.fail(failure) } else { control.post(.error(failure, isFatal: false)) }
        } else if head.line.kind == .video, !head.line.hasDecoded, !hasToldMissing, let track {
            hasToldMissing = true
            let error = PlayerError(
                .firstFrameMissing, "The \(track.codecName) decoder made no picture of \(setting.name)",
                hint: "Check the file in another player; its video track may be damaged.")
            control.post(.error(error, isFatal: false))
        }
    }
}
