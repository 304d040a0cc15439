// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing

/// `kitshell pool`: what a lifecycle strategy makes of a script, or of what another was asked.
@Suite struct PoolTests {
    private static let folder = Kitshell.root.appending(path: "Tests/Support/Golden")
    private static let scripts = ["hand-off", "id-scoped-pool", "reuse-pool", "singleton", "upcoming"]

    private func answers(_ outcome: ChildProcess.Outcome) throws -> [JSONValue] {
        var checker = try SchemaChecker("pool.schema.json")
        return try outcome.output.split(separator: "\n").map { line in
            let answer = try JSONReader().read(String(line))
            #expect(checker.check(answer) == [])
            return answer
        }
    }

    private func run(_ arguments: String..., script: String) throws -> ChildProcess.Outcome {
        let directory = try TemporaryDirectory()
        let path = try directory.write(script.utf8, to: "script.pool")
        return try Kitshell.start(["pool", "-"] + arguments, input: path).wait()
    }

    @Test(arguments: scripts)
    func aScriptIsAnsweredLineByLine(name: String) throws {
        let path = Self.folder.appending(path: "\(name).pool").path
        let first = try #require(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").first)
        let strategy = String(first.dropFirst("# --lifecycle ".count))
        let outcome = try Kitshell.run("pool", path, "--lifecycle", strategy)
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let answers = try answers(outcome)
        let wanted = try String(contentsOf: Self.folder.appending(path: "\(name).expect.jsonl"), encoding: .utf8)
            .split(separator: "\n").map { try JSONReader().read(String($0)) }
        #expect(answers.count == wanted.count)
        for (answer, expected) in zip(answers, wanted) {
            for member in expected.object?.members ?? [] {
                #expect(answer[member.key] == member.value, "\(member.key) of \(JSONWriter.text(answer))")
            }
        }
    }

    @Test func withoutAStrategyTheDefaultDecides() throws {
        let script = "acquire A as a\nrecycle a\npreload 2\n"
        for arguments in [[], ["--lifecycle", "default"]] {
            let directory = try TemporaryDirectory()
            let path = try directory.write(script.utf8, to: "script.pool")
            let answers = try answers(try Kitshell.start(["pool", path] + arguments).wait())
            #expect(answers.map { $0["outcome"]?.string } == ["created", "destroyed", nil])
            #expect(answers.last?["created"] == 0)
        }
    }

    @Test func optionsReachTheStrategy() throws {
        let script = "acquire A as a\nacquire B as b\nacquire A as c\n"
        let answers = try answers(
            try run(
                "--lifecycle", "id-scoped-pool", "--set", "id-scoped-pool.max_pool_size=1", "--set",
                "id-scoped-pool.in_use=refuse", script: script))
        #expect(answers[1]["evicted"] == [1])
        #expect(answers.map { $0["outcome"]?.string } == ["created", "created", "created"])
    }

    @Test func aStrangersStrategyIsAskedToo() throws {
        let directory = try TemporaryDirectory()
        let outcome = try run(
            "--plugin", try LifecyclePlugin.build(in: directory), "--isolation", "in-process",
            script: "acquire A as a\nrecycle a\nacquire B as b\n")
        #expect(outcome.status == 0)
        #expect(try answers(outcome).map { $0["outcome"]?.string } == ["created", "pooled", "reused"])
    }

    @Test func aWrongAnswerOfAStrategyIsAFaultAndTheDefault() throws {
        let directory = try TemporaryDirectory()
        let plugin = try LifecyclePlugin.build(
            in: directory,
            decide:
                "if (request->kind == KIT_REQUEST_ACQUIRE) { decision->action = KIT_ACQUIRE_USE; decision->handle = 99; }"
        )
        let outcome = try run("--plugin", plugin, "--isolation", "in-process", script: "acquire A as a\n")
        #expect(outcome.status == 3)
        #expect(try answers(outcome).map { $0["outcome"]?.string } == ["created"])
        #expect(outcome.errors.contains(LifecyclePlugin.id))
    }

    @Test(arguments: [
        ("acquire A as a\nacquier B as b\n", ":2:", "acquire"), ("acquire A\n", ":1:", "acquire ID as NAME"),
        ("# fine\n\nmax many\n", ":3:", "many"), ("upcoming B\n", ":1:", "B:1"), ("pressure low\n", ":1:", "moderate"),
        ("recycle a forced\n", ":1:", "recycle NAME"),
    ])
    func aLineThatIsNoCommandIsAUsageErrorWithItsNumber(script: String, line: String, hint: String) throws {
        let outcome = try run(script: script)
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(line) && outcome.errors.contains(hint))
    }

    @Test(arguments: [["pool"], ["pool", "/nonexistent/x.pool"], ["pool", "/"], ["pool", "a", "b"]])
    func whatIsNoScriptIsAUsageError(arguments: [String]) throws {
        let outcome = try Kitshell.start(arguments).wait()
        #expect(outcome.status == 2)
        #expect(outcome.output == "" && outcome.errors.hasPrefix("kitshell: "))
    }

    @Test func anEventLogTellsWhatAnotherStrategyWouldHaveDone() throws {
        let directory = try TemporaryDirectory()
        let log = directory.file("run.jsonl")
        let clips = [Media.short, Media.path("clip.mkv"), Media.short, Media.path("clip.mkv")]
        let played = try Kitshell.start(
            ["play", "--speed", "max", "--until", "first-frame", "--lifecycle", "reuse-pool", "--record", log] + clips
        ).wait()
        #expect(played.status == 0)

        let same = try answers(try Kitshell.run("pool", log, "--lifecycle", "reuse-pool"))
        let summary = try #require(same.last)
        #expect(summary["op"] == "summary" && summary["strategy"] == "reuse-pool")
        #expect(summary["decided"] == summary["recorded"])
        #expect(summary["decided"]?["created"] == 1 && summary["decided"]?["reused"] == 3)

        let other = try answers(try Kitshell.run("pool", log, "--lifecycle", "id-scoped-pool"))
        #expect(other.last?["decided"] == ["created": 2, "reused": 0, "hits": 2, "evicted": 0])
        let none = try answers(try Kitshell.run("pool", log))
        #expect(none.last?["decided"]?["created"] == 4)
    }

    @Test func aLogWithoutOperationsOfAPoolSaysSo() throws {
        let outcome = try run(script: "{\"schema\":\"kitshell.events/1\"}\n{\"t_ms\":0,\"event\":\"tick\"}\n")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("no operation of a pool"))
    }

    @Test func aMalformedLineOfALogIsNamed() throws {
        let outcome = try run(
            script: "{\"schema\":\"kitshell.events/1\"}\n{\"t_ms\":0,\"event\":\"pool\",\"op\":\"dance\"}\n")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(":2:") && outcome.errors.contains("dance"))
    }
}
