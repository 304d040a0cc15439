// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import PlayerKit
import Synchronization
import TestSupport
import Testing

@Suite("A feed is played item by item", .timeLimit(.minutes(10)))
struct FeedRunTests {
    /// The built-ins stay mapped, so their directory stays as long as the process.
    private static let builtins = Result {
        try StagedBuiltins(
            "first-frame", "stutter-detect", "traffic-protection", "default", "reuse-pool", "id-scoped-pool",
            "singleton")
    }

    /// A feed of fake players, whose time a test moves.
    private final class Stage: Sendable {
        let clock = FakeClock()
        let factory: FakePlayerFactory
        let run: FeedRun
        /// - Parameter watching: what happens while an item is watched, by its position.
        init(
            _ settings: FeedSettings, script: FakePlayerScript = FakePlayerScript(preparesAtOnce: false),
            watching: @escaping @Sendable (Stage, Int) -> Void
        ) throws {
            let (factory, clock) = (FakePlayerFactory(script: script), clock)
            self.factory = factory
            let box = Box()
            run = try FeedRun(
                settings, catalog: try Installation(pluginDirectory: try FeedRunTests.builtins.get().path).catalog,
                log: LogHub(console: { _ in }),
                surroundings: FeedRun.Surroundings(clock: clock, factory: factory) { position in
                    if let stage = box.stage.withLock({ $0 }) { watching(stage, position) }
                })
            box.stage.withLock { $0 = self }
        }

        private final class Box: Sendable {
            let stage = Mutex<Stage?>(nil)
        }

        /// The player that was made last, which under `default` is the one of the item, gets ready after a time.
        func show(after milliseconds: Int64) {
            clock.advance(milliseconds: milliseconds)
            factory.players.last?.finishPreparing()
        }
    }

    private func settings(_ sources: Int, swipes: Int? = nil, lifecycle: String? = nil) -> FeedSettings {
        var settings = FeedSettings(
            models: (0..<sources).map { PlayerModel(videoSource: .url("/media/\($0).mp4")) })
        settings.swipes = swipes
        settings.strategies.lifecycle = lifecycle
        settings.network = .ethernet
        return settings
    }

    private func report(
        _ settings: FeedSettings, script: FakePlayerScript = FakePlayerScript(preparesAtOnce: false),
        watching: @escaping @Sendable (Stage, Int) -> Void
    ) throws -> FeedReport {
        try Stage(settings, script: script, watching: watching).run.run().report
    }

    @Test("one pass through the list: the first item is the start, each further one a swipe")
    func onePass() throws {
        let json = try report(settings(4)) { stage, position in stage.show(after: Int64(position + 1) * 10) }.json
        #expect(json["start"]?["first_frame_ms"] == 10.0)
        #expect(json["swipes"]?["count"] == 3)
        #expect(json["swipes"]?["first_frame_ms"] == ["p50": 30.0, "p95": 40.0, "p99": 40.0, "max": 40.0])
        #expect(json["items"]?.array?.map { $0["source"] } == (0..<4).map { .string("/media/\($0).mp4") })
        #expect(json["items"]?.array?.map { $0["decision"] } == .init(repeating: "created", count: 4))
        #expect(json["items"]?.array?.map { $0["player"] } == [1, 2, 3, 4])
        #expect(json["instances"]?["cold"]?["count"] == 3)
        #expect(json["instances"]?["warm"]?["count"] == 0)
        #expect(json["instances"]?["warm"]?["first_frame_ms"]?["p50"] == .null)
        #expect(json["interrupted"] == false)
        #expect(json["pool"]?["created"] == 4)
    }

    @Test("more swipes than items begin anew")
    func wraps() throws {
        let json = try report(settings(2, swipes: 4)) { stage, _ in stage.show(after: 1) }.json
        let names = json["items"]?.array?.compactMap { $0["source"]?.string }
        #expect(names == [0, 1, 0, 1, 0].map { "/media/\($0).mp4" })
    }

    @Test("a single item is the start and nothing else, and no figure is known")
    func single() throws {
        let json = try report(settings(1)) { stage, _ in stage.show(after: 1) }.json
        #expect(json["swipes"]?["count"] == 0)
        #expect(json["swipes"]?["first_frame_ms"]?["p50"] == .null)
    }

