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

    /// The starts of the occurrences of a name, in milliseconds.
    func starts(_ name: String, session: UInt32 = 1) -> [Int64?] {
        all.filter { $0.kind == .occurrence && $0.session == session && $0.name == name }.map { report in
            guard case .duration(let start)? = report.fields.first?.value else { return nil }
            return start.map { $0 / 1000 }
        }
    }

    func record(session: UInt32 = 1) -> [PluginReport.Field]? {
        all.last { $0.kind == .record && $0.session == session }?.fields
    }

    func episodes(session: UInt32 = 1) -> PluginReport.Value? {
        record(session: session)?.first { $0.key == "cellular_episodes" }?.value
    }
}

/// One line of a session; times in milliseconds.
private struct Step {
    var event: PluginEvent

    private init(_ kind: PluginEventKind, _ time: Int64, _ first: Int, _ second: Int64 = 0, flags: Int = 0) {
        event = PluginEvent(
            kind, session: 1, time: time * 1000, values: [Int64(first), second, 0, 0, 0, 0], flags: UInt32(flags))
    }

    static func request(_ time: Int64) -> Step { Step(.request, time, 0) }
    static func tick(_ time: Int64) -> Step { Step(.tick, time, 0) }
    static func network(_ time: Int64, _ type: Int, metered: Int64 = PluginEvent.unknown, flags: Int = 0) -> Step {
        Step(.network, time, type, metered, flags: flags)
    }
    static func cellular(_ time: Int64) -> Step { network(time, KIT_NETWORK_CELLULAR, metered: 1) }
    static func wifi(_ time: Int64) -> Step { network(time, KIT_NETWORK_WIFI, metered: 0) }
    static func offline(_ time: Int64) -> Step { network(time, KIT_NETWORK_NONE) }
    static func ethernet(_ time: Int64) -> Step { network(time, KIT_NETWORK_ETHERNET) }
    static func session(_ time: Int64, _ state: Int) -> Step { Step(.sessionState, time, state) }
    static func playing(_ time: Int64) -> Step { session(time, KIT_SESSION_PLAYING) }
    static func paused(_ time: Int64) -> Step { session(time, KIT_SESSION_PAUSED) }
    static func stalled(_ time: Int64) -> Step { session(time, KIT_SESSION_STALLED) }
    static func stopped(_ time: Int64) -> Step { session(time, KIT_SESSION_STOPPED) }
    static func player(_ time: Int64, _ state: Int, flags: Int) -> Step { Step(.state, time, state, flags: flags) }
}

/// Events of a session, with a tick every 250 ms as the host makes them.
private func events(_ steps: [Step], session: UInt32 = 1) -> [PluginEvent] {
    var all: [PluginEvent] = []
    for step in steps {
        while let last = all.last, last.time + 250_000 < step.event.time {
            all.append(PluginEvent(.tick, session: session, time: last.time + 250_000))
        }
        var event = step.event
        event.session = session
        all.append(event)
    }
    return all
}

private struct Case: CustomTestStringConvertible {
    var testDescription: String
    var steps: [Step]
    var cellular: [Int64?]
    var wifi: [Int64?] = []
    var debounce: Int64 = 2000
}

/// Plays from 100.
private let started: [Step] = [.request(0), .session(0, KIT_SESSION_JOINING), .playing(100)]

