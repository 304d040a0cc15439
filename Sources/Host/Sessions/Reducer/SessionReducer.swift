// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// Turns the events of one session into its state, durations, stalls, seeks and outcome.
///
/// Pure: the same events give the same record, live and in replay. Every event must carry a time not before the former one's.
/// An event costs no allocation unless it opens or closes something that is listed.
package struct SessionReducer {
    /// What a session opened by playing on after the end takes over from the one before: the same player, still prepared.
    struct Continuation {
        var media: MediaDescription
        var isPresented: Bool
    }

    /// What holds on the machine whatever session is open.
    struct Surroundings {
        var isForeground = true
        var isSuppressed = false
        var network = NetworkType.unknown
    }

    package let session: SessionID
    let controller: ControllerID
    let request: PlayerEvent
    let start: EventTime
    /// What is read comes over no network: a file or a pipe of this machine.
    private let isLocal: Bool
    var lastTime: EventTime

    // Facts.
    var isIntended = false
    /// Once the user's intents are told, player states no longer stand for them.
    private var knowsIntent = false
    var isAttached = true
    /// A foreground owner came after there had been none.
    var wasTaken = false
    var surroundings: Surroundings
    var isPrepared: Bool { media != nil }
    private var wasActive = false
    var media: MediaDescription?
    private var isPresented: Bool
    private var hasShownFrame = false
    private var lastPosition: MediaTime?
    private var loading: Loading?
    private var seekBegan: EventTime?
    /// The seek was given up for another, whose begin follows.
    private var isSeekSuperseded = false
    /// A seek is done but the loading it caused is not.
    private var seekHoldsOn = false
    var isJoined = false

    // Figures.
    package private(set) var state = SessionState.idle
    private var segmentStart: EventTime
    private var segmentIsWatched = false
    var durations = StateDurations()
    /// Time in state seeking that somebody waited for.
    var watchedSeeking: Int64 = 0
    var slept: Int64 = 0
    var joinInvalid: SessionRecord.JoinInvalid?
    private var isWanted = false
    private var wantedSince: EventTime?
    var wasWanted = false
    var clickToFrame: Int64?
    var stallLedger = StallLedger()
    var duplicateBegins: Int64 = 0
    var orphanEnds: Int64 = 0
    var seeks = SessionRecord.Seeks()
    var loopCount: Int64 = 0
    var loopGaps: [Int64] = []
    var frames = SessionRecord.Frames()
    var slowDecoder = SlowDecoderLedger()
    var mediaLedger = MediaLedger()
    var delivery: DeliveryLedger
    var progress: ProgressProof
    var readyLedger = ReadyLedger()
    var stuckWatch: StuckWatch
    var pauseCount: Int64 = 0
    var errors: [SessionRecord.Failure] = []
    var hasFailed = false
    var isIncomplete = false
    var end: (state: SessionState, reason: SessionRecord.EndReason)?

    /// A loading that has begun and not ended.
    private struct Loading {
        var cause: LoadingCause
        /// So near the end of the media that it is no lack of data.
        var isAtEnd: Bool
    }

    /// - Parameter request: a `request` event with the session's number and opening time.
    init(request: PlayerEvent, surroundings: Surroundings, continuing: Continuation?) {
        session = request.session
        controller = request.controller
        self.request = request
        start = request.time
        isLocal = request.uniqueID.map { $0.hasPrefix("file:") || $0 == "url:-" || $0 == "url:pipe:0" } ?? false
        lastTime = request.time
        segmentStart = request.time
        stuckWatch = StuckWatch(start: request.time)
        self.surroundings = surroundings
        delivery = DeliveryLedger(isContinued: continuing != nil)
        progress = ProgressProof(continuing: continuing?.isPresented ?? false)
        media = continuing?.media
        isPresented = continuing?.isPresented ?? false
        settle(at: request.time)
    }

    /// Whether a terminal event came; nothing may follow it.
    package var isOver: Bool { end != nil }

    /// What a session that plays on after this one takes over; nil unless it was played to the end.
    var continuation: Continuation? {
        guard end?.reason == .completed, let media else { return nil }
        return Continuation(media: media, isPresented: isJoined)
    }

    /// Takes the next event.
    ///
    /// - Returns: the state after it.
    mutating func accept(_ event: PlayerEvent) -> SessionState {
        take(event)
        return state
    }

    private mutating func take(_ event: PlayerEvent) {
        lastTime = event.time
        stuckWatch.advance(to: event.time)
        stuckWatch.accept(event)
        mediaLedger.accept(event, duration: media?.duration)
        // Asked here: what it needs to know is large.
        if progress.isConfirmed != true { progress.accept(event, media: media, countsSound: !isVideoExpected) }
        // Most events are positions.
        guard event.type != .position else {
            lastPosition = MediaTime(known: event.values[0])
            slowDecoder.move(to: lastPosition, at: event.time)
            frames.noteOffset(event)
            stuckWatch.watch(state, duration: media?.duration, at: event.time)
            return
        }
        delivery.accept(event, network: isLocal ? .none : surroundings.network, purpose: purpose)
        readyLedger.accept(event)
        switch event.type {
        case .frames:
            let presented = frames.presented
            frames.count(event)
            if frames.presented ?? 0 > presented ?? 0 { slowDecoder.end(at: event.time) }
            return
        case .decoderSlow: return slowDecoder.begin(event, position: lastPosition)
        case .frameRate: return frames.noteRate(event)
        case .loadingBegin: return beginLoading(event)
        case .loadingEnd: return endLoading(at: event.time)
        case .seekBegin, .seekEnd, .seekSuperseded, .seekFailed: return seek(event)
        case .loop:
            // What was near the end is not any more.
            lastPosition = event.position
            loopCount = max(loopCount, event.value(0) ?? loopCount + 1)
            return
        case .loopGap:
            if let gap = event.count(0), loopGaps.count < SessionRecord.listLimit { loopGaps.append(gap) }
            return
        case .playIntent: intend(true)
        case .pauseIntent: intend(false)
        case .state: follow(event.playerState)
        case .attach:
            isAttached = true
            wasTaken = true
        case .detach: isAttached = false
        case .prepared: media = event.media
        case .firstVideoFrame where event.values[1] == 0:
            hasShownFrame = true
            isPresented = true
        case .firstAudio where !isVideoExpected: isPresented = true
        case .foreground: surroundings.isForeground = true
        case .background: surroundings.isForeground = false
        case .suppressed: surroundings.isSuppressed = event.values[0] != 0
        case .suspended: sleep(event.value(0))
        case .network: surroundings.network = event.network ?? .unknown
        case .error:
            note(event)
            if hasFailed { terminate(.failed, .error) }
        case .completed: terminate(.ended, .completed)
        case .stop: terminate(.stopped, SessionRecord.EndReason(event.stopReason ?? .user))
        case .sourceSwitch: terminate(.abandoned, .switch)
        case .evict: terminate(.abandoned, .evict)
        case .takenOver:
            // By a foreground owner, if there was none.
            if !isAttached { wasTaken = true }
            terminate(.abandoned, .takenOver)
        case .destroy: terminate(.abandoned, .destroy)
        default: return
        }
        settle(at: event.time)
    }

    /// A `request` for another session comes although nothing ended this one.
    mutating func supersede(at time: EventTime) {
        lastTime = time
        terminate(.abandoned, .switch)
        settle(at: time)
    }

    // MARK: Facts

    /// What is read at present for.
    private var purpose: SessionRecord.Bytes.Purpose {
        switch state {
        case .preloading, .preparedInBackground: .preload
        default: isPrepared ? .play : .probe
        }
    }

    /// Without a description of the media a picture is to be expected.
    private var isVideoExpected: Bool {
        guard let media else { return true }
        return media.video != nil || media.audio == nil
    }

    private mutating func intend(_ intent: Bool) {
        knowsIntent = true
        setIntent(intent)
    }

    private mutating func setIntent(_ intent: Bool) {
        if !intent, isIntended, state == .joining { invalidateJoin(.pause) }
        if !intent, isIntended, isJoined { pauseCount += 1 }
        isIntended = intent
    }

    /// A player's state ends the session, or stands for the user's intent where no intent is ever told.
    private mutating func follow(_ playerState: PlayerState?) {
        switch playerState {
        case .playing?:
            wasActive = true
            if !knowsIntent { setIntent(true) }
        case .paused?:
            wasActive = true
            if !knowsIntent { setIntent(false) }
        case .preparing?, .prepared?: wasActive = true
        case .completed?: terminate(.ended, .completed)
        case .stopped?: terminate(.stopped, .stopped)
        case .error?:
            hasFailed = true
            terminate(.failed, .error)
        case .idle?: if wasActive { terminate(.stopped, .idle) }
        case nil: break
        }
    }

    private mutating func note(_ event: PlayerEvent) {
        guard let (error, isFatal) = event.failure else { return }
        if isFatal { hasFailed = true }
        guard errors.count < SessionRecord.listLimit || isFatal else { return }
        errors.append(
            .init(
                code: event.value(0).map { _ in error.code.rawValue }, name: error.code.name, isFatal: isFatal,
                message: error.message, hint: error.hint, httpStatus: error.httpStatus.map(Int64.init)))
    }

    private mutating func terminate(_ state: SessionState, _ reason: SessionRecord.EndReason) {
        end = (state, reason)
        if self.state == .joining { invalidateJoin(hasFailed ? .error : .stop) }
    }

    private mutating func invalidateJoin(_ reason: SessionRecord.JoinInvalid) {
        if joinInvalid == nil { joinInvalid = reason }
    }

    /// The machine slept, which event time does not see: the span is added to the elapsed time and to nothing else.
    private mutating func sleep(_ span: Int64?) {
        guard let span, span > 0 else { return }
        let added = min(span, EventLimits.largest - slept)
        slept += added
        durations[.suspended] += added
    }

    // MARK: Loading

    private mutating func beginLoading(_ event: PlayerEvent) {
        guard loading == nil else {
            duplicateBegins += 1
            return
        }
        loading = Loading(
            cause: Int32(exactly: event.values[0]).flatMap(LoadingCause.init(rawValue:)) ?? .unknown,
            isAtEnd: event.flags.contains(.endOfFile) && isNearEnd(event.position ?? lastPosition))
        settle(at: event.time, stoppedAt: event.value(1).map(EventTime.init(microseconds:)))
    }

    private mutating func endLoading(at time: EventTime) {
        guard loading != nil else {
            orphanEnds += 1
            return
        }
        loading = nil
        seekHoldsOn = false
        settle(at: time)
        stallLedger.close()
    }

    /// Within a second of the end.
    private func isNearEnd(_ position: MediaTime?) -> Bool {
        guard let position, let duration = media?.duration, duration > .zero else { return false }
        return duration.microseconds - position.microseconds <= 1_000_000
    }

    private var isBuffering: Bool {
        guard let loading else { return false }
        return !loading.isAtEnd
    }

    // MARK: Seeking

    private mutating func seek(_ event: PlayerEvent) {
        switch event.type {
        case .seekBegin:
            seeks.requested += 1
            if seekBegan != nil, !isSeekSuperseded { seeks.superseded += 1 }
            seekBegan = event.time
            isSeekSuperseded = false
            if !isJoined { invalidateJoin(.seek) }
            settle(at: event.time)
            stallLedger.close()
            return
        case .seekSuperseded:
            guard seekBegan != nil, !isSeekSuperseded else { return }
            seeks.superseded += 1
            isSeekSuperseded = true
            return
        default: break
        }
        guard let began = seekBegan else { return }
        if !isSeekSuperseded, event.type == .seekFailed { seeks.failed += 1 }
        if !isSeekSuperseded, event.type == .seekEnd {
            seeks.completed += 1
            if seeks.latencies.count < SessionRecord.listLimit { seeks.latencies.append(event.time - began) }
            lastPosition = MediaTime(known: event.values[0])
        }
        seekBegan = nil
        isSeekSuperseded = false
        seekHoldsOn = isBuffering
        settle(at: event.time)
    }

    private var isSeeking: Bool {
        seekBegan != nil || seekHoldsOn || loading?.cause == .seekRecovery
    }

    // MARK: State

    /// Brings state and durations up to the facts, as of `time`.
    ///
    /// - Parameter stoppedAt: when the output really stopped, if a stall begins here.
    private mutating func settle(at time: EventTime, stoppedAt: EventTime? = nil) {
        let isWantedNow = isIntended && isAttached
        if isWantedNow, !isWanted {
            wantedSince = time
            wasWanted = true
        }
        isWanted = isWantedNow
        if clickToFrame == nil, hasShownFrame, isWanted, let wantedSince { clickToFrame = time - wantedSince }
        if !isJoined, end == nil, isPresented, isWanted, surroundings.isForeground, !isBuffering { isJoined = true }

        let next = resolve()
        guard next != state || segmentIsWatched != isWatched else { return }
        var moment = time
        if next == .stalled, state == .playing, let stoppedAt {
            moment = min(max(stoppedAt, segmentStart), time)
        }
        closeSegment(at: moment)
        if next != .playing { slowDecoder.end(at: moment) }
        if state == .stalled, next != .stalled { stallLedger.leave(at: moment) }
        if next == .stalled, state != .stalled {
            stallLedger.enter(
                at: moment, offset: moment - start, cause: loading?.cause ?? .unknown,
                kind: state == .playing ? .plain : .onResume)
        }
        if next.isTerminal { stallLedger.close() }
        state = next
        stuckWatch.watch(next, duration: media?.duration, at: time)
    }

    /// The first that holds: failed, stopped and ended outrank seeking, which outranks an absent owner, the join, suppression and buffering.
    private func resolve() -> SessionState {
        if let end { return end.state }
        if isJoined, isSeeking { return .seeking }
        if !isAttached { return isPrepared ? .preparedInBackground : .preloading }
        if !surroundings.isForeground { return .background }
        if !isJoined { return isIntended ? .joining : .joinPaused }
        if isIntended, surroundings.isSuppressed { return isBuffering ? .suppressedBuffering : .suppressed }
        if isBuffering { return isIntended ? .stalled : .pausedBuffering }
        return isIntended ? .playing : .paused
    }

    /// Books the time since the last change of state or intent.
    private mutating func closeSegment(at time: EventTime) {
        let span = time - segmentStart
        durations[state] += span
        if state == .seeking, segmentIsWatched { watchedSeeking += span }
        segmentStart = time
        segmentIsWatched = isWatched
    }

    /// Whether a seek is time that somebody waits for.
    private var isWatched: Bool { isIntended && surroundings.isForeground }

    /// Books everything up to `time`, for a record of a session that is still open.
    mutating func close(at time: EventTime) {
        lastTime = time
        stuckWatch.advance(to: time)
        closeSegment(at: time)
        if state == .stalled { stallLedger.leave(at: time) }
        stallLedger.close()
    }
}
