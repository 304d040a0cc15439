// SPDX-License-Identifier: Apache-2.0

import JSONText
import TestSupport
import Testing

/// A monitor that fails in its own process costs nothing but its own reports.
@Suite struct PluginFaultTests {
    /// Checks that everything else went on as if the plugin had never been there.
    private func expectTheRestPlayed(_ report: Report) {
        #expect(report.presented == [125])
        #expect(report.sessions.first?["outcome"] == "complete")
        #expect(report.sessions.first?["first_frame"]?["total_ms"]?.number != nil)
        #expect(report.strategy("first-frame")?["health"] == "running")
        #expect(report.status == 3)
    }

    @Test(arguments: [
        (CMonitor.crash, "crash on_events SIGSEGV"), ("abort();", "crash on_events SIGABRT"),
        ("exit(0);", "exit on_events"), ("for (;;) pause();", "hang on_events"),
    ])
    func aFaultInABatchIsNamedAndTheRestPlaysOn(_ body: String, _ fault: String) throws {
        let directory = try TemporaryDirectory()
        let plugin = try CMonitor.build(in: directory, batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", body))
        let report = try Kitshell.play(Kitshell.clip, "--plugin", plugin)
        expectTheRestPlayed(report)
        let named = try #require(report.faults(of: CMonitor.id).first)
        // A process that is ended for hanging was ended by a signal.
        #expect(named.hasPrefix(fault))
        // It was started again.
        #expect(["running", "backoff"].contains(report.strategy(CMonitor.id)?["health"]?.string))
    }

    @Test func aCrashInTheThirdBatchIsNamedAndTheRestPlaysOn() throws {
        // In real time there are more batches than that, however the machine cuts them.
        let directory = try TemporaryDirectory()
        let plugin = try CMonitor.build(in: directory, batch: "if (calls == 3) { \(CMonitor.crash) }")
        let report = try Report(try Kitshell.run(Media.short, "--plugin", plugin, "--report", "json"))
        #expect(report.faults(of: CMonitor.id).first == "crash on_events SIGSEGV")
        #expect(report.sessions.first?["outcome"] == "complete")
        #expect(report.sessions.first?["frames"]?["decoded"] == 50)
        #expect(report.strategy("first-frame")?["health"] == "running")
        #expect(report.status == 3)
    }

    @Test(arguments: [
        (CMonitor.crash, "crash load SIGSEGV"), ("_exit(0);", "exit load"),
    ])
    func aFaultInAConstructorIsNamedAndTheRestPlaysOn(_ body: String, _ fault: String) throws {
        let directory = try TemporaryDirectory()
        let plugin = try CMonitor.build(in: directory, constructor: body)
        let report = try Kitshell.play(Kitshell.clip, "--plugin", plugin)
        expectTheRestPlayed(report)
        #expect(report.faults(of: CMonitor.id).first == fault)
    }

    @Test(arguments: [
        (CMonitor.crash, "crash destroy SIGSEGV"), ("for (;;) pause();", "hang destroy"), ("_exit(0);", "exit destroy"),
    ])
    func aFaultAtItsEndIsNamedToo(_ body: String, _ fault: String) throws {
        let directory = try TemporaryDirectory()
        let plugin = try CMonitor.build(in: directory, destroy: body)
        let report = try Kitshell.play(Kitshell.clip, "--plugin", plugin)
        expectTheRestPlayed(report)
        #expect(report.faults(of: CMonitor.id).first?.hasPrefix(fault) == true)
        #expect(report.count() != nil)
    }

    @Test func oneThatCrashesAndOneThatHangsCostAThirdNothing() throws {
        let directory = try TemporaryDirectory()
        let first = "KIT_EVENT_FIRST_VIDEO_FRAME"
        let crashing = try CMonitor.build(
            in: directory, as: "crashing.so", id: "com.example.crashing", batch: CMonitor.at(first, CMonitor.crash))
        let hanging = try CMonitor.build(
            in: directory, as: "hanging.so", id: "com.example.hanging", batch: CMonitor.at(first, "for (;;) pause();"))
        let report = try Kitshell.play(
            Kitshell.clip, "--plugin", crashing, "--plugin", hanging, "--plugin", try CMonitor.path())
        expectTheRestPlayed(report)
        #expect(report.faults(of: "com.example.crashing").first == "crash on_events SIGSEGV")
        #expect(report.faults(of: "com.example.hanging").first?.hasPrefix("hang on_events") == true)
        let good = try #require(report.strategy(CMonitor.id))
        #expect(good["health"] == "running" && good["faults"] == [])
        #expect(good["events_dropped"] == 0)
        #expect(report.count()?["events"] == good["events_delivered"])
    }

    @Test func aSlowStartCostsNothing() throws {
        let directory = try TemporaryDirectory()
        // Within what the header allows, and longer than the whole run.
        let plugin = try CMonitor.build(in: directory, constructor: "usleep(2500000);")
        let report = try Kitshell.play(Media.short, "--plugin", plugin)
        #expect(report.status == 0)
        #expect(report.count()?["events"] == report.strategy(CMonitor.id)?["events_delivered"])
        #expect(report.strategy(CMonitor.id)?["events_dropped"] == 0)
    }

    @Test func aPluginThatHangsInThisProcessDoesNotKeepItFromEnding() throws {
        // It holds the loader's lock for ever, which an orderly exit would wait for.
        let directory = try TemporaryDirectory()
        let plugin = try CMonitor.build(in: directory, constructor: "for (;;) pause();")
        let report = try Kitshell.play(Media.short, "--plugin", plugin, "--isolation", "in-process")
        #expect(report.strategy(CMonitor.id)?["health"] == "refused")
        #expect(report.status == 3)
    }

    @Test(arguments: ["worker", "in-process"])
    func anErrorOfTheMonitorIsReportedAndItGoesOn(isolation: String) throws {
        let directory = try TemporaryDirectory()
        let plugin = try CMonitor.build(
            in: directory, batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", "return KIT_INTERNAL;"))
        let report = try Kitshell.play(Kitshell.clip, "--plugin", plugin, "--isolation", isolation)
        expectTheRestPlayed(report)
        #expect(report.faults(of: CMonitor.id) == ["error on_events"])
        #expect(report.strategy(CMonitor.id)?["health"] == "running")
        #expect(report.count() != nil)
    }

    @Test func oneFailingPluginHurtsNoOther() throws {
        let directory = try TemporaryDirectory()
        let bad = try CMonitor.build(
            in: directory, as: "bad.so", id: "com.example.bad",
            batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", CMonitor.crash))
        let report = try Kitshell.play(Kitshell.clip, "--plugin", bad, "--plugin", try CMonitor.path())
        expectTheRestPlayed(report)
        #expect(report.strategy(CMonitor.id)?["health"] == "running")
        #expect(report.count()?["events"] == report.strategy(CMonitor.id)?["events_delivered"])
        #expect(report.count()?["dropped"] == 0)
    }

    @Test func whatAPluginPrintsNeverReachesTheReport() throws {
        let directory = try TemporaryDirectory()
        let plugin = try CMonitor.build(
            in: directory, batch: "write(1, \"{noise}\\n\", 8); write(2, \"{noise}\\n\", 8);")
        let report = try Kitshell.play(Media.short, "--plugin", plugin)
        #expect(report.presented == [50])
        #expect(report.status == 0)
    }
}
