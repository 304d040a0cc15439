// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing

/// Event logs of `kitshell feed`, and what `kitshell replay` and `kitshell pool` make of them.
@Suite struct FeedLogTests {
    private static let strategies = ["default", "reuse-pool", "id-scoped-pool", "singleton"]

    /// Plays a feed of copies of one clip and records it.
    ///
    /// - Parameter status: the exit status that it has to end with.
    private func record(
        _ log: String, clips: Int = 3, in directory: TemporaryDirectory, _ arguments: String..., status: Int32 = 0
    ) throws {
        let clip = try [UInt8](contentsOf: Media.short)
        let names = (0..<clips).map { "\($0).mp4" }
        for name in names { _ = try directory.write(clip, to: name) }
        let list = try directory.write([UInt8](names.joined(separator: "\n").utf8), to: "list.txt")
        let outcome = try Kitshell.start(["feed", list, "--record", log] + arguments).wait()
        #expect(outcome.status == status, "\(outcome.output)")
    }

    @Test func aLogReplaysToTheSameSessions() throws {
        let directory = try TemporaryDirectory()
        let log = directory.file("events.jsonl")
        try record(log, in: directory, "--lifecycle", "reuse-pool", "--swipe-every", "200")
        #expect(try Kitshell.replay(log).sessions.count == 3)
    }

    /// What `kitshell pool` makes of a log: its answers, the last of which is the summary.
    private func decide(_ log: String, _ arguments: String...) throws -> [JSONValue] {
        let outcome = try Kitshell.start(["pool", log] + arguments).wait()
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
        var checker = try SchemaChecker("pool.schema.json")
        let answers = try outcome.output.split(separator: "\n").map { try JSONReader().read(String($0)) }
        for answer in answers { #expect(checker.check(answer) == []) }
        return answers
    }

    @Test(arguments: strategies)
    func aLogOfAFeedTellsWhatAnotherStrategyWouldHaveDone(recorded: String) throws {
        let directory = try TemporaryDirectory()
        let log = directory.file("events.jsonl")
        try record(
            log, clips: 6, in: directory, "--lifecycle", recorded, "--swipes", "7", "--swipe-every", "100")
        for decided in Self.strategies {
            let summary = try #require(try decide(log, "--lifecycle", decided).last)
            #expect(summary["op"] == "summary" && summary["strategy"] == .string(decided))
            if decided == recorded { #expect(summary["decided"] == summary["recorded"]) }
            // Whoever recorded it, each does what it does of such a feed; of six clips five are kept.
            let done = ["created", "reused", "hits", "evicted"].map { summary["decided"]?[$0] ?? .null }
            let expected: [JSONValue] =
                switch decided {
                case "default": [8, 0, 0, 0]
                case "reuse-pool": [1, 7, 0, 0]
                case "singleton": [1, 0, 7, 0]
                default: [10, 0, 7, 5]
                }
            #expect(done == expected, "\(decided) of a log of \(recorded)")
        }
    }

    @Test func aSizeThatIsSetGoesBeforeThatOfTheLog() throws {
        let directory = try TemporaryDirectory()
        let log = directory.file("events.jsonl")
        try record(log, in: directory, "--lifecycle", "default", "--swipe-every", "100")
        let own = try decide(log, "--lifecycle", "id-scoped-pool")
        #expect(own.first?["op"] == "max" && own.first?["value"] == 5)
        #expect(own.last?["decided"]?["evicted"] == 0)
        let set = try decide(log, "--lifecycle", "id-scoped-pool", "--set", "id-scoped-pool.max_pool_size=1")
        #expect(set.first?["op"] == "acquire")
        #expect((set.last?["decided"]?["evicted"]?.int ?? 0) > 0)
    }

    @Test func whatWasRefusedWhenItWasRecordedIsGivenBackWhereItIsNot() throws {
        let directory = try TemporaryDirectory()
        let log = directory.file("events.jsonl")
        let plugin = try LifecyclePlugin.build(
            in: directory, decide: "if (request->kind == KIT_REQUEST_ACQUIRE) decision->action = KIT_ACQUIRE_REFUSE;")
        try record(log, in: directory, "--plugin", plugin, "--swipes", "4", "--swipe-every", "50", status: 1)
        let answers = try decide(log, "--lifecycle", "reuse-pool")
        #expect(answers.last?["decided"] == ["created": 1, "reused": 4, "hits": 0, "evicted": 0])
        #expect(answers.filter { $0["op"] == "acquire" }.allSatisfy { $0["counts"]?["active"] == 1 })
    }
}
