// SPDX-License-Identifier: Apache-2.0

import PluginABI
import PluginStrategies
import PluginSupport
import Testing

/// Keeps what a strategy reports.
private final class Reports: PluginReportOutput {
    var all: [PluginReport] = []

    func emit(_ report: PluginReport) { all.append(report) }

    /// The fields of the last report, by key, in microseconds.
    var last: [String: Int64?]? {
        all.last.map { report in
            Dictionary(
                uniqueKeysWithValues: report.fields.map { field -> (String, Int64?) in
                    if case .duration(let value) = field.value { return (field.key, value) }
                    return (field.key, nil)
                })
        }
    }
}

/// One line of a session; times in milliseconds.
private enum Step {
    case request(Int64)
    case preparing(Int64)
    case prepared(Int64, video: Bool = true, audio: Bool = true)
    case play(Int64)
    case pause(Int64)
    case frame(Int64, preview: Bool = false)
    case audio(Int64)
    case session(Int64, Int)

    func event(session: UInt32) -> PluginEvent {
        let unknown = PluginEvent.unknown
        func make(_ kind: PluginEventKind, _ time: Int64, _ v0: Int64 = 0, _ v1: Int64 = 0) -> PluginEvent {
            PluginEvent(kind, session: session, time: time * 1000, values: [v0, v1, 0, 0, 0, 0])
        }
        switch self {
        case .request(let time): return make(.request, time)
        case .preparing(let time): return make(.state, time, Int64(KIT_STATE_PREPARING))
        case .prepared(let time, let video, let audio):
            return PluginEvent(
                .prepared, session: session, time: time * 1000,
                values: [
                    5_000_000, video ? 640 : unknown, video ? 360 : unknown, unknown, audio ? 48000 : unknown,
                    audio ? 2 : unknown,
                ])
        case .play(let time): return make(.playIntent, time)
        case .pause(let time): return make(.pauseIntent, time)
        case .frame(let time, let preview):
            return make(.firstVideoFrame, time, 0, Int64(preview ? KIT_FRAME_PREVIEW : KIT_FRAME_SHOWN))
        case .audio(let time): return make(.firstAudio, time)
        case .session(let time, let state): return make(.sessionState, time, Int64(state))
        }
    }
}

/// What a record must hold, milliseconds; nil is unknown.
private struct Expected: Equatable {
    var prepare: Int64?
    var render: Int64?
    var total: Int64?
    var userWait: Int64?
    var effective: Int64?
    var firstAudio: Int64?
    var isPartial = false

    init(
        _ prepare: Int64?, _ render: Int64?, _ total: Int64?, _ userWait: Int64?, _ effective: Int64?,
        audio: Int64? = nil, partial: Bool = false
    ) {
        self.prepare = prepare
        self.render = render
        self.total = total
        self.userWait = userWait
        self.effective = effective
        firstAudio = audio
        isPartial = partial
    }

    init?(_ reports: Reports) {
        guard let last = reports.last else { return nil }
        func read(_ key: String) -> Int64? { last[key].flatMap { $0 }.map { $0 / 1000 } }
        self.init(
            read("prepare_ms"), read("render_ms"), read("total_ms"), read("user_wait_ms"), read("effective_ms"),
            audio: read("first_audio_ms"), partial: last.keys.contains("partial"))
    }
}

private struct Case: CustomTestStringConvertible {
    var testDescription: String
    var steps: [Step]
    var expected: Expected?

    init(_ description: String, _ steps: [Step], _ expected: Expected?) {
        testDescription = description
        self.steps = steps
        self.expected = expected
    }
}

