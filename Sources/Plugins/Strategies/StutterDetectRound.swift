// SPDX-License-Identifier: Apache-2.0

internal import PluginABI
internal import PluginSupport

/// The stutters of one session. All times are event time in microseconds; a moment nobody saw stays nil.
struct StutterDetectRound {
    /// Times beyond it are none; below it no sum overflows.
    private static let timeLimit: Int64 = 1 << 61

    /// Stutters from a length on.
    private struct Tally {
        let threshold: Int64
        var count: Int64 = 0
        var total: Int64 = 0

        mutating func add(_ duration: Int64) {
            guard duration >= threshold else { return }
            count += 1
            total += duration
        }
    }

    let session: UInt32
    private(set) var isOver = false
    private var hasCompleted = false

    private var requested: Int64?
    private var prepared: Int64?
    private var hasShownFrame = false
    private var hasPlayedAudio = false
    /// Whether the media is known to have sound and no picture.
    private var isAudioOnly = false

    /// The intent told last.
    private var intent: Bool?
    /// What the player's state says; nil until one tells of playing or of a pause.
    private var isPlayerPlaying: Bool?
    private var isLoading = false
    /// Since when a stutter has been open.
    private var stutterBegan: Int64?

    /// The time of the newest event that was not replayed; nothing before the first of them is known to be play.
    private var now: Int64?
    private var validPlay: Int64 = 0
    private var tally: Tally
    /// Of thresholds besides the first.
    private var others: [Tally]
    private var listed = 0

    init(session: UInt32, threshold: Int64, others: [Int64]) {
        self.session = session
        tally = Tally(threshold: threshold)
        self.others = others.map { Tally(threshold: $0) }
    }

    /// The round that `event`, its first, opens.
    ///
    /// A session that plays on after the end of the former one is prepared and shows its picture from the start.
    init(opening event: PluginEvent, after former: StutterDetectRound) {
        self.init(
            session: event.session, threshold: former.tally.threshold, others: former.others.map(\.threshold))
        guard
            former.hasCompleted, event.kind == .request, event.value(2) == Int64(KIT_INSTANCE_PRE_RENDERED),
            event.value(3) == Int64(former.session)
        else { return }
        if former.prepared != nil { prepared = StutterDetectRound.bounded(event.time) }
        hasShownFrame = former.hasShownFrame
        hasPlayedAudio = former.hasPlayedAudio
        isAudioOnly = former.isAudioOnly
    }

    /// Takes the next event of the session, which must not be over.
    ///
    /// - Returns: the stutter that ended with it, if one did.
    mutating func accept(_ event: PluginEvent) -> PluginReport? {
        let time = advance(to: event)
        switch event.kind {
        case .request: requested = requested ?? time
        case .prepared where prepared == nil:
            prepared = time
            isAudioOnly = event.value(1) == nil && event.value(4) != nil
        case .firstVideoFrame where event.value(1) == Int64(KIT_FRAME_SHOWN):
            hasShownFrame = true
        case .firstAudio: hasPlayedAudio = true
        case .playIntent: intent = true
        case .pauseIntent: intent = false
        case .state: follow(event.value(0))
        case .loadingBegin:
            isLoading = true
            if isPresented { stutterBegan = stutterBegan ?? time }
        case .loadingEnd:
            isLoading = false
            return closeStutter(at: time)
        case .sessionState:
            guard let state = event.value(0), state >= Int64(KIT_SESSION_ENDED) else { return nil }
            isOver = true
            hasCompleted = state == Int64(KIT_SESSION_ENDED)
            return closeStutter(at: time)
        default: break
        }
        return nil
    }

    /// The figures as if the session ended with its last event.
    var records: [PluginReport] {
        let open = stutterBegan.flatMap { start in now.map { max(0, $0 - start) } }
        func fields(_ tally: Tally) -> [PluginReport.Field] {
            var tally = tally
            if let open { tally.add(open) }
            return [
                .init("threshold_ms", .duration(tally.threshold)), .init("count", .int(tally.count)),
                .init("total_ms", .duration(tally.total)),
            ]
        }
        var main = fields(tally)
        main += [
            .init("stay_ms", .duration(prepared.flatMap { start in now.map { max(0, $0 - start) } })),
            .init("valid_play_ms", .duration(validPlay)),
        ]
        // Registered after the request, it has not seen all of the session.
        if requested == nil { main.append(.init("partial", .flag(true))) }
        return [PluginReport(.record, session: session, name: "stutter", fields: main)]
            + others.map { tally in
                PluginReport(
                    .record, session: session, name: StutterDetectRound.name(of: tally.threshold),
                    fields: fields(tally))
            }
    }

    /// `from_500_ms`; `from_0_250_ms` for a quarter of one.
    private static func name(of threshold: Int64) -> String {
        let (whole, part) = threshold.quotientAndRemainder(dividingBy: 1000)
        return part == 0 ? "from_\(whole)_ms" : "from_\(whole)_\(String(part + 1000).dropFirst())_ms"
    }

    /// From here on a loading is a stutter.
    private var isPresented: Bool {
        hasShownFrame || (isAudioOnly && hasPlayedAudio)
    }

    /// As the player's state says or, where none is told, the user's intent; never once a pause was asked for.
    private var isPlaying: Bool {
        intent != false && (isPlayerPlaying ?? (intent == true))
    }

    /// Counts the time that has passed and tells what time it is.
    private mutating func advance(to event: PluginEvent) -> Int64 {
        let time = StutterDetectRound.bounded(event.time)
        guard event.flags & UInt32(KIT_EVENT_FLAG_REPLAYED) == 0 else { return time }
        let later = max(time, now ?? time)
        if let now, isPresented, isPlaying, !isLoading { validPlay += later - now }
        now = later
        return later
    }

    private mutating func follow(_ state: Int64?) {
        let plays = state == Int64(KIT_STATE_PLAYING)
        guard plays || state == Int64(KIT_STATE_PAUSED) || isPlayerPlaying != nil else { return }
        isPlayerPlaying = plays
        if plays, intent == false { intent = nil }
    }

    private mutating func closeStutter(at time: Int64) -> PluginReport? {
        guard let start = stutterBegan else { return nil }
        stutterBegan = nil
        let duration = max(0, time - start)
        tally.add(duration)
        for index in others.indices { others[index].add(duration) }
        guard duration >= tally.threshold, listed < StutterDetect.listLimit else { return nil }
        listed += 1
        return PluginReport(
            .occurrence, session: session, name: "stutters",
            fields: [
                .init("start_ms", .duration(requested.map { max(0, start - $0) })),
                .init("duration_ms", .duration(duration)),
            ])
    }

    private static func bounded(_ time: Int64) -> Int64 {
        min(max(time, -timeLimit), timeLimit)
    }
}
