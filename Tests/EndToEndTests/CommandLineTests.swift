// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct CommandLineTests {
    /// What a wrong command line gives: the exit status, nothing on standard output, and these words on the other.
    private func expectUsageError(_ outcome: ChildProcess.Outcome, _ words: [String]) {
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        let text = outcome.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for word in words { #expect(text.contains(word), "no '\(word)' in: \(outcome.errors)") }
        let wide = outcome.errors.split(separator: "\n").filter { $0.count > 80 && !$0.contains("/") }
        #expect(wide == [])
    }

    @Test(arguments: [
        (["plya"], ["plya", "'play'"]),
        (["plugin", "lists"], ["lists", "'plugin list'"]),
        (["play", "--sped", "max"], ["--sped", "--speed"]),
        (["play", "--speed", "fast"], ["fast", "realtime, max"]),
        (["play", "--report", "jsn"], ["jsn", "'json'"]),
        (["play", "--speed"], ["--speed"]),
        (["play", ""], ["empty"]),
        (["replay"], ["replay"]),
        (["plugin", "inspect"], ["inspect"]),
        (["play", "--lifecycle", "nope"], ["nope", "default", "reuse-pool"]),
        (["play", "--lifecycle", "reuse-pol"], ["Did you mean 'reuse-pool'"]),
        (["play", "--lifecycle", "first-frame"], ["first-frame", "no lifecycle strategy"]),
        (["play", "--monitor", "first-frme"], ["Did you mean 'first-frame'"]),
        (
            ["play", "--lifecycle", "reuse-pool", "--set", "reuse-pool.max_pol_size=3"],
            ["max_pol_size", "'max_pool_size'"]
        ),
        (["play", "--lifecycle", "reuse-pool", "--set", "reuse-pool.max_pool_size=0"], ["max_pool_size"]),
        (["play", "--lifecycle", "reuse-pool", "--set", "reuse-pool.max_pool_size=many"], ["max_pool_size", "many"]),
        (["play", "--set", "reuse-pool.max_pool_size=3"], ["reuse-pool"]),
        (["play", "--set", "nonsense"], ["NAME.KEY=VALUE"]),
        (["play", "--report", "json=/nowhere/at/all.json"], ["--report", "/nowhere/at/all.json"]),
        (["play", "--record", "/nowhere/at/all.jsonl"], ["--record", "/nowhere/at/all.jsonl"]),
    ])
    func aWrongCommandLineRunsNothingAndSaysWhatWouldBeRight(_ arguments: [String], _ words: [String]) throws {
        expectUsageError(try Kitshell.start(arguments).wait(), words)
    }

    @Test func aReportThatCannotBeWrittenIsFoundBeforeAnythingRuns() throws {
        let directory = try TemporaryDirectory()
        let marker = directory.file("ran")
        let plugin = try CMonitor.build(in: directory, constructor: CMonitor.mark(marker))
        let outcome = try Kitshell.run(Media.short, "--plugin", plugin, "--report", "json=\(directory.file("no/such"))")
        expectUsageError(outcome, ["--report"])
        #expect(!FileManager.default.fileExists(atPath: marker))
    }

    @Test(arguments: [
        ["--help"], ["-h"], ["play", "--help"], ["replay", "-h"], ["plugin", "--help"],
        ["plugin", "inspect", "--help"], ["plugin", "list", "--help"], ["help"], ["help", "play"], ["help", "replay"],
        ["help", "plugin"], ["help", "plugin", "list"], ["help", "plugin", "inspect"],
    ])
    func everyLevelHasHelpWithAnExample(arguments: [String]) throws {
        let outcome = try Kitshell.start(arguments).wait()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(outcome.output.lowercased().contains("example"))
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func theVersionNamesTheProductItsABIAndLibav() throws {
        let outcome = try Kitshell.run("--version")
        #expect(outcome.status == 0)
        for word in ["kitshell 0.", "ABI 1.", "libavformat", "GPL"] { #expect(outcome.output.contains(word)) }
    }

    @Test func anOptionOfAStrategyIsSet() throws {
        let report = try Kitshell.play(
            Media.short, "--lifecycle", "reuse-pool", "--set", "reuse-pool.max_pool_size=3", "--plugin",
            try CMonitor.path(), "--set", "\(CMonitor.id).every=1000")
        #expect(report.count()?["events"] == report.strategy(CMonitor.id)?["events_delivered"])
        #expect(report.status == 0)
    }

    @Test(arguments: [("everyy=1", "'every'"), ("every=0", "every"), ("every=soon", "every")])
    func anOptionThatAPluginDoesNotTakeIsAUsageError(setting: String, word: String) throws {
        let outcome = try Kitshell.run(
            Media.short, "--plugin", try CMonitor.path(), "--set", "\(CMonitor.id).\(setting)")
        expectUsageError(outcome, [word, CMonitor.id])
    }

    @Test func aReportGoesToItsFile() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("report.json")
        let outcome = try Kitshell.run(Media.short, "--speed", "max", "--report", "json=\(file)", "--report", "text")
        let json = try JSONReader().read(try String(contentsOfFile: file, encoding: .utf8))
        #expect(json["schema"] == "kitshell.report/1")
        #expect(outcome.output.contains("50 shown"))
        #expect(outcome.status == 0)
    }

    @Test func aReaderThatWentAwayIsNoError() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let process = try Kitshell.start(
            [Media.short, "--speed", "max", "--report", "json"], output: pipe.fileHandleForWriting)
        let outcome = try process.wait()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
    }

    @Test func outputThatCannotBeWrittenIsSaid() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let outcome = try Kitshell.start([Media.short, "--speed", "max", "--report", "json"], output: full).wait()
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("standard output"))

        let report = try Kitshell.play(Media.short, "--record", "/dev/full")
        #expect(report.status == 1)
        #expect(report.presented == [50])
        #expect(report.errors.contains("event log"))

        let help = try Kitshell.run(["--help"], redirecting: ">/dev/full")
        #expect(help.status == 1)
        #expect(help.errors.contains("standard output"))
    }

    @Test func nothingElseIsReadFromOrWrittenToAClosedStream() throws {
        let directory = try TemporaryDirectory()
        let log = directory.file("events.jsonl")
        let play = [Media.short, "--speed", "max", "--record", log]
        for (redirecting, status) in [("<&- >&- 2>&-", Int32(1)), (">&-", 1), ("2>&-", 0)] {
            #expect(try Kitshell.run(play, redirecting: redirecting).status == status)
            #expect(try Kitshell.replay(log).presented == [50])
        }
        let replay = try Kitshell.run(["replay", "-"], redirecting: "<&-")
        #expect(replay.status == 2)
        #expect(replay.errors.contains("standard input:1: the log cannot be read"))
    }

    @Test func standardInputHasAName() throws {
        let directory = try TemporaryDirectory()
        let text = try directory.write(Array("{\"schema\":\"kitshell.events/1\"}\nno event\n".utf8), to: "text")
        let replay = try Kitshell.run("replay", "-", input: text)
        #expect(replay.status == 2)
        #expect(replay.errors.contains("kitshell: standard input:2: "))
        let play = try Kitshell.run("play", "-", "-q", input: text)
        #expect(play.status == 1)
        #expect(play.errors.contains("kitshell: standard input is no media"))
    }

    @Test func aUsageErrorLeavesNothingBehind() throws {
        let directory = try TemporaryDirectory()
        let new = directory.file("new")
        for arguments in [
            ["--record", new, "--report", "json=/nowhere/at/all"],
            ["--report", "json=\(new)", "--record", "/nowhere/at/all"],
            ["--record", new, "--frame-hashes", new], ["--record", new, "--monitor", "nope"],
        ] {
            #expect(try Kitshell.start(["play", Media.short] + arguments).wait().status == 2)
            #expect(!FileManager.default.fileExists(atPath: new), "\(arguments)")
        }
        #expect(try Kitshell.run("replay", "/nowhere/at/all", "--report", "json=\(new)").status == 2)
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    @Test func theLogTellsWhatHappensAndNoSecret() throws {
        let played = try Kitshell.run(Media.short, "--speed", "max", "-q", "--log-level", "debug")
        for event in ["request", "opened", "track_ready", "prepared", "state", "first_video_frame", "completed"] {
            #expect(
                played.errors.contains("D Events: ") && played.errors.contains("\"event\":\"\(event)\""), "\(event)")
        }
        #expect(played.errors.contains("h264"))
        #expect(!played.errors.contains("\"tick\""))
        let retried = try Kitshell.run(
            "http://user:hush@127.0.0.1:1/a.mp4?token=hush", "--speed", "max", "-q", "--log-level", "debug")
        #expect(retried.status == 1)
        #expect(retried.errors.contains("\"event\":\"retry\""))
        #expect(!retried.errors.contains("hush"))
        let quiet = try Kitshell.run(Media.short, "--speed", "max", "-q", "--log-level", "info")
        #expect(!quiet.errors.contains("Events:"))
    }

    @Test func aFileOfThisRunIsNotWrittenOver() throws {
        let directory = try TemporaryDirectory()
        let bytes = try Data(contentsOf: URL(filePath: Media.short))
        let source = try directory.write(Array(bytes), to: "a.mp4")
        let link = directory.file("b.mp4")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: source)
        let new = directory.file("new")
        for arguments in [
            [source, "--record", link], [source, "--report", "json=\(link)"],
            [Media.short, "--plugin", source, "--report", "text=\(link)"],
            ["replay", source, "--report", "json=\(link)"], ["plugin", "inspect", source, "--report", "json=\(link)"],
            [Media.short, "--record", new, "--report", "json=\(new)"],
        ] {
            expectUsageError(try Kitshell.start(arguments).wait(), ["same file", arguments.contains(new) ? new : link])
        }
        #expect(try Data(contentsOf: URL(filePath: source)) == bytes)
    }

    @Test func listingNamesEveryPluginAndWhyABadOneIsBad() throws {
        let directory = try TemporaryDirectory()
        let bad = try directory.write(Array("no plugin".utf8), to: "bad.so")
        let good = try CMonitor.path()
        let arguments = ["plugin", "list", "--plugin", good, "--plugin", bad]
        let report = try Report(try Kitshell.start(arguments + ["--report", "json"]).wait())
        let plugins = report.json["plugins"]?.array ?? []
        let ids = plugins.compactMap { $0["id"]?.string }
        #expect(Set(ids).isSuperset(of: ["first-frame", "reuse-pool", CMonitor.id]))
        #expect(plugins.last { $0["path"]?.string == bad }?["refusal"]?["code"] == "not_elf")
        #expect(report.status == 3)

        let text = try Kitshell.start(arguments).wait()
        #expect(text.status == 3)
        #expect(text.output.contains("refused") && text.output.contains("accepted"))
    }

    @Test func inspectingTellsWhatAPluginIs() throws {
        let path = try CMonitor.path()
        let report = try Report(try Kitshell.run("plugin", "inspect", path, "--report", "json"))
        let plugin = try #require(report.json["plugins"]?.array?.first)
        #expect(plugin["verdict"] == "accepted")
        #expect(plugin["id"]?.string == CMonitor.id)
        #expect(plugin["exports"] == ["kit_plugin_entry_v1"])
        #expect(plugin["options"]?.array?.first?["key"] == "every")
        #expect(plugin["sha256"]?.string?.count == 64)
        #expect(report.status == 0)

        // Paths are as long as they are; everything else keeps to the width.
        let text = try Kitshell.run("plugin", "inspect", path)
        let wide = text.output.split(separator: "\n").filter { $0.count > 80 && !$0.contains("/") }
        #expect(wide == [])
        #expect(text.status == 0)
    }

    @Test func aBuiltInPluginIsInspectedAsWhatItIs() throws {
        let list = try Report(try Kitshell.run("plugin", "list", "--report", "json"))
        let path = try #require(list.json["plugins"]?.array?.first { $0["id"] == "first-frame" }?["path"]?.string)
        let report = try Report(try Kitshell.run("plugin", "inspect", path, "--report", "json"))
        let plugin = try #require(report.json["plugins"]?.array?.first)
        #expect(plugin["verdict"] == "accepted")
        #expect(plugin["origin"] == "built-in")
        #expect(plugin["runs"] == "in-process")
        #expect(report.status == 0)

        // A copy is a stranger's, whose id must have a dot.
        let directory = try TemporaryDirectory()
        let copy = directory.file("first-frame.so")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let other = try Report(try Kitshell.run("plugin", "inspect", copy, "--report", "json"))
        #expect(other.json["plugins"]?.array?.first?["refusal"]?["code"] == "reserved_id")
        #expect(other.status == 3)
    }

    @Test(arguments: [["--report"], ["--record"]])
    func aUsageErrorLeavesOutputFilesAsTheyAre(option: [String]) throws {
        let directory = try TemporaryDirectory()
        let kept = try directory.write(Array("kept".utf8), to: "kept")
        let value = option == ["--report"] ? "json=\(kept)" : kept
        let outcome = try Kitshell.start(["play", Media.short, "--monitor", "nope"] + option + [value]).wait()
        #expect(outcome.status == 2)
        #expect(try String(contentsOfFile: kept, encoding: .utf8) == "kept")
        _ = try Kitshell.start(["play", Media.short, "--speed", "max"] + option + [value]).wait()
        #expect(try String(contentsOfFile: kept, encoding: .utf8).hasPrefix("{"))
    }
}
