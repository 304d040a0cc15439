// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import TestSupport
import Testing

/// The built-in strategies and the example as shared libraries, loaded as the product loads them.
@Suite("shipped plugins")
struct BuiltInTests {
    /// A library built for ThreadSanitizer needs functions that a test program does not export to it.
    private static let canLoadProducts = unsafe dlsym(nil, "__tsan_init") == nil

    /// `swift test` builds the package's dynamic products beside the test program.
    private static func product(_ name: String) throws -> PluginFile {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = [program, URL(filePath: CommandLine.arguments[0])]
            .map { $0.deletingLastPathComponent().appending(path: "lib\(name).so").path }
            .first { FileManager.default.fileExists(atPath: $0) }
        let found = try #require(path, "lib\(name).so is not beside the tests")
        return try PluginFile(
            PluginInspector.inspect(path: found, policy: LoadPolicy(origin: .builtIn)), origin: .builtIn)
    }

    @Test("first-frame reports what the events say", .enabled(if: canLoadProducts))
    func firstFrame() throws {
        let place = try InProcessPlace(BuiltInTests.product("first-frame"), log: CapturedLog().sink)
        let monitor = try place.makeMonitor(
            name: "first-frame", options: [], controller: ControllerID(rawValue: 1), actions: .nothing)
        #expect(!monitor.interest.contains(.position))
        let reports = CapturedReports()
        let events: [(PlayerEvent, Int64)] = [
            (.request(source: "a", uniqueID: "url:a", player: 1, instance: .cold, continuedFrom: nil), 0),
            (.playIntent, 0), (.state(.preparing), 0),
            (
                .prepared(
                    MediaDescription(
                        container: "mp4",
                        video: VideoDescription(codec: "h264", width: 2, height: 2, framesPer1000Seconds: nil))), 3_100
            ),
            (.firstVideoFrame(pts: .zero), 6_300), (.firstAudio(pts: .zero), 7_000),
        ]
        monitor.deliver(
            events.map { event, time in
                var event = event
                event.session = SessionID(rawValue: 4)
                event.time = EventTime(microseconds: time)
                return event
            }, reports: reports.sink)
        #expect(monitor.finish(withinMilliseconds: patience))
        monitor.destroy()
        #expect(monitor.status.faults.isEmpty)
        #expect(reports.all.count == 2)
        #expect(reports.all.last?.session == SessionID(rawValue: 4))
        #expect(reports.all.last?.name == "first_frame")
        #expect(
            reports.all.last?.fields == [
                .init("prepare_ms", .duration(3_100)), .init("render_ms", .duration(3_200)),
                .init("total_ms", .duration(6_300)), .init("user_wait_ms", .duration(0)),
                .init("effective_ms", .duration(6_300)), .init("first_audio_ms", .duration(7_000)),
            ])
    }

    @Test(
        "reuse-pool decides, and refuses options that contradict each other in its own words",
        .enabled(if: canLoadProducts))
    func reusePool() throws {
        let place = try InProcessPlace(BuiltInTests.product("reuse-pool"), log: CapturedLog().sink)
        let pool = try place.makeLifecycle(
            name: "reuse-pool", options: [PluginOption("max_pool_size", .int(2)), PluginOption("min_idle", .int(0))])
        let idle = PoolRequest.Player(
            handle: PlayerHandle(rawValue: 1 << 32), condition: .idle, isPlaying: false, uniqueID: "",
            createdSequence: 1,
            acquiredSequence: 2, idleSequence: 3)
        func decide(_ kind: PoolRequest.Kind, _ players: [PoolRequest.Player] = []) throws -> PoolDecision? {
            try pool.decide(
                PoolRequest(kind: kind, nowMicroseconds: 0, players: players, maxPoolSize: nil, hardMax: nil))
        }
        let acquire = PoolRequest.Kind.acquire(uniqueID: "url:a", sourceKind: .url)
        #expect(try decide(acquire) == PoolDecision(.create))
        #expect(try decide(acquire, [idle]) == PoolDecision(.use(idle.handle)))
        #expect(try decide(.preload(count: 5), [idle]) == PoolDecision(.none, createCount: 1))
        #expect(try decide(.clear, [idle]) == PoolDecision(.none, evict: [idle.handle]))
        pool.destroy()
        #expect(pool.status.faults.isEmpty)

        let error = #expect(throws: PluginError.self) {
            try place.makeLifecycle(
                name: "reuse-pool",
                options: [PluginOption("max_pool_size", .int(1)), PluginOption("min_idle", .int(2))])
        }
        #expect(error?.message.contains("KIT_CONFIG: min_idle (2) is above max_pool_size (1)") == true)
    }

    @Test(
        "they export the entry and nothing else",
        arguments: [
            "default", "first-frame", "id-scoped-pool", "reuse-pool", "singleton", "stutter-detect",
            "traffic-protection",
        ])
    func exports(name: String) throws {
        let path = try BuiltInTests.product(name).path
        let inspection = PluginInspector.inspect(path: path, policy: LoadPolicy(origin: .builtIn))
        #expect(inspection.exports == ["kit_plugin_entry_v1"])
        #expect(inspection.note?.id == name)
        #expect(inspection.note?.version == "1.0.0")
        #expect(inspection.warnings.filter { $0.code == .extraExports }.isEmpty)
    }

    @Test("the C example builds with plain cc and counts", arguments: [Int64(1), 11])
    func example(every: Int64) throws {
        let directory = try TemporaryDirectory()
        let source = URL(filePath: CommandLineTool.pluginHeaders).appending(
            path: "../../../Examples/c-monitor/c-monitor.c")
        let text = try String(contentsOf: source, encoding: .utf8)
        let path = try CommandLineTool.compile(
            text, to: "libcmonitor.so", in: directory,
            arguments: [
                "-shared", "-fPIC", "-fvisibility=hidden", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
            ])
        let inspection = PluginInspector.inspect(path: path)
        #expect(inspection.exports == ["kit_plugin_entry_v1"])
        let place = try InProcessPlace(PluginFile(inspection, origin: .stranger), log: CapturedLog().sink)
        let monitor = try place.makeMonitor(
            name: "counter", options: [PluginOption("every", .int(every))], controller: ControllerID(rawValue: 1),
            actions: .nothing)
        let reports = CapturedReports()
        monitor.deliver(ticks(10), reports: reports.sink)
        #expect(monitor.finish(withinMilliseconds: patience))
        #expect(reports.values(of: "event_count", "events") == (every == 1 ? [10] : []))
        monitor.deliver(
            [
                PlayerEvent(.stop, session: SessionID(rawValue: 1)),
                .ended(SessionID(rawValue: 1)), PlayerEvent(.request, session: SessionID(rawValue: 2)),
            ], reports: reports.sink)
        #expect(monitor.finish(withinMilliseconds: patience))
        monitor.destroy()
        let last = reports.all.filter { $0.session == SessionID(rawValue: 1) }.last
        #expect(
            last?.fields == [
                .init("events", .int(12)), .init("types", .int(3)), .init("dropped", .int(0)),
            ])
        #expect(monitor.status.faults.isEmpty)
        #expect(monitor.status.eventsDelivered == 13)
    }

    @Test("the C example compiles as C++ too")
    func exampleAsCPlusPlus() throws {
        let directory = try TemporaryDirectory()
        let source = URL(filePath: CommandLineTool.pluginHeaders).appending(
            path: "../../../Examples/c-monitor/c-monitor.c")
        let text = try String(contentsOf: source, encoding: .utf8)
        _ = try CommandLineTool.compile(
            text, to: "libcmonitor.so", in: directory,
            arguments: ["-shared", "-fPIC", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"], compiler: "c++")
    }
}

extension PlayerEvent {
    /// The session entered a terminal state.
    fileprivate static func ended(_ session: SessionID) -> PlayerEvent {
        var event = PlayerEvent.sessionState(rawState: 33, cause: .stop)
        event.session = session
        return event
    }
}