private let cases = [
    Case(
        testDescription: "cellular while playing is told with the time at which it began",
        steps: started + [.wifi(200), .cellular(1000), .stopped(5000)], cellular: [1000]),
    Case(
        testDescription: "playing on cellular is told with the time at which play began",
        steps: [.request(0), .cellular(0), .session(0, KIT_SESSION_JOINING), .playing(900), .stopped(4000)],
        cellular: [900]),
    Case(
        testDescription: "what does not play is no episode",
        steps: [.request(0), .cellular(0), .session(0, KIT_SESSION_JOINING), .stopped(9000)], cellular: []),
    Case(
        testDescription: "an episode that began goes on in a pause and in a stall, and is told once",
        steps: started + [
            .cellular(1000), .paused(1500), .playing(6000), .stalled(7000), .playing(8000), .stopped(9000),
        ],
        cellular: [1000]),
    Case(
        testDescription: "one millisecond short of the debounce is none",
        steps: started + [.cellular(1000), .wifi(2999), .stopped(9000)], cellular: []),
    Case(
        testDescription: "exactly as long as the debounce is one",
        steps: started + [.cellular(1000), .wifi(3000), .stopped(9000)], cellular: [1000], wifi: [3000]),
    Case(
        testDescription: "cellular, none, cellular inside the debounce is the same episode",
        steps: started + [.cellular(1000), .offline(1500), .cellular(3000), .stopped(9000)], cellular: [1000]),
    Case(
        testDescription: "after a gap as long as the debounce it is another one",
        steps: started + [.cellular(1000), .offline(4000), .cellular(6000), .stopped(9000)], cellular: [1000, 6000]),
    Case(
        testDescription: "an episode that becomes due in a gap is told after it",
        steps: started + [.cellular(1000), .offline(2500), .cellular(4000), .stopped(4100)], cellular: [1000]),
    Case(
        testDescription: "in a gap an episode is not told",
        steps: started + [.cellular(1000), .offline(2500), .cellular(4600), .stopped(9000)], cellular: [4600]),
    Case(
        testDescription: "Wi-Fi is told after an episode that was told, with the time at which it came",
        steps: started + [.cellular(1000), .offline(5000), .wifi(6000), .stopped(9000)], cellular: [1000], wifi: [6000]
    ),
    Case(
        testDescription: "Wi-Fi is not told after an episode that was not",
        steps: started + [.cellular(1000), .wifi(2000), .stopped(9000)], cellular: []),
    Case(
        testDescription: "a moment of Wi-Fi is neither told nor the end of the episode",
        steps: started + [.cellular(1000), .wifi(4000), .cellular(5500), .stopped(9000)], cellular: [1000]),
    Case(
        testDescription: "Wi-Fi is told once, however often it comes back",
        steps: started + [.cellular(1000), .wifi(4000), .offline(7000), .wifi(8000), .stopped(12000)],
        cellular: [1000], wifi: [4000]),
    Case(
        testDescription: "Ethernet is not Wi-Fi",
        steps: started + [.cellular(1000), .ethernet(4000), .stopped(9000)], cellular: [1000]),
    Case(
        testDescription: "the end of the session comes before the debounce is over",
        steps: started + [.cellular(1000), .stopped(2500), .tick(9000)], cellular: []),
    Case(
        testDescription: "without a debounce every change counts",
        steps: started + [.cellular(1000), .wifi(1100), .cellular(1200), .wifi(1300), .stopped(2000)],
        cellular: [1000, 1200], wifi: [1100, 1300], debounce: 0),
]

@Suite("traffic-protection")
struct TrafficProtectionTests {
    private func strategy(debounce: Int64 = 2000) throws -> TrafficProtection {
        try TrafficProtection(options: PluginOptions([("debounce_ms", .duration(debounce * 1000))]))
    }

    @Test("episodes", arguments: cases)
    private func episodes(of example: Case) throws {
        let events = events(example.steps)
        for size in [1, 7, events.count] {
            let strategy = try strategy(debounce: example.debounce)
            let reports = Reports()
            for start in stride(from: 0, to: events.count, by: size) {
                let part = Array(events[start..<min(start + size, events.count)])
                try strategy.handle(PluginEventBatch(events: part), reports: reports)
            }
            #expect(reports.starts("cellular_detected") == example.cellular)
            #expect(reports.starts("wifi_detected") == example.wifi)
            #expect(reports.all.first?.kind == .record)
            let isKnown = example.steps.contains { $0.event.kind == .network }
            #expect(reports.episodes() == (isKnown ? .int(Int64(example.cellular.count)) : .unknown))
        }
    }