    @Test("a missed swipe is longer than all that are known, so a percentile among the missed ones is unknown")
    func missed() throws {
        let json = try report(settings(21)) { stage, position in
            stage.clock.advance(milliseconds: 5)
            if position % 10 != 5 { stage.show(after: 5) }
        }.json
        let swipes = json["swipes"]
        #expect(swipes?["count"] == 20)
        #expect(swipes?["missed"] == 2)
        #expect(swipes?["first_frame_ms"] == ["p50": 10.0, "p95": nil, "p99": nil, "max": nil])
        #expect(json["items"]?.array?[5]["outcome"] == "missed")
        #expect(json["items"]?.array?[5]["first_frame_ms"] == .null)
    }

    @Test("a picture that takes longer than an item is watched was missed, though it came")
    func late() throws {
        var settings = settings(4)
        settings.swipeEvery = .milliseconds(100)
        let json = try report(settings) { stage, position in stage.show(after: position == 2 ? 661 : 100) }.json
        #expect(json["items"]?.array?.map { $0["outcome"] } == ["shown", "shown", "missed", "shown"])
        #expect(json["items"]?.array?[2]["first_frame_ms"] == 661.0)
        #expect(json["swipes"]?["missed"] == 1)
        #expect(json["swipes"]?["first_frame_ms"] == ["p50": 100.0, "p95": nil, "p99": nil, "max": nil])
        #expect(json["lasted_ms"] == 961.0)
        #expect(json["nominal_ms"] == 400.0)
    }

    @Test("a picture that comes at once, after asking for a player took longer than an item is watched, was missed")
    func blocked() throws {
        var settings = settings(4)
        settings.swipeEvery = .milliseconds(100)
        let made = Mutex(0)
        let json = try report(settings) { stage, position in
            stage.show(after: 10)
            stage.factory.onMake { [clock = stage.clock] in
                let count = made.withLock { made in
                    made += 1
                    return made
                }
                if count == 2 { clock.advance(milliseconds: 150) }
            }
        }.json
        let items = json["items"]?.array ?? []
        #expect(items.map { $0["outcome"] } == ["shown", "shown", "missed", "shown"])
        #expect(items.map { $0["first_frame_ms"] } == [10.0, 10.0, 160.0, 10.0])
        #expect(json["swipes"]?["missed"] == 1 && json["swipes"]?["shown"] == 2)
        #expect(json["lasted_ms"] == 190.0)
    }