private let cases = [
    Case(
        "autoplay off: the user's wait is no start-up time",
        [.request(0), .preparing(0), .prepared(300), .play(2300), .frame(2500)],
        Expected(300, 2200, 2500, 2000, 500)),
    Case(
        "autoplay: no wait",
        [.request(0), .play(0), .preparing(0), .prepared(200), .frame(400), .audio(450)],
        Expected(200, 200, 400, 0, 400, audio: 450)),
    Case(
        "the first audio may come before the first frame",
        [.request(10), .play(10), .preparing(20), .prepared(100), .audio(110), .frame(120)],
        Expected(80, 20, 100, 0, 100, audio: 100)),
    Case(
        "a pause between prepared and first frame is a wait",
        [.request(0), .play(0), .preparing(0), .prepared(100), .pause(150), .play(450), .frame(500)],
        Expected(100, 400, 500, 300, 200)),
    Case(
        "a wait before prepared is part of preparing",
        [.request(0), .preparing(0), .play(90), .prepared(100), .frame(110)], Expected(100, 10, 110, 0, 110)),
    Case(
        "play intent that was carried over shows in the session's state",
        [.request(0), .session(0, KIT_SESSION_JOINING), .preparing(0), .prepared(100), .frame(150)],
        Expected(100, 50, 150, 0, 150)),
    Case(
        "a preview frame does not count",
        [.request(0), .preparing(0), .prepared(100), .frame(120, preview: true)], nil),
    Case(
        "the first shown frame after a preview counts",
        [.request(0), .play(0), .preparing(0), .prepared(100), .frame(120, preview: true), .frame(200)],
        Expected(100, 100, 200, 0, 200)),
    Case(
        "a session that ends before the first frame reports nothing",
        [.request(0), .preparing(0), .prepared(400), .session(900, KIT_SESSION_STOPPED), .frame(950)], nil),
    Case(
        "audio before a first frame that never comes reports nothing",
        [.request(0), .preparing(0), .prepared(400), .audio(500), .session(900, KIT_SESSION_STOPPED)], nil),
    Case(
        "media without a picture reports its first audio",
        [.request(0), .preparing(5), .prepared(100, video: false), .audio(150)],
        Expected(95, nil, nil, nil, nil, audio: 150)),
    Case(
        "unknown tracks are no audio-only media",
        [.request(0), .preparing(0), .prepared(100, video: false, audio: false), .audio(150)], nil),
    Case("no preparing seen: nothing is made up", [.request(0), .frame(500)], Expected(nil, nil, nil, nil, nil)),
    Case(
        "registered late: what was before is not made up, and the record says partial", [.prepared(100), .frame(500)],
        Expected(nil, 400, nil, nil, nil, partial: true)),
    Case(
        "no prepared seen: no phases",
        [.request(0), .play(0), .preparing(0), .frame(500)], Expected(nil, nil, 500, nil, nil)),
    Case(
        "later frames and a later preparing change nothing",
        [.request(0), .play(0), .preparing(0), .prepared(100), .frame(150), .frame(900), .preparing(950)],
        Expected(100, 50, 150, 0, 150)),
]

@Suite("first-frame")
struct FirstFrameTests {
    @Test("the record follows from the events", arguments: cases)
    private func record(of example: Case) throws {
        let reports = Reports()
        let strategy = FirstFrame(options: PluginOptions())
        try strategy.handle(PluginEventBatch(events: example.steps.map { $0.event(session: 1) }), reports: reports)
        #expect(Expected(reports) == example.expected)
        #expect(reports.all.allSatisfy { $0.kind == .record && $0.name == "first_frame" && $0.session == 1 })
    }

    @Test("total is prepare plus render in whole microseconds")
    func identity() throws {
        let reports = Reports()
        let strategy = FirstFrame(options: PluginOptions())
        let events: [PluginEvent] = [
            PluginEvent(.state, session: 1, time: 3, values: [Int64(KIT_STATE_PREPARING), 0, 0, 0, 0, 0]),
            PluginEvent(.prepared, session: 1, time: 1_000_008),
            PluginEvent(.firstVideoFrame, session: 1, time: 2_500_001),
        ]
        try strategy.handle(PluginEventBatch(events: events), reports: reports)
        let last = try #require(reports.last)
        let prepare = try #require(last["prepare_ms"] ?? nil)
        let render = try #require(last["render_ms"] ?? nil)
        #expect(last["total_ms"] == prepare + render)
        #expect(prepare == 1_000_005)
    }

    @Test("the record comes with the frame and once more with the audio, however the events are batched")
    func exactlyOnce() throws {
        let steps: [Step] = [
            .request(0), .play(0), .preparing(0), .prepared(100), .frame(150), .frame(160), .audio(170), .audio(180),
        ]
        let reports = Reports()
        let strategy = FirstFrame(options: PluginOptions())
        for step in steps {
            try strategy.handle(PluginEventBatch(events: [step.event(session: 1)]), reports: reports)
        }
        #expect(reports.all.count == 2)
    }

    @Test("another session starts afresh")
    func newSession() throws {
        let reports = Reports()
        let strategy = FirstFrame(options: PluginOptions())
        let first: [Step] = [.request(0), .play(0), .preparing(0), .prepared(100), .frame(150)]
        let second: [Step] = [.request(1000), .play(1000), .preparing(1000), .prepared(1010), .frame(1050)]
        let events = first.map { $0.event(session: 1) } + second.map { $0.event(session: 2) }
        try strategy.handle(PluginEventBatch(events: events), reports: reports)
        #expect(reports.all.map(\.session) == [1, 2])
        #expect(Expected(reports) == Expected(10, 40, 50, 0, 50))
    }

    @Test("hostile times neither trap nor give negative spans")
    func hostileTimes() throws {
        let reports = Reports()
        let strategy = FirstFrame(options: PluginOptions())
        let times: [Int64] = [.max, .min, 0, -1, .max, .min]
        let kinds: [PluginEventKind] = [.state, .prepared, .playIntent, .pauseIntent, .firstVideoFrame, .firstAudio]
        for (kind, time) in zip(kinds, times) {
            let event = PluginEvent(kind, session: 1, time: time, values: [1, 0, 0, 0, 0, 0])
            try strategy.handle(PluginEventBatch(events: [event]), reports: reports)
        }
        #expect(reports.all.count == 2)
    }
}
