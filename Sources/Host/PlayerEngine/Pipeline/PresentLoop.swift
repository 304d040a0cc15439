// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Presents frames when they are due, and tells what the viewer gets.
///
/// The first picture is shown as soon as it is there; media time starts with it. A picture that is late by more than its own
/// duration, and by more than 100 ms, is left out if a newer one is waiting; otherwise it is shown late. Sound is never left out.
///
/// Thread: `kit-present`.
final class PresentLoop {
    let control: PlaybackControl
    let heads: [FrameHead]
    /// The source as it may be shown.
    let name: String
    let isRemote: Bool
    private let signal: any MediaSignal
    private let mayJump: Bool
    private let sinks: SinkGroup

    var timeline = Timeline(at: .zero)
    var hasStarted = false
    var isPlaying = false
    var isLoading = false
    /// Whether the underrun of now has been told.
    var hasToldUnderrun = false
    /// When waiting for the first frame began.
    private var waitingSince: EventTime?
    private var progress: ProgressReport
    private var videoSize: (width: Int, height: Int)?
    private var hasPlayedAudio = false

    /// How late a picture may be, in microseconds.
    private static let lateness: Int64 = 100_000
    /// How long sound waits for the first picture, in microseconds.
    private static let patience: Int64 = 1_000_000
    /// Microseconds until a loading is looked at again: packets that end it wake the decoders only.
    private static let loadingInterval: Int64 = 100_000
    /// A leap of the time stamps by more than this, in microseconds, is a break and not a pause.
    private static let leap: Int64 = 10_000_000

    init(
        _ lines: [Line], control: PlaybackControl, sinks: SinkFactory, name: String, signal: any MediaSignal,
        mayJump: Bool, isRemote: Bool
    ) {
        self.control = control
        self.heads = lines.map(FrameHead.init)
        self.name = name
        self.signal = signal
        self.mayJump = mayJump
        self.isRemote = isRemote
        self.sinks = SinkGroup(sinks, interrupt: control.interrupt) { control.post(.error($0, isFatal: false)) }
        progress = ProgressReport(control)
    }

    func run() {
        while !control.isEnding {
            for head in heads where head.fill() { finish(head) }
            guard !control.isEnding else { break }
            followIntent()
            if isLoading { endLoadingIfPossible() }
            advance()
        }
        sinks.end()
        signal.leave()
    }

    // MARK: Steps

    /// Does the next thing there is to do, or waits for it.
    private func advance() {
        guard isPlaying else { return signal.wait(until: nil) }
        let now = control.clock.now()
        guard !isLoading else { return signal.wait(until: now + PresentLoop.loadingInterval) }
        if !hasStarted && !heads.allSatisfy(\.isOver) {
            guard let first = firstHead(at: now) else {
                // When patience is at its end only a frame helps.
                let end = waitingSince.map { $0 + PresentLoop.patience }
                return signal.wait(until: end.flatMap { $0 > now ? $0 : nil })
            }
            return start(with: first, at: now)
        }
        if mayJump { followLeap(at: now) }
        if let due = dueHead(at: now) { return present(due, at: now) }
        let position = min(timeline.position(at: now), mediaEnd ?? .zero)
        progress.tell(position, buffered: buffered)
        if heads.allSatisfy(\.isOver) && position >= mediaEnd ?? .zero { return complete(at: position) }
        let starving = checkUnderrun(at: now)
        guard !isLoading else { return }
        signal.wait(until: nextMoment(starving: starving))
    }

    private func followIntent() {
        let wants = control.wantsPlay
        guard wants != isPlaying else { return }
        isPlaying = wants
        let now = control.clock.now()
        if wants {
            if hasStarted && !isLoading { timeline.run(from: now) }
            if !hasStarted { waitingSince = now }
        } else {
            timeline.stand(at: now)
            progress.tellNow(min(timeline.position(at: now), mediaEnd ?? .zero), buffered: buffered)
        }
        control.enter(wants ? .playing : .paused)
    }

    // MARK: First frame

    /// Whose frame starts the playback: the picture's, or the sound's if there will be no picture soon.
    private func firstHead(at now: EventTime) -> FrameHead? {
        let video = heads.first { $0.line.track.kind == .video && !$0.isOver }
        if let video, video.time != nil { return video }
        let mayPassVideo = video == nil || waitingSince.map { now - $0 >= PresentLoop.patience } ?? false
        return mayPassVideo ? heads.first { $0.line.track.kind == .audio && $0.time != nil } : nil
    }

