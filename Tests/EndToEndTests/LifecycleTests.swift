// SPDX-License-Identifier: Apache-2.0

import JSONText
import TestSupport
import Testing

/// A stranger's lifecycle strategy decides on players; whatever it answers, sources play.
@Suite struct LifecycleTests {
    private static let sources = [Media.short, Media.path("clip.mkv")]

    /// Plays two sources. A decision has 25 ms of real time; on a machine that is too busy for that the run is repeated.
    private func play(_ plugin: String, isolation: String, mayHang: Bool = false) throws -> Report {
        func playOnce() throws -> Report {
            try Kitshell.play(
                LifecycleTests.sources[0], LifecycleTests.sources[1], "--plugin", plugin, "--isolation", isolation)
        }
        var report = try playOnce()
        let isPrompt = try Patience.wait {
            if mayHang || !report.faults(of: LifecyclePlugin.id).contains(where: { $0.hasPrefix("hang") }) {
                return true
            }
            report = try playOnce()
            return false
        }
        #expect(isPrompt)
        return report
    }

    @Test(arguments: ["worker", "in-process"])
    func aStrangersDecisionIsCarriedOut(isolation: String) throws {
        let directory = try TemporaryDirectory()
        let report = try play(try LifecyclePlugin.build(in: directory), isolation: isolation)
        #expect(report.json["pool"]?["strategy"]?.string == LifecyclePlugin.id)
        #expect(report.json["pool"]?["created"] == 1)
        #expect(report.json["pool"]?["reused"] == 1)
        let row = try #require(report.strategy(LifecyclePlugin.id))
        #expect(row["kinds"] == ["lifecycle"])
        #expect(row["defaults_used"] == 0)
        #expect((row["calls"]?.int ?? 0) >= 4)
        #expect(report.presented == [50, 50])
        #expect(report.status == 0)
    }

    @Test(arguments: ["worker", "in-process"])
    func aSlowStartIsWaitedForSoThatTheStrategyDecidesFromTheFirstRequestOn(isolation: String) throws {
        let directory = try TemporaryDirectory()
        let plugin = try LifecyclePlugin.build(in: directory, create: "usleep(200 * 1000);")
        let report = try play(plugin, isolation: isolation)
        #expect(report.strategy(LifecyclePlugin.id)?["defaults_used"] == 0)
        #expect(report.status == 0)
    }

    @Test(
        arguments: ["worker", "in-process"],
        [
            "decision->action = KIT_ACQUIRE_USE; decision->handle = 0x1234567812345678;", "decision->action = 77;",
            "decision->evict_count = 1u << 30;",
        ])
    func anAnswerThatCannotBeIsReplacedByTheDefault(isolation: String, body: String) throws {
        let directory = try TemporaryDirectory()
        let plugin = try LifecyclePlugin.build(
            in: directory, decide: "if (request->kind == KIT_REQUEST_ACQUIRE) { \(body) }")
        let report = try play(plugin, isolation: isolation)
        #expect(report.presented == [50, 50])
        #expect(report.faults(of: LifecyclePlugin.id).first?.hasPrefix("invalid_decision decide") == true)
        #expect((report.strategy(LifecyclePlugin.id)?["defaults_used"]?.int ?? 0) > 0)
        #expect(report.status == 3)
    }

    @Test(arguments: [
        (CMonitor.crash, "crash decide SIGSEGV"), ("abort();", "crash decide SIGABRT"), ("_exit(0);", "exit decide"),
        ("return KIT_INTERNAL;", "error decide"),
    ])
    func aStrategyThatFailsLeavesTheDecisionToTheDefault(_ body: String, _ fault: String) throws {
        let directory = try TemporaryDirectory()
        let plugin = try LifecyclePlugin.build(in: directory, decide: body)
        let report = try play(plugin, isolation: "worker")
        #expect(report.presented == [50, 50])
        #expect(report.json["pool"]?["created"] == 2)
        #expect(report.faults(of: LifecyclePlugin.id).first == fault)
        #expect((report.strategy(LifecyclePlugin.id)?["defaults_used"]?.int ?? 0) >= 2)
        #expect(report.status == 3)
    }

    @Test func aStrategyThatAnswersTooLateLeavesTheDecisionToTheDefault() throws {
        let directory = try TemporaryDirectory()
        let plugin = try LifecyclePlugin.build(in: directory, decide: "for (;;) pause();")
        let report = try play(plugin, isolation: "worker", mayHang: true)
        #expect(report.presented == [50, 50])
        #expect(report.faults(of: LifecyclePlugin.id).first?.hasPrefix("hang decide") == true)
        #expect(report.status == 3)
    }

    @Test func twoLifecycleStrategiesAreAUsageError() throws {
        let directory = try TemporaryDirectory()
        let outcome = try Kitshell.run(
            Media.short, "--plugin", try LifecyclePlugin.build(in: directory), "--lifecycle", "reuse-pool")
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("reuse-pool") && outcome.errors.contains(LifecyclePlugin.id))
    }
}