    @Test(
        "the record has the newest network",
        arguments: [
            (KIT_NETWORK_NONE, "none"), (KIT_NETWORK_WIFI, "wifi"), (KIT_NETWORK_ETHERNET, "ethernet"),
            (KIT_NETWORK_CELLULAR, "cellular"),
        ])
    func record(type: Int, name: String) throws {
        let reports = Reports()
        let steps = started + [.network(300, type, metered: 1)]
        try strategy().handle(PluginEventBatch(events: events(steps)), reports: reports)
        #expect(
            reports.record() == [
                .init("type", .string(name)), .init("metered", .flag(true)), .init("cellular_episodes", .int(0)),
            ])
    }

    @Test("a network that nobody knows is unknown, and so are its episodes")
    func unknown() throws {
        for steps in [started, started + [.network(300, KIT_NETWORK_UNKNOWN)]] {
            let reports = Reports()
            try strategy().handle(PluginEventBatch(events: events(steps)), reports: reports)
            #expect(
                reports.record() == [
                    .init("type", .unknown), .init("metered", .unknown), .init("cellular_episodes", .unknown),
                ])
        }
        let reports = Reports()
        let steps = started + [.wifi(300), .network(500, KIT_NETWORK_UNKNOWN)]
        try strategy().handle(PluginEventBatch(events: events(steps)), reports: reports)
        #expect(reports.episodes() == .int(0))
    }

    @Test("an episode goes on in the next session of the controller, where it is not told again and ends")
    func nextSession() throws {
        let reports = Reports()
        let first = events(started + [.cellular(1000), .stopped(5000)])
        let second = events(
            [.request(6000), .playing(6500), .wifi(9000), .tick(9500), .stopped(20000)], session: 2)
        let third = events([.request(21000), .cellular(21100), .playing(21500), .stopped(24000)], session: 3)
        try strategy().handle(PluginEventBatch(events: first + second + third), reports: reports)
        #expect(reports.starts("cellular_detected") == [1000])
        #expect(reports.starts("cellular_detected", session: 2) == [])
        #expect(reports.starts("wifi_detected", session: 2) == [3000])
        #expect(reports.episodes(session: 2) == .int(0))
        #expect(reports.record(session: 2)?.first?.value == .string("wifi"))
        #expect(reports.starts("cellular_detected", session: 3) == [500])
    }

    @Test("clips that are shorter than the debounce have one episode together")
    func shortClips() throws {
        let reports = Reports()
        var all = events([.request(0), .cellular(0), .playing(100), .stopped(1900)])
        for clip in 1..<20 {
            let start = Int64(clip) * 1900
            all += events([.request(start), .playing(start + 100), .stopped(start + 1900)], session: UInt32(clip) + 1)
        }
        try strategy().handle(PluginEventBatch(events: all), reports: reports)
        #expect((1...20).map { reports.starts("cellular_detected", session: $0).count }.reduce(0, +) == 1)
        // It had begun before its session was asked for.
        #expect(reports.starts("cellular_detected", session: 2) == [0])
    }

    @Test("Wi-Fi that comes back in a later session is told there")
    func wifiLater() throws {
        let reports = Reports()
        let first = events(started + [.cellular(1000), .stopped(5000)])
        let second = events([.request(6000), .playing(6200), .wifi(6300), .stopped(7000)], session: 2)
        let third = events([.request(7000), .playing(7200), .tick(9000), .stopped(9100)], session: 3)
        try strategy().handle(PluginEventBatch(events: first + second + third), reports: reports)
        #expect(reports.starts("wifi_detected", session: 2) == [])
        #expect(reports.starts("wifi_detected", session: 3) == [0])
    }

    @Test("registered late it counts from what it sees, and says that it is partial")
    func late() throws {
        let reports = Reports()
        let steps: [Step] = [
            .network(100, KIT_NETWORK_CELLULAR, flags: KIT_EVENT_FLAG_REPLAYED),
            .player(200, KIT_STATE_PLAYING, flags: KIT_EVENT_FLAG_REPLAYED), .tick(10_000), .tick(11_900),
        ]
        let strategy = try strategy()
        try strategy.handle(PluginEventBatch(events: steps.map(\.event)), reports: reports)
        #expect(reports.starts("cellular_detected") == [])
        try strategy.handle(PluginEventBatch(events: [Step.tick(12_000).event]), reports: reports)
        #expect(reports.starts("cellular_detected") == [nil])
        #expect(reports.record()?.last == .init("partial", .flag(true)))
    }

    @Test("a debounce below 0 is refused, and the default is two seconds")
    func options() throws {
        #expect(throws: PluginFailure.self) { try strategy(debounce: -1) }
        let reports = Reports()
        let steps = started + [.cellular(1000), .wifi(2999), .cellular(6000), .stopped(8000)]
        try TrafficProtection(options: PluginOptions()).handle(
            PluginEventBatch(events: events(steps)), reports: reports)
        #expect(reports.starts("cellular_detected") == [6000])
    }

    @Test("a report that the host's limits cut is no failure, any other refusal is")
    func limits() throws {
        let reports = Reports()
        reports.refusal = .limit
        try strategy().handle(PluginEventBatch(events: events(started)), reports: reports)
        reports.refusal = .stale
        #expect(throws: PluginFailure.self) {
            try strategy().handle(PluginEventBatch(events: events(started)), reports: reports)
        }
    }

    @Test("hostile times and values neither trap nor give negative starts")
    func hostile() throws {
        let reports = Reports()
        let strategy = try strategy(debounce: Int64.max / 1000)
        let steps = started + [.cellular(0), .wifi(0), .cellular(0), .network(0, .max), .session(0, .min), .stopped(0)]
        for times: [Int64] in [[.min, .max, 0], [.max, .min, -1], [0, .max, .min]] {
            let events = steps.enumerated().map { index, step in
                var event = step.event
                event.time = times[index % 3]
                return event
            }
            try strategy.handle(PluginEventBatch(events: events), reports: reports)
            try self.strategy(debounce: 0).handle(PluginEventBatch(events: events), reports: reports)
        }
        #expect(reports.starts("cellular_detected").allSatisfy { $0.map { $0 >= 0 } ?? true })
    }
}
