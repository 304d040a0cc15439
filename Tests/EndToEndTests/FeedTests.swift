// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import JSONText
import TestSupport
import Testing

/// `kitshell feed`: a list of sources under lifecycle strategies. What a machine is fast enough for is no test.
@Suite struct FeedTests {
    private static let strategies = ["default", "reuse-pool", "id-scoped-pool", "singleton"]
    private static let clips = [Media.short, Media.path("clip.mkv"), Kitshell.clip]

    private func list(_ lines: [String], in directory: TemporaryDirectory) throws -> String {
        try directory.write(Data(lines.joined(separator: "\n").utf8), to: "list.txt")
    }

    private func start(
        _ arguments: String..., lines: [String] = clips, in directory: TemporaryDirectory
    ) throws -> ChildProcess {
        try Kitshell.start(["feed", try list(lines, in: directory), "--report", "json"] + arguments)
    }

    /// The document of a feed, held to its schema.
    private func document(_ process: ChildProcess) throws -> Report {
        let report = try Report(try process.wait())
        var checker = try SchemaChecker("feed.schema.json")
        #expect(checker.check(report.json) == [])
        return report
    }

    private func runs(_ report: Report) -> [JSONValue] { report.json["runs"]?.array ?? [] }

    private func outcomes(_ run: JSONValue?) -> [String] {
        (run?["items"]?.array ?? []).compactMap { $0["outcome"]?.string }
    }

    @Test(arguments: strategies)
    func aFeedIsPlayedUnderAStrategy(strategy: String) throws {
        let directory = try TemporaryDirectory()
        let report = try document(
            try start("--lifecycle", strategy, "--swipes", "4", "--swipe-every", "250", in: directory))
        let run = try #require(runs(report).first)
        #expect(run["strategy"] == .string(strategy))
        #expect(run["items"]?.array?.count == 5)
        #expect(run["swipes"]?["count"] == 4)
        #expect(run["swipes"]?["failed"] == 0)
        #expect(outcomes(run).allSatisfy { $0 == "shown" || $0 == "missed" })
        #expect((run["frames"]?["presented"]?.int ?? 0) > 0)
        #expect((run["peak_resident_bytes"]?.int ?? 0) > 1 << 20)
        #expect(run["errors"] == [])
        #expect(run["p95_ratio"]?.number == 1 || run["swipes"]?["missed"] != 0)
        let decisions = run["items"]?.array?.compactMap { $0["decision"]?.string } ?? []
        let expected =
            switch strategy {
            case "default": ["created", "created", "created", "created", "created"]
            case "reuse-pool": ["created", "reused", "reused", "reused", "reused"]
            default: ["created", "hit", "hit", "hit", "hit"]
            }
        #expect(decisions == expected)
        #expect(report.status == 0)
        #expect(report.errors == "")
    }

    @Test func strategiesAreComparedInProcessesOfTheirOwn() throws {
        let directory = try TemporaryDirectory()
        let report = try document(
            try start(
                "--compare", Self.strategies.joined(separator: ","), "--swipes", "3", "--swipe-every", "200",
                "--set", "reuse-pool.max_pool_size=1", "--monitor", "first-frame", in: directory))
        #expect(runs(report).map { $0["strategy"]?.string } == Self.strategies)
        #expect(runs(report).map { $0["pool"]?["created"] } == [4, 1, 3, 1])
        #expect(runs(report).map { $0["max_pool_size"] } == [.null, 1, 5, .null])
        // A process of its own numbers its players from 1.
        #expect(runs(report).allSatisfy { $0["start"]?["player"] == 1 })
        #expect(runs(report).allSatisfy { $0["strategies"]?.array?.count == 2 })
        #expect(report.status == 0)
        #expect(report.errors == "")
    }

    @Test func aPluginIsComparedUnderItsName() throws {
        let directory = try TemporaryDirectory()
        let plugin = try LifecyclePlugin.build(in: directory)
        let report = try document(
            try start(
                "--compare", "default,\(LifecyclePlugin.id)", "--plugin", plugin, "--swipe-every", "200", in: directory)
        )
        #expect(runs(report).map { $0["strategy"]?.string } == ["default", LifecyclePlugin.id])
        #expect(runs(report).map { $0["pool"]?["created"] } == [3, 1])
    }

