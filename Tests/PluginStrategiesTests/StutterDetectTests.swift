// SPDX-License-Identifier: Apache-2.0

import PluginABI
import PluginStrategies
import PluginSupport
import Testing

/// Keeps what a strategy reports, or refuses everything.
private final class Reports: PluginReportOutput {
    var all: [PluginReport] = []
    var refusal: PluginFailure.Result?

    func emit(_ report: PluginReport) throws {
        if let refusal { throw PluginFailure(refusal, "refused") }
        all.append(report)
    }

    func last(_ session: UInt32) -> Figures? {
        all.last { $0.kind == .record && $0.session == session }.map(Figures.init)
    }

    /// The listed stutters: start and duration in milliseconds.
    func list(_ session: UInt32) -> [[Int64?]] {
        all.filter { $0.kind == .occurrence && $0.session == session }.map { report in
            ["start_ms", "duration_ms"].map { report.milliseconds($0) }
        }
    }
}

extension PluginReport {
    fileprivate func milliseconds(_ key: String) -> Int64? {
        guard case .duration(let value?)? = fields.first(where: { $0.key == key })?.value else { return nil }
        return value / 1000
    }
}

/// What a record holds, milliseconds; nil is unknown.
private struct Figures: Equatable {
    var count: Int64
    var total: Int64?
    var stay: Int64?
    var validPlay: Int64?

    init(_ count: Int64, _ total: Int64?, stay: Int64?, validPlay: Int64?) {
        self.count = count
        self.total = total
        self.stay = stay
        self.validPlay = validPlay
    }

    init(_ report: PluginReport) {
        var count: Int64 = -1
        if case .int(let value)? = report.fields.first(where: { $0.key == "count" })?.value { count = value }
        self.init(
            count, report.milliseconds("total_ms"), stay: report.milliseconds("stay_ms"),
            validPlay: report.milliseconds("valid_play_ms"))
    }
}

/// One line of a session; times in milliseconds.
private struct Step {
    var event: PluginEvent

    private init(
        _ kind: PluginEventKind, _ time: Int64, _ values: InlineArray<6, Int64> = InlineArray(repeating: 0),
        flags: UInt32 = 0
    ) {
        event = PluginEvent(kind, session: 1, time: time * 1000, values: values, flags: flags)
    }

    static func request(_ time: Int64) -> Step { Step(.request, time) }
    /// The request of the session that plays on after `session` was played to its end.
    static func goOn(_ time: Int64, after session: Int64) -> Step {
        Step(.request, time, [0, 1, Int64(KIT_INSTANCE_PRE_RENDERED), session, 0, 0])
    }
    static func state(_ time: Int64, _ state: Int) -> Step { Step(.state, time, [Int64(state), 0, 0, 0, 0, 0]) }
    static func playing(_ time: Int64) -> Step { state(time, KIT_STATE_PLAYING) }
    static func paused(_ time: Int64) -> Step { state(time, KIT_STATE_PAUSED) }
    static func play(_ time: Int64) -> Step { Step(.playIntent, time) }
    static func pause(_ time: Int64) -> Step { Step(.pauseIntent, time) }
    static func prepared(_ time: Int64, video: Bool = true, flags: Int = 0) -> Step {
        let unknown = PluginEvent.unknown
        return Step(
            .prepared, time, [unknown, video ? 640 : unknown, video ? 360 : unknown, unknown, 48000, 2],
            flags: UInt32(flags))
    }
    static func frame(_ time: Int64, preview: Bool = false, flags: Int = 0) -> Step {
        Step(
            .firstVideoFrame, time, [0, Int64(preview ? KIT_FRAME_PREVIEW : KIT_FRAME_SHOWN), 0, 0, 0, 0],
            flags: UInt32(flags))
    }
    static func audio(_ time: Int64) -> Step { Step(.firstAudio, time) }
    static func begin(_ time: Int64) -> Step { Step(.loadingBegin, time) }
    static func end(_ time: Int64) -> Step { Step(.loadingEnd, time) }
    static func seek(_ time: Int64) -> Step { Step(.seekBegin, time) }
    static func tick(_ time: Int64) -> Step { Step(.tick, time) }
    static func session(_ time: Int64, _ state: Int) -> Step {
        Step(.sessionState, time, [Int64(state), 0, 0, 0, 0, 0])
    }
    static func stopped(_ time: Int64) -> Step { session(time, KIT_SESSION_STOPPED) }
}

extension [Step] {
    fileprivate func events(session: UInt32 = 1) -> [PluginEvent] {
        map { step in
            var event = step.event
            event.session = session
            return event
        }
    }
}

