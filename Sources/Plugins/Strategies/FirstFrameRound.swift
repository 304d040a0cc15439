// SPDX-License-Identifier: Apache-2.0

internal import PluginABI
internal import PluginSupport

/// The way of one session to its first frame. All times are event time in microseconds; a moment nobody saw stays nil.
struct FirstFrameRound {
    let session: UInt32
    private var requested: Int64?
    private var preparing: Int64?
    private var prepared: Int64?
    private var firstFrame: Int64?
    private var firstAudio: Int64?
    /// Whether the media is known to have sound and no picture.
    private var isAudioOnly = false
    /// After a terminal state nothing is a first frame any more.
    private var isOver = false

    private var isIntended = false
    /// Since when the session, prepared and without a first frame, has had no play intent.
    private var waitingSince: Int64?
    private var waited: Int64 = 0

    init(session: UInt32) {
        self.session = session
    }

    /// Takes the next event of the session.
    ///
    /// - Returns: whether `record` is new or changed by it.
    mutating func accept(_ event: PluginEvent) -> Bool {
        guard !isOver else { return false }
        switch event.kind {
        case .request:
            requested = requested ?? event.time
        case .state where event.value(0) == Int64(KIT_STATE_PREPARING):
            preparing = preparing ?? event.time
        case .prepared where prepared == nil:
            prepared = event.time
            isAudioOnly = event.value(1) == nil && event.value(4) != nil
            waitingSince = isIntended ? nil : event.time
            return isAudioOnly && firstAudio != nil
        case .playIntent: intend(true, at: event.time)
        case .pauseIntent: intend(false, at: event.time)
        case .sessionState: follow(event)
        case .firstVideoFrame where firstFrame == nil && event.value(1) == Int64(KIT_FRAME_SHOWN):
            firstFrame = event.time
            closeWait(at: event.time)
            return true
        case .firstAudio where firstAudio == nil:
            firstAudio = event.time
            return firstFrame != nil || isAudioOnly
        default: break
        }
        return false
    }

    /// What is known so far.
    var record: PluginReport {
        let total = span(preparing, firstFrame)
        // Registered late it has not seen what the user wanted.
        let wait = isPartial ? nil : firstFrame.flatMap { _ in prepared.map { _ in waited } }
        var fields: [PluginReport.Field] = [
            .init("prepare_ms", .duration(span(preparing, prepared))),
            .init("render_ms", .duration(span(prepared, firstFrame))),
            .init("total_ms", .duration(total)),
            .init("user_wait_ms", .duration(wait)),
            .init("effective_ms", .duration(total.flatMap { total in wait.map { total &- $0 } })),
            .init("first_audio_ms", .duration(span(requested, firstAudio))),
        ]
        if isPartial { fields.append(.init("partial", .flag(true))) }
        return PluginReport(.record, session: session, name: "first_frame", fields: fields)
    }

    private var isPartial: Bool { requested == nil }

    private mutating func follow(_ event: PluginEvent) {
        guard let state = event.value(0) else { return }
        switch Int(state) {
        case KIT_SESSION_JOINING, KIT_SESSION_PLAYING, KIT_SESSION_STALLED: intend(true, at: event.time)
        case KIT_SESSION_JOIN_PAUSED, KIT_SESSION_PAUSED, KIT_SESSION_PAUSED_BUFFERING: intend(false, at: event.time)
        case KIT_SESSION_ENDED...: isOver = true
        default: break
        }
    }

    private mutating func intend(_ intent: Bool, at time: Int64) {
        guard intent != isIntended else { return }
        isIntended = intent
        if intent {
            closeWait(at: time)
        } else if prepared != nil, firstFrame == nil {
            waitingSince = time
        }
    }

    private mutating func closeWait(at time: Int64) {
        if let waitingSince { waited &+= time &- waitingSince }
        waitingSince = nil
    }

    /// Whole microseconds from one moment to a later one.
    private func span(_ start: Int64?, _ end: Int64?) -> Int64? {
        guard let start, let end, end >= start else { return nil }
        return end &- start
    }
}