    @Test func textIsATableOfAtMost80Columns() throws {
        let directory = try TemporaryDirectory()
        let path = try list(Self.clips, in: directory)
        let alone = try Kitshell.run("feed", path, "--swipe-every", "100")
        let compared = try Kitshell.run("feed", path, "--swipe-every", "100", "--compare", "reuse-pool,default")
        for outcome in [alone, compared] {
            #expect(outcome.status == 0)
            #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(outcome.output)")
        }
        #expect(alone.output.contains(" start  clip.mp4            created   1 "))
        #expect(
            compared.output.split(separator: "\n").contains { $0.hasPrefix(" reuse-pool ") && $0.contains(" 1.00 ") })
    }

    @Test func aSourceThatFailsIsToldAndTheFeedGoesOn() throws {
        let directory = try TemporaryDirectory()
        let bad = try directory.write(Array("no media".utf8), to: "bad.mp4")
        let report = try document(
            try start("--swipe-every", "250", lines: [Media.short, bad, Media.short], in: directory))
        let run = runs(report).first
        #expect(run?["swipes"]?["failed"] == 1)
        #expect(outcomes(run).count == 3 && outcomes(run)[1] == "failed")
        #expect(run?["errors"]?.array?.map { $0["source"] } == [.string(bad)])
        #expect(report.status == 1)
    }

    @Test func aFeedOfWhichNothingCanBeReachedSaysWhyAndFails() throws {
        let directory = try TemporaryDirectory()
        let path = try list(["http://127.0.0.1:1/x.mp4"], in: directory)
        let arguments = ["feed", path, "--swipes", "2", "--swipe-every", "1000"]
        let outcome = try Kitshell.start(arguments).wait()
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains("2 swipes were missed while the source was retried: no connection"),
            "\(outcome.output)")
        let report = try document(try Kitshell.start(arguments + ["--report", "json"]))
        #expect(report.status == 1)
        let errors = runs(report).first?["errors"]?.array ?? []
        #expect(!errors.isEmpty && errors.allSatisfy { $0["message"] == "no connection" }, "\(errors)")
        #expect(errors.allSatisfy { $0["fatal"] == false && $0["source"] == "http://127.0.0.1:1/x.mp4" })
    }

    @Test func whoGetsNoPlayerIsCountedToo() throws {
        let directory = try TemporaryDirectory()
        let plugin = try LifecyclePlugin.build(
            in: directory,
            decide: "if (request->kind == KIT_REQUEST_ACQUIRE && calls % 2) decision->action = KIT_ACQUIRE_REFUSE;")
        let run = runs(
            try document(
                try start("--plugin", plugin, "--swipes", "6", "--swipe-every", "100", in: directory))
        ).first
        let kinds = ["cold", "warm", "pre_rendered", "none"].map { run?["instances"]?[$0]?["count"]?.int ?? 0 }
        #expect(kinds.reduce(0, +) == 6)
        #expect(kinds[3] > 0)
    }

    @Test func aComparisonWithOneSurvivorIsAComparison() throws {
        let directory = try TemporaryDirectory()
        let plugin = try LifecyclePlugin.build(in: directory, create: "_exit(5);")
        let outcome = try Kitshell.start([
            "feed", try list(Self.clips, in: directory), "--compare", "default,\(LifecyclePlugin.id)", "--plugin",
            plugin,
            "--isolation", "in-process", "--swipe-every", "100",
        ]).wait()
        #expect(outcome.status == 1)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix(" strategy ") }, "\(outcome.output)")
        #expect(lines.contains { $0.hasPrefix(" default ") })
        #expect(outcome.output.contains(" note          \(LifecyclePlugin.id): the run ended without a report"))
        #expect(outcome.errors.contains("\(LifecyclePlugin.id): the run ended without a report, with exit status 5"))
    }

    @Test func soundAloneIsNoMissedPicture() throws {
        let directory = try TemporaryDirectory()
        let report = try document(try start("--no-video", "--swipe-every", "400", in: directory))
        #expect(runs(report).first?["swipes"]?["no_picture"] == 2)
        #expect(runs(report).first?["swipes"]?["missed"] == 0)
        #expect(report.status == 0)
    }

    @Test(arguments: [
        "if (request->kind == KIT_REQUEST_ACQUIRE) { decision->action = KIT_ACQUIRE_USE; decision->handle = 0x1234567812345678; }",
        "decision->evict_count = 1u << 30;", CMonitor.crash, "return KIT_INTERNAL;", "for (;;) pause();",
    ])
    func aHostileStrategyLeavesTheDecisionToTheDefault(body: String) throws {
        let directory = try TemporaryDirectory()
        let plugin = try LifecyclePlugin.build(in: directory, decide: body)
        let report = try document(try start("--plugin", plugin, "--swipe-every", "250", in: directory))
        let run = runs(report).first
        #expect(run?["items"]?.array?.map { $0["decision"] } == ["created", "created", "created"])
        #expect(run?["items"]?.array?.allSatisfy { $0["by_default"] == true } == true)
        #expect(outcomes(run).allSatisfy { $0 == "shown" || $0 == "missed" })
        #expect((run?["strategies"]?.array?.first?["faults"]?.array?.count ?? 0) > 0)
        #expect(report.status == 3)
    }

    // MARK: Without a list

    @Test func aLifecycleStrategyWithoutASourcePlaysTheDemoFeed() throws {
        let outcome = try Kitshell.run("--lifecycle", "id-scoped-pool")
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(outcome.output)")
        #expect(lines.count <= 20)
        #expect(lines.contains { $0.hasPrefix(" start  bars.mp4            created   1 ") })
        #expect(lines.contains { $0.hasPrefix("     1  counter.mp4         hit       2 ") })
    }

    @Test func theDemoFeedTakesNoOptionOfTheDemoClip() throws {
        let outcome = try Kitshell.run("--lifecycle", "singleton", "--speed", "max")
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("option --speed does not go with the demo feed"))
    }

    // MARK: Wrong lists

    @Test func aWrongListIsNamedWithItsLineAndNothingRuns() throws {
        let directory = try TemporaryDirectory()
        let path = try list([Media.short, "", "none.mp4"], in: directory)
        let outcome = try Kitshell.run("feed", path)
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("kitshell: \(path):3: '"))
        #expect(outcome.errors.contains("none.mp4' does not exist"))
        let folder = try Kitshell.run("feed", directory.path)
        #expect(folder.status == 2)
        #expect(folder.errors.contains("\(directory.path):1: it cannot be read: Is a directory"))
        let missing = try Kitshell.run("feed", directory.file("nothing.txt"))
        #expect(missing.status == 2)
        #expect(missing.errors.contains("nothing.txt' cannot be read: No such file or directory"))
    }

    @Test func aListComesThroughStandardInput() throws {
        let directory = try TemporaryDirectory()
        let path = try list([Media.short, Media.short], in: directory)
        let outcome = try Kitshell.start(["feed", "-", "--swipe-every", "50", "--report", "json"], input: path).wait()
        #expect(outcome.status == 0)
        #expect(try Report(outcome).json["feed"]?["list"] == "standard input")
    }

    @Test(arguments: [["--compare", "default,nope"], ["--compare", "default,reuse-pol"]])
    func aStrategyThatThereIsNotIsFoundBeforeTheFirstOnePlays(arguments: [String]) throws {
        let directory = try TemporaryDirectory()
        let outcome = try Kitshell.start(["feed", try list(Self.clips, in: directory)] + arguments).wait()
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("no lifecycle strategy is called"))
    }

    // MARK: Interrupts

    @Test func anInterruptGivesTheFiguresSoFar() throws {
        let directory = try TemporaryDirectory()
        let process = try start("--swipe-every", "600000", in: directory)
        #expect(Patience.wait { process.hasThread("kit-demux") })
        process.send(SIGINT)
        let report = try document(process)
        #expect(runs(report).first?["interrupted"] == true)
        #expect(runs(report).first?["items"]?.array?.count == 1)
        #expect(report.status == 130)
    }

    @Test func anInterruptOfAComparisonGivesTheFiguresSoFarAndLeavesNobodyBehind() throws {
        let directory = try TemporaryDirectory()
        let process = try start("--compare", "default,singleton", "--swipe-every", "600000", in: directory)
        let children = try playing(process)
        process.send(SIGINT)
        let report = try document(process)
        #expect(runs(report).map { $0["strategy"]?.string } == ["default"])
        #expect(runs(report).first?["interrupted"] == true)
        #expect(report.status == 130)
        #expect(children.allSatisfy { !ChildProcess.exists($0) })
    }

    @Test func aComparisonThatIsKilledLeavesNobodyBehind() throws {
        let directory = try TemporaryDirectory()
        let process = try start("--compare", "default,singleton", "--swipe-every", "600000", in: directory)
        let children = try playing(process)
        process.send(SIGKILL)
        _ = try process.wait()
        #expect(Patience.wait { children.allSatisfy { !ChildProcess.isAlive($0) } })
    }

    /// The processes of a comparison that play.
    private func playing(_ process: ChildProcess) throws -> [Int32] {
        try #require(Patience.wait { process.children.contains { ChildProcess.hasThread("kit-demux", in: $0) } })
        return process.children
    }
}