private struct Case: CustomTestStringConvertible {
    var testDescription: String
    var steps: [Step]
    var threshold: Int64
    var figures: Figures
    var list: [[Int64?]]

    init(
        _ description: String, _ steps: [Step], threshold: Int64 = 0, _ figures: Figures, list: [[Int64?]] = []
    ) {
        testDescription = description
        self.steps = steps
        self.threshold = threshold
        self.figures = figures
        self.list = list
    }
}

private let pauseIntoEmptyBuffer: [Step] = [
    .request(0), .play(0), .prepared(200), .playing(200), .frame(400), .begin(2400), .end(3400), .pause(4400),
    .paused(4400), .begin(5000), .play(6000), .playing(6000), .end(7000), .stopped(9000),
]
/// A session that shows its first frame at 200 and plays.
private let started: [Step] = [.request(0), .play(0), .prepared(100), .playing(100), .frame(200)]

private let cases = [
    Case(
        "autoplay off: stay counts the user's wait, valid play begins with the first frame",
        [.request(0), .prepared(300), .play(2300), .playing(2300), .frame(2500), .stopped(7500)],
        Figures(0, 0, stay: 7200, validPlay: 5000)),
    Case(
        "loading while paused is a stutter and a pause is no valid play", pauseIntoEmptyBuffer,
        Figures(2, 3000, stay: 8800, validPlay: 5000), list: [[2400, 1000], [5000, 2000]]),
    Case(
        "a loading below the threshold is no stutter and no valid play", pauseIntoEmptyBuffer, threshold: 1001,
        Figures(1, 2000, stay: 8800, validPlay: 5000), list: [[5000, 2000]]),
    Case(
        "a loading as long as the threshold is a stutter", pauseIntoEmptyBuffer, threshold: 2000,
        Figures(1, 2000, stay: 8800, validPlay: 5000), list: [[5000, 2000]]),
    Case(
        "a loading that outlives the first frame is no stutter",
        [
            .request(0), .play(0), .begin(100), .prepared(300), .playing(300), .frame(500), .end(800), .stopped(2800),
        ], Figures(0, 0, stay: 2500, validPlay: 2000)),
    Case(
        "a second begin keeps the start, and the end of the session closes the stutter",
        started + [.begin(1200), .begin(1700), .stopped(2200)], Figures(1, 1000, stay: 2100, validPlay: 1000),
        list: [[1200, 1000]]),
    Case(
        "a stutter that is open at the end obeys the threshold", started + [.begin(1200), .stopped(2200)],
        threshold: 1001, Figures(0, 0, stay: 2100, validPlay: 1000)),
    Case(
        "left before the first frame: stay alone",
        [.request(0), .play(0), .prepared(400), .playing(400), .stopped(900)],
        Figures(0, 0, stay: 500, validPlay: 0)),
    Case(
        "never prepared: no stay", [.request(0), .play(0), .session(900, KIT_SESSION_FAILED)],
        Figures(0, 0, stay: nil, validPlay: 0)),
    Case(
        "prepared and ended at once: a stay of 0", [.request(0), .prepared(50), .stopped(50)],
        Figures(0, 0, stay: 0, validPlay: 0)),
    Case(
        "loading before the first frame is not counted",
        [.request(0), .play(0), .prepared(100), .playing(100), .begin(150), .end(180), .frame(200), .stopped(300)],
        Figures(0, 0, stay: 200, validPlay: 100)),
    Case(
        "a loading that a seek caused is a stutter", started + [.seek(500), .begin(500), .end(700), .stopped(1000)],
        Figures(1, 200, stay: 900, validPlay: 600), list: [[500, 200]]),
    Case(
        "a loading of no length is a stutter", started + [.begin(500), .end(500), .stopped(1000)],
        Figures(1, 0, stay: 900, validPlay: 800), list: [[500, 0]]),
    Case(
        "an end without a begin is none", started + [.end(500), .stopped(1000)],
        Figures(0, 0, stay: 900, validPlay: 800)),
    Case(
        "media without a picture counts from its first audio",
        [
            .request(0), .play(0), .prepared(100, video: false), .playing(100), .begin(120), .end(140), .audio(200),
            .begin(500), .end(600), .stopped(1000),
        ], Figures(1, 100, stay: 900, validPlay: 700), list: [[500, 100]]),
    Case(
        "audio before the first frame counts nothing",
        [.request(0), .play(0), .prepared(100), .playing(100), .audio(200), .begin(300), .end(400), .stopped(1000)],
        Figures(0, 0, stay: 900, validPlay: 0)),
    Case(
        "a preview is no first frame",
        [
            .request(0), .play(0), .prepared(100), .playing(100), .frame(200, preview: true), .begin(300), .end(400),
            .stopped(1000),
        ], Figures(0, 0, stay: 900, validPlay: 0)),
    Case(
        "where no player state is told the intent stands for it",
        [
            .request(0), .play(0), .state(0, KIT_STATE_PREPARING), .prepared(100), .state(100, KIT_STATE_PREPARED),
            .frame(200), .pause(500), .play(700), .stopped(1000),
        ], Figures(0, 0, stay: 900, validPlay: 600)),
    Case(
        "play intent without the player playing is no valid play",
        started + [.paused(400), .play(500), .playing(700), .stopped(1000)],
        Figures(0, 0, stay: 900, validPlay: 500)),
    Case(
        "a pause that was asked for ends valid play", started + [.pause(400), .stopped(1000)],
        Figures(0, 0, stay: 900, validPlay: 200)),
    Case(
        "a log that breaks off gives the figures up to its last event", started + [.begin(600), .tick(850)],
        Figures(1, 250, stay: 750, validPlay: 400)),
    Case(
        "what follows the end changes nothing",
        started + [.stopped(1000), .begin(1100), .end(1200), .stopped(1300)],
        Figures(0, 0, stay: 900, validPlay: 800)),
]

