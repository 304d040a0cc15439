// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import JSONText
import TestSupport
import Testing

/// The example plugin that acts, wherever it runs.
@Suite struct ActionTests {
    private static let id = "com.example.pause-on-cellular"

    private static func example(in directory: TemporaryDirectory, compiler: String = "cc") throws -> String {
        let source = Kitshell.root.appending(path: "Examples/pause-on-cellular/pause-on-cellular.c")
        let isC = compiler == "cc"
        return try CommandLineTool.compile(
            try String(contentsOf: source, encoding: .utf8), to: "libpauseoncellular.so", in: directory,
            arguments: [
                "-shared", "-fPIC", "-fvisibility=hidden", isC ? "-std=c11" : "-std=c++17", "-Wall", "-Wextra",
                "-Wpedantic", "-Werror",
            ], compiler: compiler)
    }

    private func pauses(_ report: Report) -> JSONValue? {
        report.sessions.first?["plugins"]?[ActionTests.id]?["pauses"]
    }

    @Test func theExampleIsAPluginInCAndCPlusPlus() throws {
        let directory = try TemporaryDirectory()
        _ = try ActionTests.example(in: directory, compiler: "c++")
        let plugin = try ActionTests.example(in: directory)
        let outcome = try Kitshell.run("plugin", "inspect", plugin, "--report", "json")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("actions"))
    }

    @Test(arguments: ["worker", "in-process"])
    func aGrantedRequestPausesAndAReplayTellsTheSameWithoutActing(isolation: String) throws {
        let directory = try TemporaryDirectory()
        let plugin = try ActionTests.example(in: directory)
        let log = directory.file("events.jsonl")
        let process = try Kitshell.start([
            "play", Kitshell.clip, "--plugin", plugin, "--isolation", isolation, "--grant", "\(ActionTests.id):actions",
            "--network", "cellular", "--record", log, "--report", "json",
        ])
        try #require(Patience.wait { process.errors.contains("asked to pause") })
        process.send(SIGINT)
        let played = try Report(try process.wait())
        #expect(pauses(played) == ["asked": 1, "paused": 1, "refused": 0])
        #expect((played.sessions.first?["states_ms"]?["paused"]?.number ?? 0) > 0)
        #expect(played.faults(of: ActionTests.id).isEmpty)
        let text = try String(contentsOfFile: log, encoding: .utf8)
        #expect(text.contains("\"event\":\"action_requested\"") && text.contains("\"event\":\"action_done\""))

        for grant in [[], ["--grant", "\(ActionTests.id):actions"]] {
            let arguments = ["replay", "--report", "json", log, "--plugin", plugin, "--isolation", isolation] + grant
            let replayed = try Report(try Kitshell.start(arguments).wait())
            #expect(replayed.sessionsText == played.sessionsText)
            #expect(replayed.status == 0)
        }
    }

    @Test(arguments: ["worker", "in-process"])
    func aRequestThatIsNotGrantedIsRefusedAndReported(isolation: String) throws {
        let directory = try TemporaryDirectory()
        let plugin = try ActionTests.example(in: directory)
        let log = directory.file("events.jsonl")
        let report = try Report(
            try Kitshell.start([
                "play", Kitshell.clip, "--plugin", plugin, "--isolation", isolation, "--network", "cellular",
                "--duration", "1500", "--record", log, "--report", "json",
            ]).wait())
        #expect(pauses(report) == ["asked": 1, "paused": 0, "refused": 1])
        #expect(report.sessions.first?["states_ms"]?["paused"]?.number == 0)
        #expect(report.faults(of: ActionTests.id) == ["denied request_action"])
        #expect(report.strategy(ActionTests.id)?["health"] == "running")
        #expect(report.status == 3)
        let replayed = try Kitshell.replay(log, "--plugin", plugin, "--isolation", isolation)
        #expect(replayed.sessionsText == report.sessionsText)
        #expect(replayed.status == 0)
    }

    @Test(arguments: [
        ["--grant", "com.example.pause-on-cellular:network"], ["--grant", "first-frame:actions"],
        ["--grant", "nobody:actions"], ["--grant", "actions"], ["--grant", ":actions"], ["--grant", "a:b:c"],
    ])
    func aGrantThatCannotBeIsAUsageError(arguments: [String]) throws {
        let directory = try TemporaryDirectory()
        let plugin = try ActionTests.example(in: directory)
        let outcome = try Kitshell.start(["play", Media.short, "--plugin", plugin] + arguments).wait()
        #expect(outcome.status == 2)
        #expect(!outcome.errors.isEmpty && outcome.output.isEmpty)
    }
}
