// SPDX-License-Identifier: Apache-2.0

import Foundation
import PlayerKit
import TestSupport
import Testing

/// As an application uses the kit: of the product only `PlayerKit` is imported.
@Suite("An application plays through the kit", .serialized)
struct EmbeddingTests {
    private static let demoClip = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Media/demo.mp4").standardized.path

    final class Watcher: PlayerNotificationDelegate, Sendable {
        let calls: AsyncStream<String>
        private let call: AsyncStream<String>.Continuation

        init() {
            (calls, call) = AsyncStream.makeStream()
        }

        func playerDidRenderFirstFrame() { call.yield("first frame") }
        func playerDidCompletion() { call.yield("completion") }
        func playerDidEncounterError(_ error: PlayerError) { call.yield(error.code.name) }

        /// What came until one of the two ends.
        func untilEnd() async -> [String] {
            var seen: [String] = []
            for await call in calls {
                seen.append(call)
                if call != "first frame" { break }
            }
            return seen
        }
    }

    /// The built-ins stay mapped, so their directory stays as long as the process.
    private static let builtins = Result {
        try StagedBuiltins(
            "first-frame", "stutter-detect", "traffic-protection", "default", "reuse-pool", "id-scoped-pool",
            "singleton")
    }

    init() throws {
        try PlayerKit.setup(pluginDirectory: EmbeddingTests.builtins.get().path)
    }

    @Test("a new controller has the built-in strategies", .timeLimit(.minutes(1)))
    func builtIns() {
        let controller = PlayerController()
        defer { controller.destroy() }
        #expect(controller.strategyManager.strategy(named: "first-frame") != nil)
    }

    @Test("a file plays to its end, seen through a delegate", .timeLimit(.minutes(1)))
    func plays() async {
        let controller = PlayerController()
        let watcher = Watcher()
        controller.addNotificationDelegate(watcher)
        controller.configure(PlayerModel(videoSource: .url(EmbeddingTests.demoClip)))
        #expect(await watcher.untilEnd() == ["first frame", "completion"])
        #expect(controller.duration != nil)
        controller.destroy()
        let row = controller.strategyManager.statuses.first { $0.name == "first-frame" }
        #expect(row?.health == .running)
        #expect(row?.faults.isEmpty == true)
    }

    @Test("the built-in strategies tell what they measure", .timeLimit(.minutes(1)))
    func builtInReports() async {
        let controller = PlayerController()
        let (frame, stutter) = (
            FirstFrameStrategy(controller: controller), StutterDetectStrategy(controller: controller)
        )
        let traffic = TrafficProtectionStrategy(controller: controller)
        let (frames, analyses, detections) = (frame.firstFrames, stutter.analyses, traffic.detections)
        PlayerKit.environment.setNetwork(NetworkState(.cellular))
        controller.configure(PlayerModel(videoSource: .url(EmbeddingTests.demoClip)))
        for await first in frames {
            #expect(first.totalTime > .zero)
            break
        }
        for await detection in detections {
            #expect(detection.network == .cellular && traffic.isOnCellularNetwork)
            break
        }
        controller.stop()
        for await analysis in analyses {
            #expect(analysis.validPlayDuration > .zero)
            break
        }
        controller.destroy()
    }

