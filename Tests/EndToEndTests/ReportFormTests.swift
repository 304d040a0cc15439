// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing

/// Lines, metrics, pages and summaries, as the command writes them.
@Suite struct ReportFormTests {
    private func lines(_ path: String) throws -> [JSONValue] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try JSONReader().read(String($0))
        }
    }

    /// Checks lines against their schema and gives those of a kind.
    private func checked(_ lines: [JSONValue], _ kind: String) throws -> [JSONValue] {
        var checker = try SchemaChecker("lines.schema.json")
        for line in lines { #expect(checker.check(line) == [], "\(line)") }
        #expect(lines.first?["line"] == "begin" && lines.last?["line"] == "end")
        return lines.filter { $0["line"]?.string == kind }
    }

    @Test func linesTellWhatTheReportSays() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("lines.jsonl")
        let report = try Kitshell.play(
            Media.short, Media.path("text.mp4"), "--plugin", try CMonitor.path(), "--report", "jsonl=\(path)")
        #expect(report.status == 1)
        let lines = try lines(path)
        let sessions = try checked(lines, "session")
        #expect(sessions.map { $0["outcome"] } == ["complete", "vsf"])
        for (line, session) in zip(sessions, report.sessions) {
            for member in line.object?.members ?? [] where member.key != "line" {
                #expect(member.value == session[member.key], "\(member.key)")
            }
        }
        let counts = lines.filter { $0["strategy"]?.string == CMonitor.id && $0["session"] == 1 }
        #expect(counts.last?["fields"] == report.count())
        #expect(lines.last?["strategies"] == report.json["strategies"])
        #expect(lines.last?["lines_lost"] == 0)
    }

    @Test func linesGoToEveryPlaceAndEndWhereALogIsMalformed() throws {
        let directory = try TemporaryDirectory()
        let (one, other) = (directory.file("one.jsonl"), directory.file("other.jsonl"))
        let arguments = ["--report", "jsonl=\(one)", "--report", "jsonl=\(other)"]
        let golden = GoldenLog(name: "autoplay-off")
        #expect(try Kitshell.start(["replay", golden.path] + arguments).wait().status == 0)
        #expect(try checked(try lines(one), "session").count == 1)
        #expect(try lines(one) == (try lines(other)))
        let bad = try directory.write(Array((try golden.text + "not json\n").utf8), to: "bad.jsonl")
        #expect(try Kitshell.start(["replay", bad] + arguments).wait().status == 2)
        #expect(try lines(one).first?["line"] == "begin" && !(try lines(one).contains { $0["line"] == "end" }))
    }

    @Test func linesOfAReplayNameSessionsAsTheyEnd() throws {
        let output = try Kitshell.run("replay", GoldenLog(name: "pause-into-empty-buffer").path, "--report", "jsonl")
        let lines = try output.output.split(separator: "\n").map { try JSONReader().read(String($0)) }
        #expect(try checked(lines, "session").count == 1)
        #expect(lines.contains { $0["line"] == "occurrence" && $0["strategy"] == "stutter-detect" })
        #expect(output.status == 0)
    }

    @Test func aFaultIsALine() throws {
        let directory = try TemporaryDirectory()
        let plugin = try CMonitor.build(
            in: directory, batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", CMonitor.crash))
        let path = directory.file("lines.jsonl")
        let report = try Kitshell.play(Media.short, "--plugin", plugin, "--report", "jsonl=\(path)")
        #expect(report.status == 3)
        let faults = try checked(try lines(path), "fault")
        #expect(faults.map { $0["signal"] } == ["SIGSEGV"])
    }

    @Test func aReaderThatGoesAwayIsNoError() throws {
        let outcome = try Kitshell.run(
            ["play", Media.short, "--speed", "max", "--report", "jsonl"], redirecting: "| head -c 1")
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(outcome.output == "{")
    }

    @Test func aFullDiskIsAnErrorAndThePlaybackGoesOn() throws {
        let report = try Kitshell.play(Media.short, "--report", "jsonl=/dev/full")
        #expect(report.status == 1)
        #expect(report.presented == [50])
        #expect(report.errors.contains("/dev/full"))
    }

    @Test func metricsOfARunAreValid() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("metrics.txt")
        let report = try Kitshell.play(Media.short, Media.path("text.mp4"), "--report", "openmetrics=\(path)")
        #expect(report.sessions.count == 2)
        var checker = OpenMetricsChecker()
        #expect(checker.check(try String(contentsOfFile: path, encoding: .utf8)) == [])
        #expect(checker.value("kitshell_frames_total", ["source": "clip.mp4", "result": "presented"]) == 50)
        #expect(checker.value("kitshell_sessions_total", ["source": "text.mp4", "outcome": "vsf"]) == 1)
    }

    @Test func aPageOfARunAndOfItsReplayShowTheSameSessions() throws {
        let directory = try TemporaryDirectory()
        let (log, live, again) = (directory.file("e.jsonl"), directory.file("live.html"), directory.file("again.html"))
        _ = try Kitshell.play(Media.short, "--record", log, "--report", "html=\(live)")
        _ = try Kitshell.replay(log, "--report", "html=\(again)")
        let pages = try [live, again].map { path in
            let text = try String(contentsOfFile: path, encoding: .utf8)
            // Strategies and pool are another matter: a replay has no pool.
            let section = try #require(text.firstRange(of: "<section"))
            let strategies = try #require(text.firstRange(of: "<h2>Strategies</h2>"))
            return String(text[section.lowerBound..<strategies.lowerBound])
        }
        #expect(pages[0] == pages[1])
        #expect(pages[0].contains("class=\"area\"") && pages[0].contains("st-playing"))
    }

    // MARK: Summaries

    @Test func aSummaryIsTheSameInAnyOrderAndHeldToExpectations() throws {
        let logs = GoldenLog.all.map(\.path)
        func summary(_ logs: [String]) throws -> JSONValue {
            try Report(try Kitshell.start(["replay", "--summary", "--report", "json"] + logs).wait()).json
        }
        let whole = try summary(logs)
        var checker = try SchemaChecker("summary.schema.json")
        #expect(checker.check(whole) == [])
        #expect(whole["sessions"]?.int ?? 0 >= Int64(logs.count))
        #expect(JSONWriter.text(whole) == JSONWriter.text(try summary(logs.reversed())))
        let failed = try Kitshell.start(["replay", "--summary", "--expect", "stalls.count == 0"] + logs).wait()
        #expect(failed.status == 4)
        #expect(failed.errors.contains("\(GoldenLog(name: "pause-into-empty-buffer").path): expectation"))
        #expect(failed.output.contains(" first frame"))
    }

    @Test func aSummaryAsMetricsIsValid() throws {
        let logs = GoldenLog.all.map(\.path)
        let outcome = try Kitshell.start(["replay", "--summary", "--report", "openmetrics"] + logs).wait()
        var checker = OpenMetricsChecker()
        #expect(checker.check(outcome.output) == [])
        #expect(outcome.status == 0)
    }

    @Test func aMalformedLogAmongOthersIsNamed() throws {
        let directory = try TemporaryDirectory()
        let bad = try directory.write(Array("{\"schema\":\"kitshell.events/1\"}\nnot json\n".utf8), to: "bad.jsonl")
        let logs = [GoldenLog(name: "autoplay-off").path, bad]
        let outcome = try Kitshell.start(["replay", "--summary"] + logs).wait()
        #expect(outcome.status == 2 && outcome.output == "")
        #expect(outcome.errors.contains("\(bad):2: "))
        let kept = try Kitshell.start(["replay", "--summary", "--keep-going"] + logs).wait()
        #expect(kept.status == 0 && kept.errors.contains("\(bad): skipped 1 malformed line"))
    }
}