@Suite("stutter-detect")
struct StutterDetectTests {
    private func strategy(threshold: Int64? = nil) throws -> StutterDetect {
        try StutterDetect(options: PluginOptions(threshold.map { [("threshold_ms", .duration($0 * 1000))] } ?? []))
    }

    @Test("the figures follow from the events, however they are batched", arguments: cases)
    private func figures(of example: Case) throws {
        let events = example.steps.events()
        for size in [1, events.count] {
            let reports = Reports()
            let strategy = try strategy(threshold: example.threshold)
            for start in stride(from: 0, to: events.count, by: size) {
                let batch = PluginEventBatch(events: Array(events[start..<min(start + size, events.count)]))
                try strategy.handle(batch, reports: reports)
            }
            #expect(reports.last(1) == example.figures)
            #expect(reports.list(1) == example.list)
            #expect(reports.all.allSatisfy { $0.name == ($0.kind == .record ? "stutter" : "stutters") })
            #expect(reports.all.first?.kind == .record)
        }
    }

    @Test("each threshold has a record of its own, and the first is what it was alone")
    func thresholds() throws {
        let options = PluginOptions([
            ("threshold_ms", .duration(0)), ("thresholds_ms", .duration(200_000)),
            ("thresholds_ms", .duration(500_500)),
            ("thresholds_ms", .duration(200_000)),
        ])
        let reports = Reports()
        let steps =
            started + [
                .begin(500), .end(600), .begin(700), .end(900), .begin(1000), .tick(1400),
                .session(1600, KIT_SESSION_STOPPED),
            ]
        try StutterDetect(options: options).handle(PluginEventBatch(events: steps.events()), reports: reports)
        func figures(_ name: String) -> [Int64?]? {
            reports.all.last { $0.name == name && $0.kind == .record }.map { record in
                [record.milliseconds("threshold_ms"), Figures(record).count, record.milliseconds("total_ms")]
            }
        }
        #expect(figures("stutter") == [0, 3, 900])
        #expect(figures("from_200_ms") == [200, 2, 800])
        #expect(figures("from_500_500_ms") == [500, 1, 600])
        #expect(Set(reports.all.filter { $0.kind == .record }.map(\.name)).count == 3)
        #expect(reports.list(1) == [[500, 100], [700, 200], [1000, 600]])
    }

    @Test("thresholds that are too many or below nothing are refused", arguments: [(9, 0), (1, -1)])
    func badThresholds(count: Int, first: Int64) {
        let values = (0..<count).map { (key: "thresholds_ms", value: PluginOptions.Value.duration(first + Int64($0))) }
        #expect(throws: PluginFailure.self) { try StutterDetect(options: PluginOptions(values)) }
    }

    @Test(
        "every way a session can end closes the stutter",
        arguments: [KIT_SESSION_ENDED, KIT_SESSION_STOPPED, KIT_SESSION_FAILED, KIT_SESSION_ABANDONED])
    func ends(state: Int) throws {
        let reports = Reports()
        let steps = started + [.begin(500), .session(800, state)]
        try strategy().handle(PluginEventBatch(events: steps.events()), reports: reports)
        #expect(reports.last(1) == Figures(1, 300, stay: 700, validPlay: 300))
        #expect(reports.list(1) == [[500, 300]])
    }