    @Test("swipes that are missed while their sources are tried again say why, and whether one was ever reached")
    func unreachable() throws {
        let refused = PlayerEvent.retry(attempt: 1, reason: "Connection refused")
        let never = try report(settings(3)) { stage, position in
            guard position > 0 else { return stage.show(after: 1) }
            stage.factory.players.last?.post(refused)
            stage.factory.players.last?.post(refused)
        }
        #expect(never.json["swipes"]?["missed"] == 2)
        #expect(never.json["items"]?.array?.map { $0["retries"] } == [0, 2, 2])
        #expect(
            never.json["items"]?.array?.map { $0["retry_reason"] } == [
                .null, "Connection refused", "Connection refused",
            ])
        let errors = never.json["errors"]?.array ?? []
        #expect(errors.map { $0["source"] } == ["/media/1.mp4", "/media/2.mp4"])
        #expect(errors.map { $0["message"] } == ["Connection refused", "Connection refused"])
        #expect(errors.allSatisfy { $0["fatal"] == false })
        #expect(never.hasUnreachedSource)
        let once = try report(settings(2, swipes: 3)) { stage, position in
            guard position == 3 else { return stage.show(after: 1) }
            stage.factory.players.last?.post(refused)
        }
        #expect(once.json["swipes"]?["missed"] == 1)
        #expect(!once.hasUnreachedSource)
        let slow = try report(settings(2)) { stage, position in if position == 0 { stage.show(after: 1) } }
        #expect(slow.json["swipes"]?["missed"] == 1)
        #expect(!slow.hasUnreachedSource)
    }

    @Test("a source that fails is counted, in no figure of time, and the feed goes on")
    func failing() throws {
        let report = try report(settings(4)) { stage, position in
            if position == 2 {
                stage.factory.players.last?.fail(PlayerError(.notFound, "it is gone", hint: "Look for it."))
            } else {
                stage.show(after: 8)
            }
        }
        #expect(report.json["swipes"]?["failed"] == 1)
        #expect(report.json["swipes"]?["shown"] == 2)
        #expect(report.json["swipes"]?["first_frame_ms"]?["max"] == 8.0)
        #expect(report.json["items"]?.array?[2]["outcome"] == "failed")
        let errors = report.json["errors"]?.array ?? []
        #expect(errors.map { $0["source"] } == ["/media/2.mp4"])
        #expect(errors.map { $0["message"] } == ["it is gone"])
        #expect(report.playback.sessions.count == 4)
    }

    @Test("a player that cannot be made fails its item")
    func factoryFails() throws {
        let json = try report(settings(3)) { stage, position in
            stage.show(after: 1)
            stage.factory.fail(from: position == 0 ? 2 : .max)
        }.json
        #expect(json["items"]?.array?.map { $0["outcome"] } == ["shown", "failed", "shown"])
        #expect(json["items"]?.array?[1]["decision"] == "failed")
        #expect(json["items"]?.array?[1]["player"] == .null)
        #expect(json["items"]?.array?[1]["instance"] == .null)
        #expect(json["swipes"]?["count"] == 2)
        #expect(json["instances"]?["cold"]?["count"] == 1)
        #expect(json["instances"]?["none"]?["count"] == 1)
        #expect(json["instances"]?["none"]?["failed"] == 1)
    }

    @Test("an interrupt ends the feed, and the swipe that it came into is counted only if it had its picture")
    func interrupted() throws {
        for isShown in [true, false] {
            let json = try report(settings(9)) { stage, position in
                if position < 3 || isShown { stage.show(after: 3) }
                if position == 3 { stage.run.interrupt() }
            }.json
            #expect(json["interrupted"] == true)
            #expect(json["items"]?.array?.count == 4)
            #expect(json["swipes"]?["count"] == (isShown ? 3 : 2))
            #expect(json["swipes"]?["missed"] == 0)
            #expect(json["items"]?.array?[3]["outcome"] == (isShown ? "shown" : "interrupted"))
        }
    }

    @Test("an interrupt before the run leaves nothing to tell, and no zero")
    func interruptedBefore() throws {
        let stage = try Stage(settings(2)) { stage, _ in stage.show(after: 1) }
        stage.run.interrupt()
        let json = stage.run.run().report.json
        #expect(json["start"] == .null)
        #expect(json["items"] == [])
        #expect(json["frames"]?["presented"] == .null)
        #expect(stage.factory.players.isEmpty)
    }

    @Test(
        "the pool has room for the window and what plays, unless it is set otherwise",
        arguments: [("reuse-pool", 3, nil, 7), ("id-scoped-pool", 2, nil, 5), ("reuse-pool", 3, "4", 4)]
            as [(String, Int, String?, JSONValue)])
    func poolSize(lifecycle: String, window: Int, set: String?, expected: JSONValue) throws {
        var settings = settings(2, lifecycle: lifecycle)
        settings.window = window
        if let set { settings.strategies.settings = [.init(strategy: lifecycle, key: "max_pool_size", text: set)] }
        let json = try report(settings) { stage, _ in stage.show(after: 1) }.json
        #expect(json["max_pool_size"] == expected)
    }

    @Test("a strategy without that option has no size", arguments: ["default", "singleton"])
    func noPoolSize(lifecycle: String) throws {
        let json = try report(settings(2, lifecycle: lifecycle)) { stage, _ in stage.show(after: 1) }.json
        #expect(json["max_pool_size"] == .null)
        #expect(json["strategy"] == .string(lifecycle))
    }

    @Test("what is announced is made ready ahead and hit by the swipe to it")
    func announced() throws {
        let report = try report(settings(5, lifecycle: "id-scoped-pool"), script: FakePlayerScript()) { _, _ in }
        let items = report.json["items"]?.array ?? []
        #expect(items.map { $0["decision"] } == ["created", "hit", "hit", "hit", "hit"])
        #expect(items[0]["prepared"]?.array?.map { $0["stage"] } == ["first_frame", "prepared"])
        #expect(items[1]["player"] == items[0]["prepared"]?.array?.first?["player"])
        #expect(report.json["pool"]?["hits"] == 4)
        // What was only made ready is no session of the feed.
        #expect(report.playback.sessions.count == 5)
    }

    @Test("behind the last item of a single pass nothing is announced", arguments: [0, 1, 2])
    func window(window: Int) throws {
        var settings = settings(3, lifecycle: "id-scoped-pool")
        settings.window = window
        let json = try report(settings, script: FakePlayerScript()) { _, _ in }.json
        let ahead = json["items"]?.array?.map { item in
            (item["prepared"]?.array ?? []).compactMap { $0["id"]?.string }
        }
        let expected = [[[], [], []], [[1], [2, 0], [1]], [[1, 2], [2, 0], [1]]]
        #expect(ahead == expected[window].map { $0.map { "file:/media/\($0).mp4" } })
    }
}
