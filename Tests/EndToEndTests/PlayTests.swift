// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct PlayTests {
    @Test func theReportHasEveryKeyAndNoOther() throws {
        let report = try Kitshell.play(Kitshell.clip, "--plugin", try CMonitor.path())
        var checker = try SchemaChecker("report.schema.json")
        #expect(checker.check(report.json) == [])
        #expect(report.status == 0)
        #expect(report.errors == "")
    }

    @Test func everyPictureOfTheClipIsPresented() throws {
        let report = try Kitshell.play(Kitshell.clip)
        let session = try #require(report.sessions.first)
        let counts = ["decoded", "presented", "dropped_late", "dropped_decoder", "skipped"].map {
            session["frames"]?[$0]?.int
        }
        #expect(counts == [125, 125, 0, 0, 0])
        #expect(session["outcome"] == "complete")
        #expect(session["end_reason"] == "completed")
        #expect(session["errors"] == [])
        #expect(report.sessions.count == 1)
    }

    @Test func theFirstFrameTakesWhatPreparingAndRenderingTake() throws {
        let report = try Kitshell.play(Media.short)
        let firstFrame = try #require(report.sessions.first?["first_frame"])
        let prepare = try #require(firstFrame["prepare_ms"]?.number)
        let render = try #require(firstFrame["render_ms"]?.number)
        let total = try #require(firstFrame["total_ms"]?.number)
        #expect(prepare > 0)
        #expect(render > 0)
        #expect(abs(total - (prepare + render)) < 0.0005)
    }

    @Test func aPluginSeesTheSameEventsInBothPlaces() throws {
        // What is told between the first and the last event of a session depends on how fast this machine decodes: a log does not.
        let directory = try TemporaryDirectory()
        let log = directory.file("events.jsonl")
        _ = try Kitshell.play(Media.short, "--record", log)
        let plugin = try CMonitor.path()
        let worker = try Kitshell.replay(log, "--plugin", plugin)
        let inProcess = try Kitshell.replay(log, "--plugin", plugin, "--isolation", "in-process")
        #expect(worker.strategy(CMonitor.id)?["runs"] == "worker")
        #expect(inProcess.strategy(CMonitor.id)?["runs"] == "in-process")
        let count = try #require(worker.count())
        #expect(inProcess.count() == count)
        #expect((count["events"]?.int ?? 0) > 50)
        #expect(count["dropped"] == 0)
    }

    @Test(arguments: ["worker", "in-process"])
    func aPluginGetsEveryEventThatThePlayerTold(isolation: String) throws {
        let report = try Kitshell.play(Media.short, "--plugin", try CMonitor.path(), "--isolation", isolation)
        let row = try #require(report.strategy(CMonitor.id))
        #expect(report.count()?["events"] == row["events_delivered"])
        #expect(row["events_dropped"] == 0)
        #expect(row["runs"]?.string == isolation)
        #expect(row["health"] == "running")
        #expect(report.status == 0)
    }

    @Test func aPlayerIsReusedForTheNextSource() throws {
        let report = try Kitshell.play(Media.short, Media.path("clip.mkv"), "--lifecycle", "reuse-pool")
        #expect(report.json["pool"]?["strategy"] == "reuse-pool")
        #expect(report.json["pool"]?["created"] == 1)
        #expect(report.json["pool"]?["reused"] == 1)
        #expect(report.sessions.map { $0["instance"] } == ["cold", "warm"])
        #expect(report.presented == [50, 50])
        #expect(report.status == 0)
    }

    @Test func withoutALifecycleStrategyEachSourceHasAPlayerOfItsOwn() throws {
        let report = try Kitshell.play(Media.short, Media.path("clip.mkv"))
        #expect(report.json["pool"]?["strategy"] == "default")
        #expect(report.json["pool"]?["created"] == 2)
        #expect(report.json["pool"]?["reused"] == 0)
        #expect(report.presented == [50, 50])
    }

    @Test func aPluginWithoutASourcePlaysTheDemoClip() throws {
        let outcome = try Kitshell.run("--plugin", try CMonitor.path(), "--speed", "max", "--report", "json")
        let report = try Report(outcome)
        #expect(report.presented == [125])
        #expect(report.count() != nil)
        #expect(report.status == 0)
    }

    @Test func noMonitorMeansNone() throws {
        let report = try Kitshell.play(Media.short, "--monitor", "none")
        #expect(report.json["strategies"] == [])
        #expect(report.sessions.first?["first_frame"] == nil)
        #expect(report.presented == [50])
    }

    @Test func namedMonitorsReplaceTheDefaultOnes() throws {
        let report = try Kitshell.play(Media.short, "--monitor", "first-frame", "--plugin", try CMonitor.path())
        let names = report.json["strategies"]?.array?.compactMap { $0["name"]?.string }
        #expect(names == [CMonitor.id, "first-frame"])
    }

    @Test func anInstanceHasTheNameItWasGiven() throws {
        let plugin = try CMonitor.path()
        let report = try Kitshell.play(Media.short, "--plugin", "one=\(plugin)", "--plugin", "two=\(plugin)")
        #expect(report.count("one") != nil)
        #expect(report.count("one") == report.count("two"))
        #expect(report.status == 0)
    }

    @Test(arguments: ["prepared", "first-frame"])
    func playingStopsAtThePointAskedFor(until: String) throws {
        let report = try Kitshell.play(Kitshell.clip, "--until", until)
        let session = try #require(report.sessions.first)
        #expect(session["end_reason"] == "until")
        #expect((session["frames"]?["presented"]?.int ?? 0) < 125)
        #expect(session["media"]?["video"]?["width"] == 640)
        #expect(until == "prepared" || session["first_frame"]?["total_ms"]?.number != nil)
        #expect(report.status == 0)
    }

    @Test func withoutAutoplayASourceIsPreparedAndThatIsAll() throws {
        let report = try Kitshell.play(Media.short, "--no-autoplay")
        let session = try #require(report.sessions.first)
        #expect(session["end_reason"] == "until")
        #expect(session["media"]?["video"]?["codec"] == "h264")
        #expect(session["states_ms"]?["playing"] == 0)
        #expect(report.status == 0)
    }

    @Test func theTextReportNamesWhatWasPlayedWithinItsSize() throws {
        let outcome = try Kitshell.run(
            Media.short, "--speed", "max", "--plugin", try CMonitor.path(), "--lifecycle", "reuse-pool")
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 20)
        #expect(lines.allSatisfy { $0.count <= 80 })
        for word in ["clip.mp4", CMonitor.id, "event_count", "first frame", "50 shown", "reuse-pool"] {
            #expect(outcome.output.contains(word), "the report does not say '\(word)':\n\(outcome.output)")
        }
        #expect(outcome.status == 0)
    }

    @Test(arguments: ["none", "wifi", "ethernet", "cellular"])
    func aNetworkThatIsGivenStandsInForTheMachines(network: String) throws {
        let report = try Kitshell.play(
            Media.short, Media.short, "--network", network, "--set", "traffic-protection.debounce_ms=1000")
        for session in report.sessions {
            #expect(session["traffic"]?["type"]?.string == network)
            #expect(session["traffic"]?["metered"] == .null)
        }
        // An episode goes on from session to session and is told once.
        #expect(
            report.sessions.map { $0["traffic"]?["cellular_episodes"]?.int }
                == (network == "cellular" ? [1, 0] : [0, 0]))
    }

    @Test func theMachinesNetworkIsInTheLogOfEveryRun() throws {
        let directory = try TemporaryDirectory()
        let log = directory.file("events.jsonl")
        let report = try Kitshell.play(Media.short, "--record", log)
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(lines.filter { $0.contains("\"event\":\"network\"") }.count >= 1)
        #expect(report.sessions.first?["traffic"]?["type"] != nil)
    }
}