    @Test("after the end a session that plays on counts from its start")
    func playsOn() throws {
        let reports = Reports()
        let first = started + [.begin(500), .end(600), .session(1000, KIT_SESSION_ENDED)]
        let second: [Step] = [
            .goOn(5000, after: 1), .play(5000), .playing(5000), .begin(5300), .end(5400), .stopped(6000),
        ]
        let events = first.events() + second.events(session: 2)
        try strategy().handle(PluginEventBatch(events: events), reports: reports)
        #expect(reports.last(1) == Figures(1, 100, stay: 900, validPlay: 700))
        #expect(reports.last(2) == Figures(1, 100, stay: 1000, validPlay: 900))
        #expect(reports.list(2) == [[300, 100]])
    }

    @Test("another source starts afresh, also when it says that it goes on after a session that was stopped")
    func startsAfresh() throws {
        for opening in [Step.request(2000), .goOn(2000, after: 1)] {
            let reports = Reports()
            let first = started + [.begin(500), .stopped(1000)]
            let second: [Step] = [opening, .play(2000), .playing(2000), .begin(2100), .end(2200), .stopped(2500)]
            let events = first.events() + second.events(session: 2)
            try strategy().handle(PluginEventBatch(events: events), reports: reports)
            #expect(reports.last(1) == Figures(1, 500, stay: 900, validPlay: 300))
            #expect(reports.last(2) == Figures(0, 0, stay: nil, validPlay: 0))
        }
    }

    @Test("a session whose end was lost keeps its figures up to its last event")
    func lostEnd() throws {
        let reports = Reports()
        let events = (started + [.tick(700)]).events() + [Step.request(900)].events(session: 2)
        try strategy().handle(PluginEventBatch(events: events), reports: reports)
        #expect(reports.last(1) == Figures(0, 0, stay: 600, validPlay: 500))
    }

    @Test("registered late: stay is exact, valid play begins with what was seen, and the record says partial")
    func late() throws {
        let reports = Reports()
        var state = Step.playing(100)
        state.event.flags = UInt32(KIT_EVENT_FLAG_REPLAYED)
        let steps: [Step] = [
            .prepared(100, flags: KIT_EVENT_FLAG_REPLAYED), state, .frame(200, flags: KIT_EVENT_FLAG_REPLAYED),
            .tick(5000), .begin(5200), .end(5300), .stopped(6000),
        ]
        try strategy().handle(PluginEventBatch(events: steps.events()), reports: reports)
        #expect(reports.last(1) == Figures(1, 100, stay: 5900, validPlay: 900))
        #expect(reports.list(1) == [[nil, 100]])
        #expect(
            reports.all.filter { $0.kind == .record }.allSatisfy { $0.fields.contains(.init("partial", .flag(true))) })
    }

    @Test("events of no session are passed over")
    func noSession() throws {
        let reports = Reports()
        let events = [Step.tick(0), .begin(10)].events(session: 0)
        try strategy().handle(PluginEventBatch(events: events), reports: reports)
        #expect(reports.all.isEmpty)
    }

    @Test("a threshold below 0 is refused")
    func negativeThreshold() {
        #expect(throws: PluginFailure.self) { try strategy(threshold: -1) }
    }

    @Test("a flood of stutters is counted, and its list leaves room for the record")
    func flood() throws {
        let reports = Reports()
        let steps = started + (0..<2000).flatMap { _ in [Step.begin(300), .end(300)] } + [.stopped(400)]
        try strategy().handle(PluginEventBatch(events: steps.events()), reports: reports)
        #expect(reports.last(1)?.count == 2000)
        #expect(reports.list(1).count == 500)
    }

    @Test("a report that the host's limits cut is no failure, any other refusal is")
    func limits() throws {
        let reports = Reports()
        reports.refusal = .limit
        try strategy().handle(PluginEventBatch(events: started.events()), reports: reports)
        reports.refusal = .stale
        #expect(throws: PluginFailure.self) {
            try strategy().handle(PluginEventBatch(events: started.events()), reports: reports)
        }
    }

    @Test("hostile times neither trap nor give negative spans")
    func hostileTimes() throws {
        let reports = Reports()
        let strategy = try strategy()
        let times: [Int64] = [.min, .max, 0, .min, .max, -1, 7, .max, .min, .max]
        let steps: [Step] = started + [.begin(0), .end(0), .paused(0), .playing(0), .stopped(0)]
        let events = zip(steps.events(), times).map { event, time in
            var event = event
            event.time = time
            return event
        }
        try strategy.handle(PluginEventBatch(events: events), reports: reports)
        let last = try #require(reports.last(1))
        #expect([last.total, last.stay, last.validPlay].allSatisfy { $0.map { $0 >= 0 } ?? false })
    }
}