    @Test(
        "a source that is configured in the background shows its first frame in the foreground", .timeLimit(.minutes(1))
    )
    func background() async {
        let controller = PlayerController()
        let events = controller.events
        controller.onPause()
        controller.configure(PlayerModel(videoSource: .url(EmbeddingTests.demoClip)))
        var seen: [EventType] = []
        for await event in events {
            seen.append(event.type)
            if event.type == .prepared { #expect(controller.onResume() == .performed) }
            if event.type == .firstVideoFrame || event.type == .error { break }
        }
        #expect(seen.filter { $0 == .foreground || $0 == .firstVideoFrame } == [.foreground, .firstVideoFrame])
        controller.destroy()
    }

    @Test("strategies of a plugin file run on every controller made afterwards", .timeLimit(.minutes(1)))
    func pluginFile() async throws {
        let directory = try TemporaryDirectory()
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Examples/c-monitor/c-monitor.c").standardized
        let path = try CommandLineTool.compile(
            String(contentsOf: source, encoding: .utf8), to: "libcounter.so", in: directory)
        defer { StrategyRegistry.shared.resetToDefault() }

        var selection = StrategySelection()
        selection.plugins = [.init(path: path)]
        selection.settings = [.init(strategy: "com.example.counter", key: "every", text: "10")]
        #expect(try PlayerKit.addStrategies(selection) == nil)

        let controller = PlayerController()
        let watcher = Watcher()
        controller.addNotificationDelegate(watcher)
        controller.configure(PlayerModel(videoSource: .url(EmbeddingTests.demoClip)))
        #expect(await watcher.untilEnd() == ["first frame", "completion"])
        controller.destroy()
        let rows = controller.strategyManager.statuses
        #expect(rows.contains { $0.name == "first-frame" })
        let row = rows.first { $0.name == "com.example.counter" }
        #expect(row?.origin == path && row?.runs == .worker && row?.faults.isEmpty == true)
        #expect(row?.eventsDelivered ?? 0 > 0)
    }

    @Test("a built-in lifecycle strategy is a pool for controllers", .timeLimit(.minutes(1)))
    func builtInPool() async throws {
        var selection = StrategySelection()
        selection.lifecycle = "reuse-pool"
        let pool = try #require(try PlayerKit.addStrategies(selection))
        for _ in 0..<2 {
            let controller = PlayerController(lifecycleStrategy: pool)
            let watcher = Watcher()
            controller.addNotificationDelegate(watcher)
            controller.configure(PlayerModel(videoSource: .url(EmbeddingTests.demoClip)))
            #expect(await watcher.calls.first { _ in true } == "first frame")
            controller.configure(PlayerModel(videoSource: .url(EmbeddingTests.demoClip)))
            controller.destroy()
        }
        #expect(pool.counts.reused >= 1)
    }

    @Test("the built-in lifecycle strategies are had by their names", .timeLimit(.minutes(1)))
    func namedPools() throws {
        let strategies: [(any PooledLifecycleStrategy, String, Int64?)] = [
            (try DefaultLifecycleStrategy(), "default", nil),
            (try ReusePoolLifecycleStrategy(maxPoolSize: 2), "reuse-pool", 2),
            (try IdScopedPoolLifecycleStrategy(maxPoolSize: 5, hardMax: 6), "id-scoped-pool", 5),
            (try SingletonLifecycleStrategy.shared, "singleton", nil),
        ]
        for (strategy, name, size) in strategies {
            let controller = PlayerController(lifecycleStrategy: strategy)
            defer { controller.destroy() }
            controller.configure(PlayerModel(videoSource: .url(EmbeddingTests.demoClip)))
            #expect(strategy.counts.strategy == name && strategy.activeCount == 1)
            #expect(strategy.maxPoolSize == size && strategy.status.faults.isEmpty)
        }
        #expect(try SingletonLifecycleStrategy.shared === SingletonLifecycleStrategy.shared)
        let error = #expect(throws: PlayerError.self) { try ReusePoolLifecycleStrategy(maxPoolSize: 0) }
        #expect(error?.code == .invalidConfiguration)
    }

    @Test("a plugin that cannot be had is a typed error, and nothing is added")
    func noPlugin() throws {
        var selection = StrategySelection()
        selection.plugins = [.init(path: "/nonexistent/libcounter.so")]
        let refused = #expect(throws: PlayerError.self) { try PlayerKit.addStrategies(selection) }
        #expect(refused?.code == .pluginRefused && refused?.cause == "not_found")
        selection.plugins = []
        selection.monitors = ["first-frme"]
        let unknown = #expect(throws: PlayerError.self) { try PlayerKit.addStrategies(selection) }
        #expect(unknown?.code == .invalidConfiguration)
    }

    @Test("a directory of built-in strategies that does not exist is a typed error that names it")
    func noDirectory() {
        for directory in ["/nonexistent/builtin", EmbeddingTests.demoClip] {
            let error = #expect(throws: PlayerError.self) { try Installation(pluginDirectory: directory) }
            #expect(error?.code == .notFound)
            #expect(error?.message.contains(directory) == true)
        }
    }

    @Test("a missing file is a typed error", .timeLimit(.minutes(1)))
    func missing() async {
        let controller = PlayerController()
        let watcher = Watcher()
        controller.addNotificationDelegate(watcher)
        controller.configure(PlayerModel(videoSource: .url("/nonexistent/movie.mp4")))
        #expect(await watcher.untilEnd() == ["io.not_found"])
        #expect(controller.playerState == .error)
        controller.destroy()
    }

    @Test("the versions are known")
    func versions() {
        #expect(!PlayerKit.playerKitVersion.isEmpty)
        #expect(PlayerKit.sdkVersion.split(separator: ".").count == 3)
    }
}
