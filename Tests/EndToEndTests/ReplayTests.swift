// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct ReplayTests {
    @Test(arguments: [
        [Media.short], [Media.short, Media.path("text.mp4"), Media.path("cut-tail.mp4"), Media.path("clip.mkv")],
    ])
    func aRecordedRunReplaysToTheSameSessions(sources: [String]) throws {
        let directory = try TemporaryDirectory()
        let log = directory.file("events.jsonl")
        let plugin = try CMonitor.path()
        let arguments = ["--plugin", plugin, "--report", "json"]
        let played = try Report(
            try Kitshell.start(["play"] + sources + ["--speed", "max", "--record", log] + arguments).wait())
        let replayed = try Kitshell.replay(log, "--plugin", plugin)
        #expect(played.sessions.count == sources.count)
        #expect(played.sessions.indices.allSatisfy { played.count(session: $0) != nil })
        #expect(replayed.sessionsText == played.sessionsText)
        #expect(replayed.json["pool"] == .null)
        #expect(replayed.status == 0)
    }

    @Test(arguments: [("reuse-pool", 1, 3), ("default", 4, 0)] as [(String, JSONValue, JSONValue)])
    func aReplayTellsTheSameOfHowWarmPlayersWere(lifecycle: String, cold: JSONValue, warm: JSONValue) throws {
        let directory = try TemporaryDirectory()
        let log = directory.file("events.jsonl")
        let clips = [Media.short, Media.path("clip.mkv"), Media.short, Media.path("clip.mkv")]
        let played = try Report(
            try Kitshell.start(
                ["play", "--speed", "max", "--until", "first-frame", "--lifecycle", lifecycle, "--record", log]
                    + ["--report", "json"] + clips
            ).wait())
        let figures = try #require(played.json["first_frames"])
        #expect(figures["cold"]?["count"] == cold && figures["warm"]?["count"] == warm)
        #expect(figures["cold"]?["median_ms"]?.number != nil)
        #expect(try Kitshell.replay(log).json["first_frames"] == figures)
    }

    @Test func aReplayOfAFeedTellsTheSameOfHowWarmPlayersWere() throws {
        let directory = try TemporaryDirectory()
        let log = directory.file("events.jsonl")
        let list = try directory.write([UInt8]("\(Media.short)\n\(Media.path("clip.mkv"))".utf8), to: "list.txt")
        let outcome = try Kitshell.start(
            ["feed", list, "--swipes", "3", "--swipe-every", "400", "--lifecycle", "id-scoped-pool"]
                + ["--record", log, "--report", "json"]
        ).wait()
        let instances = try #require(try Report(outcome).json["runs"]?.array?.first?["instances"])
        let figures = try Kitshell.replay(log).json["first_frames"]
        // The start is no swipe.
        for (kind, start) in [("cold", Int64(1)), ("warm", 0), ("pre_rendered", 0)] {
            let swipes = instances[kind]?["count"]?.int ?? 0
            #expect(figures?[kind]?["count"] == .int(swipes + start), "\(kind) of \(JSONWriter.text(instances))")
        }
    }

    @Test func everyLineOfALogIsInItsSchema() throws {
        let directory = try TemporaryDirectory()
        let log = directory.file("events.jsonl")
        _ = try Kitshell.play(Media.short, "--record", log)
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(lines.first == #"{"schema":"kitshell.events/1"}"#)
        var checker = try SchemaChecker("events.schema.json")
        for line in lines { #expect(checker.check(try JSONReader().read(String(line))) == []) }
    }

    /// What the built-in monitors of this build add to a session.
    private static let added = Result<Set<String>, any Error> {
        let report = try Report(try Kitshell.run("plugin", "list", "--report", "json"))
        let ids = Set((report.json["plugins"]?.array ?? []).compactMap { $0["id"]?.string })
        let places = ["first-frame": "first_frame", "stutter-detect": "stutter", "traffic-protection": "traffic"]
        return Set(places.filter { ids.contains($0.key) }.values)
    }

    @Test(arguments: GoldenLog.all)
    func aGoldenLogReplaysToWhatIsExpected(golden: GoldenLog) throws {
        let missing = Set(["first_frame", "stutter", "traffic"]).subtracting(try ReplayTests.added.get())
        let report = try Kitshell.replay(golden.path)
        #expect(try golden.differences(from: report.json, leavingOut: missing) == [])
        #expect(report.status == 0)
    }

    @Test func aLogOnStandardInputIsReplayed() throws {
        let golden = GoldenLog(name: "autoplay-off")
        let fromInput = try Kitshell.replay("-", input: golden.path)
        #expect(fromInput.sessionsText == (try Kitshell.replay(golden.path)).sessionsText)
    }

    @Test func aMalformedLineEndsTheReplayWithItsNumber() throws {
        let directory = try TemporaryDirectory()
        let log = try directory.write(
            Array(
                "{\"schema\":\"kitshell.events/1\"}\n{\"t_ms\":0,\"event\":\"request\",\"source\":\"a\"}\nnot json\n"
                    .utf8),
            to: "bad.jsonl")
        let outcome = try Kitshell.run("replay", log, "--report", "json")
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("\(log):3: "))

        let kept = try Kitshell.replay(log, "--keep-going")
        #expect(kept.sessions.count == 1)
        #expect(kept.sessions.first?["end_reason"] == .null)
        #expect(kept.errors.contains("1 malformed"))
        #expect(kept.status == 0)
    }

    @Test(arguments: ["nothing-here.jsonl", "", "clip.mp4", "empty.mp4"])
    func whatIsNoLogIsAUsageError(name: String) throws {
        let outcome = try Kitshell.run("replay", Media.path(name), "--report", "json")
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(Media.path(name)))
    }

    @Test(arguments: ["on_events", "destroy"])
    func aPluginThatCrashesInAReplayIsNamed(during call: String) throws {
        let directory = try TemporaryDirectory()
        let plugin = try CMonitor.build(
            in: directory, batch: call == "on_events" ? CMonitor.crash : "",
            destroy: call == "destroy" ? CMonitor.crash : "")
        let report = try Kitshell.replay(GoldenLog(name: "autoplay-off").path, "--plugin", plugin)
        #expect(report.faults(of: CMonitor.id).first == "crash \(call) SIGSEGV")
        #expect(report.sessions.count == 1)
        #expect(report.status == 3)
    }
}