    /// Starts media time where the earliest track starts, so that sound before the first picture is heard, and shows the first frame.
    private func start(with first: FrameHead, at now: EventTime) {
        guard let time = first.time else { return }
        let earliest = heads.compactMap { $0.time ?? $0.line.track.start }.min() ?? time
        let isNear = earliest < time && time.microseconds - earliest.microseconds <= PresentLoop.leap
        timeline = Timeline(at: isNear ? max(earliest, min(time, .zero)) : time)
        hasStarted = true
        progress.begin(at: timeline.position(at: now))
        progress.tell(timeline.position(at: now), buffered: buffered)
        present(first, at: now)
        timeline.run(from: control.clock.now())
    }

    // MARK: Presenting

    private func dueHead(at now: EventTime) -> FrameHead? {
        let earliest = presentable.min { ($0.time ?? .zero) < ($1.time ?? .zero) }
        guard let earliest, let time = earliest.time, let moment = timeline.moment(of: time), moment <= now else {
            return nil
        }
        return earliest
    }

    private func present(_ head: FrameHead, at now: EventTime) {
        switch head.line.track.kind {
        case .video: showVideo(head, at: now)
        case .audio: playAudio(head)
        }
    }

    private func showVideo(_ head: FrameHead, at now: EventTime) {
        guard let time = head.time else { return }
        let lateness = timeline.moment(of: time).map { now - $0 } ?? 0
        if videoSize != nil, !control.clock.skipsWaits, lateness > max(head.duration, PresentLoop.lateness),
            head.line.frames.load.count > 0
        {
            head.drop()
            progress.counts.droppedLate += 1
            return progress.tellCounts()
        }
        head.present { frame in
            sinks.show(frame, of: head.line.track)
            progress.counts.presented += 1
            // Told before the first picture, at which a session may end.
            progress.tellCounts()
            if videoSize == nil || videoSize! != (frame.width, frame.height) {
                control.post(.videoSize(width: frame.width, height: frame.height))
            }
            if videoSize == nil { control.post(.firstVideoFrame(pts: time), position: time) }
            videoSize = (frame.width, frame.height)
        }
    }

    private func playAudio(_ head: FrameHead) {
        guard let time = head.time else { return }
        head.present { sinks.play($0, of: head.line.track, gain: 1) }
        guard !hasPlayedAudio else { return }
        hasPlayedAudio = true
        control.post(.firstAudio(pts: time), position: time)
    }

    /// Frames that lie on this side of a break in the time stamps.
    private var presentable: [FrameHead] {
        heads.filter { $0.time != nil && !isBeyondBreak($0) }
    }

    private func isBeyondBreak(_ head: FrameHead) -> Bool {
        guard mayJump, let time = head.time, let end = head.presentedEnd else { return false }
        let leap = time.microseconds - end.microseconds
        return leap > PresentLoop.leap || leap < -PresentLoop.leap
    }

    /// Moves media time across a break once every track has come to it.
    private func followLeap(at now: EventTime) {
        let live = heads.filter { !$0.isOver }
        guard !live.isEmpty, live.allSatisfy(isBeyondBreak), let target = live.compactMap(\.time).min() else { return }
        timeline.jump(to: target, at: now)
        for head in live { head.forgetEnd() }
        progress.begin(at: target)
    }

    // MARK: Waiting and ending

    /// Where everything presented so far ends.
    private var mediaEnd: MediaTime? { heads.compactMap(\.presentedEnd).max() }

    private var buffered: MediaTime? {
        heads.filter { !$0.isOver }.compactMap(\.line.bufferedEnd).min() ?? mediaEnd
    }

    private func nextMoment(starving: EventTime?) -> EventTime? {
        var moments = [starving].compactMap { $0 }
        // A position that is not reached yet because nothing is there to present is nothing to wake up for.
        if let next = progress.next, next <= mediaEnd ?? .zero {
            moments += [timeline.moment(of: next)].compactMap { $0 }
        }
        moments += presentable.compactMap { $0.time.flatMap(timeline.moment) }
        if heads.allSatisfy(\.isOver), let end = mediaEnd.flatMap(timeline.moment) { moments.append(end) }
        return moments.min()
    }

    /// Tells what became of a track at its end.
    private func finish(_ head: FrameHead) {
        let track = head.line.track
        if let failure = head.line.failure {
            let isFatal = heads.allSatisfy { $0.line.failure != nil }
            if isFatal { control.fail(failure) } else { control.post(.error(failure, isFatal: false)) }
        } else if track.kind == .video && !head.line.hasDecoded {
            let error = PlayerError(
                .firstFrameMissing, "The \(track.codecName) decoder made no picture of \(name)",
                hint: "Check the file in another player; its video track may be damaged.")
            control.post(.error(error, isFatal: false))
        }
    }

    private func complete(at position: MediaTime) {
        progress.tellNow(position, buffered: buffered)
        if let failure = control.failure { return control.fail(failure) }
        // While what goes wrong can still be told.
        sinks.end()
        control.post(.completed, position: position)
        control.enter(.completed)
        control.end()
    }
}
