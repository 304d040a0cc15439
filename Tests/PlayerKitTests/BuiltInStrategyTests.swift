// SPDX-License-Identifier: Apache-2.0

import PlayerKit
import Synchronization
import TestSupport
import Testing

/// Notes what the built-in strategies tell.
private final class Delegate: FirstFrameStrategyDelegate, StutterDetectStrategyDelegate,
    TrafficProtectionStrategyDelegate
{
    private let noted = Mutex<[String]>([])

    var lines: [String] { noted.withLock { $0 } }

    private func note(_ line: String) {
        noted.withLock { $0.append(line) }
    }

    func firstFrameStrategy(
        _ strategy: FirstFrameStrategy, didRenderFirstFrameWithPrepareTime prepareTime: Duration?,
        renderTime: Duration?, totalTime: Duration
    ) {
        note("first frame \([prepareTime, renderTime, totalTime].map(milliseconds))")
    }

    func stutterDetectStrategy(_ strategy: StutterDetectStrategy, didStutter duration: Duration) {
        note("stutter \(milliseconds(duration))")
    }

    func stutterDetectStrategy(
        _ strategy: StutterDetectStrategy, didAnalyzeSession stayDuration: Duration?, validPlayDuration: Duration,
        totalStutterDuration: Duration, stutterCount: Int
    ) {
        let figures = [stayDuration, validPlayDuration, totalStutterDuration].map(milliseconds)
        note("session \(figures) \(stutterCount)")
    }

    func trafficProtectionStrategyDidDetectCellularNetwork(_ strategy: TrafficProtectionStrategy) {
        note("cellular \(strategy.isOnCellularNetwork)")
    }

    func trafficProtectionStrategyDidDetectWifiNetwork(_ strategy: TrafficProtectionStrategy) {
        note("wifi \(strategy.isOnCellularNetwork)")
    }

    private func milliseconds(_ duration: Duration?) -> Int64 {
        duration.map { $0.components.seconds * 1000 + $0.components.attoseconds / 1_000_000_000_000_000 } ?? -1
    }
}

@Suite("What the built-in strategies tell an application")
struct BuiltInStrategyTests {
    private let stage = FakeStage()
    private let controller: PlayerController
    private let delegate = Delegate()

    init() {
        controller = PlayerController(environment: stage.environment)
    }

    private func entry(
        _ kind: ReportEntry.Kind, _ name: String, session: UInt32 = 1, _ fields: [ReportEntry.Field]
    ) -> ReportEntry {
        ReportEntry(kind, session: SessionID(rawValue: session), name: name, fields: fields)
    }

    private func firstFrame(session: UInt32, total: ReportEntry.Value) -> ReportEntry {
        entry(
            .record, "first_frame", session: session,
            [.init("prepare_ms", .duration(3000)), .init("render_ms", .unknown), .init("total_ms", total)])
    }

    @Test("the first frame is told once a session, and not before there is one")
    func firstFrames() async {
        let strategy = FirstFrameStrategy(controller: controller)
        strategy.delegate = delegate
        let stream = strategy.firstFrames
        strategy.strategyDidReport(firstFrame(session: 1, total: .unknown), instance: "first-frame")
        for session: UInt32 in [1, 1, 2] {
            strategy.strategyDidReport(firstFrame(session: session, total: .duration(6000)), instance: "first-frame")
        }
        strategy.strategyDidReport(firstFrame(session: 3, total: .duration(6000)), instance: "someone")
        #expect(delegate.lines == ["first frame [3, -1, 6]", "first frame [3, -1, 6]"])
        strategy.strategiesDidEnd()
        var sessions: [UInt32] = []
        for await frame in stream { sessions.append(frame.session.rawValue) }
        #expect(sessions == [1, 2])
        controller.destroy()
    }

    @Test("stutters are told as they end, the session's figures when it ends")
    func stutters() async {
        let strategy = StutterDetectStrategy(controller: controller)
        strategy.delegate = delegate
        let (stutters, analyses) = (strategy.stutters, strategy.analyses)
        func figures(_ count: Int64, stay: ReportEntry.Value) -> ReportEntry {
            entry(
                .record, "stutter",
                [
                    .init("threshold_ms", .duration(0)), .init("count", .int(count)),
                    .init("total_ms", .duration(count * 40_000)), .init("stay_ms", stay),
                    .init("valid_play_ms", .duration(5_000_000)),
                ])
        }
        #expect(strategy.analysis == nil && strategy.stutterCount == 0)
        strategy.strategyDidReport(figures(0, stay: .unknown), instance: "stutter-detect")
        strategy.strategyDidReport(
            entry(
                .occurrence, "stutters",
                [.init("start_ms", .duration(900_000)), .init("duration_ms", .duration(40_000))]
            ), instance: "stutter-detect")
        strategy.strategyDidReport(figures(1, stay: .duration(7_000_000)), instance: "stutter-detect")
        #expect(strategy.stutterCount == 1 && strategy.totalStutterDuration == .milliseconds(40))
        #expect(delegate.lines == ["stutter 40"])
        strategy.strategiesDidFinish(SessionID(rawValue: 9))
        strategy.strategiesDidFinish(SessionID(rawValue: 1))
        #expect(delegate.lines.dropFirst() == ["session [7000, 5000, 40] 1"])
        strategy.strategiesDidEnd()
        var starts: [Duration?] = []
        for await stutter in stutters { starts.append(stutter.start) }
        #expect(starts == [.milliseconds(900)])
        var counts: [Int] = []
        for await analysis in analyses { counts.append(analysis.stutterCount) }
        #expect(counts == [1])
        controller.destroy()
    }

    @Test("cellular and Wi-Fi are told once an episode")
    func traffic() async {
        let strategy = TrafficProtectionStrategy(controller: controller)
        strategy.delegate = delegate
        let stream = strategy.detections
        func network(_ type: ReportEntry.Value) -> ReportEntry { entry(.record, "traffic", [.init("type", type)]) }
        let start = [ReportEntry.Field("start_ms", .duration(2_000))]
        #expect(!strategy.isOnCellularNetwork)
        for report in [
            network(.string("cellular")), entry(.occurrence, "cellular_detected", start), network(.string("wifi")),
            entry(.occurrence, "wifi_detected", []), network(.unknown),
        ] { strategy.strategyDidReport(report, instance: "traffic-protection") }
        #expect(delegate.lines == ["cellular true", "wifi false"])
        strategy.strategiesDidEnd()
        var detections: [TrafficProtectionStrategy.Detection] = []
        for await detection in stream { detections.append(detection) }
        #expect(detections.map(\.network) == [.cellular, .wifi])
        #expect(detections.map(\.start) == [.milliseconds(2), nil])
        controller.destroy()
    }

    @Test("streams end with the controller, also one that is asked for afterwards")
    func ends() async {
        let strategy = TrafficProtectionStrategy(controller: controller)
        let stream = strategy.detections
        controller.destroy()
        for await _ in stream { Issue.record("nothing was detected") }
        for await _ in strategy.detections { Issue.record("nothing was detected") }
    }
}
