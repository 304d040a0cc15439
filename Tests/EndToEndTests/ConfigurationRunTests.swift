// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing

@Suite("A run is made as the configuration says, as far as the command line does not say otherwise")
struct ConfigurationRunTests {
    private static let both = """
        {
          pluginPath: ["plugins"],
          lifecycle: {name: "reuse-pool", options: {max_pool_size: 2}},
          monitors: [
            "first-frame",
            "\(CMonitor.id)",
            {name: "often", path: "./plugins/libcounter.so", options: {every: 10}},
          ],
        }
        """

    private func fixture(_ text: String = both) throws -> ConfigurationFixture {
        let fixture = try ConfigurationFixture(text)
        try fixture.add(try CMonitor.path(), as: "libcounter.so", in: "plugins")
        return fixture
    }

    private func play(_ fixture: ConfigurationFixture, _ arguments: String...) throws -> Report {
        try Report(
            try Kitshell.start(
                ["play", Media.short, "--speed", "max", "--report", "json", "--config", fixture.file] + arguments
            ).wait())
    }

    private func names(_ report: Report) -> [String?] {
        (report.json["strategies"]?.array ?? []).map { $0["name"]?.string }
    }

    /// The rows of `config show` by their keys, as value and origin.
    private func settings(_ fixture: ConfigurationFixture, _ arguments: String...) throws -> [String: String] {
        let report = try Report(
            try Kitshell.start(["config", "show", "--report", "json", "--config", fixture.file] + arguments).wait())
        var checker = try SchemaChecker("settings.schema.json")
        #expect(checker.check(report.json) == [])
        let rows = (report.json["values"]?.array ?? []).map { row in
            let line = row["where"]?.string?.replacing(fixture.file + ":", with: "line ")
            let origin = line ?? row["origin"]?.string ?? "?"
            return (row["key"]?.string ?? "?", JSONWriter.text(row["value"] ?? .null) + " " + origin)
        }
        return Dictionary(rows) { $1 }
    }

    // MARK: Runs

    @Test("a plugin of a third party runs twice, found by its id and by its path under another name")
    func twice() throws {
        let fixture = try fixture()
        let report = try play(fixture)
        #expect(names(report) == [CMonitor.id, "often", "first-frame", "reuse-pool"])
        #expect(report.strategy("often")?["id"]?.string == CMonitor.id)
        for name in [CMonitor.id, "often"] {
            #expect(report.strategy(name)?["runs"] == "worker")
            #expect(report.strategy(name)?["health"] == "running")
            #expect(report.strategy(name)?["origin"]?.string == "\(fixture.path)/plugins/libcounter.so")
        }
        // Each has its own options: what one tells at each event, the other tells at each tenth.
        #expect(report.count()?["events"] == report.strategy(CMonitor.id)?["events_delivered"])
        #expect(report.count("often") != nil)
        #expect(report.json["pool"]?["strategy"] == "reuse-pool")
        #expect(report.sessions.first?["first_frame"]?["total_ms"] != nil)
        #expect(report.presented == [50])
        #expect(report.status == 0)
    }

    @Test("an empty list runs no monitor; one that says nothing leaves the usual ones")
    func monitors() throws {
        #expect(names(try play(try fixture("{monitors: []}"))) == [])
        #expect(
            names(try play(try fixture("{}"))) == ["first-frame", "stutter-detect", "traffic-protection"])
    }

    @Test("--monitor replaces the list, and names what the file has, with its options, or what lies in its directories")
    func monitorOption() throws {
        let fixture = try fixture()
        let report = try play(fixture, "--monitor", "often", "--monitor", "traffic-protection")
        #expect(names(report) == ["often", "traffic-protection", "reuse-pool"])
        #expect(try settings(fixture, "--monitor", "often")["monitors[0].options.every"] == "10 line 7")
        #expect(names(try play(fixture, "--monitor", "none")) == ["reuse-pool"])
        let unknown = try Kitshell.run("play", Media.short, "--config", fixture.file, "--monitor", "ofen")
        #expect(unknown.errors.contains("no monitoring strategy is called 'ofen'"))
        #expect(unknown.status == 2)
    }

    @Test("--lifecycle replaces the strategy, and --set one option of it")
    func lifecycleOption() throws {
        let fixture = try fixture()
        #expect(try play(fixture, "--lifecycle", "singleton").json["pool"]?["strategy"] == "singleton")
        let set = try settings(fixture, "--set", "reuse-pool.max_pool_size=7")
        #expect(set["lifecycle.options.max_pool_size"] == "7 command line")
        #expect(try settings(fixture)["lifecycle.options.max_pool_size"] == "2 line 3")
        #expect(
            try settings(fixture, "--lifecycle", "id-scoped-pool")["lifecycle.options.max_pool_size"] == "3 default")
    }

    @Test("--plugin adds to the list, and takes the place of an entry of its name, options included")
    func pluginOption() throws {
        let fixture = try fixture()
        let path = try CMonitor.path()
        #expect(names(try play(fixture, "--plugin", "mine=\(path)")).contains("mine"))
        let replaced = try settings(fixture, "--plugin", "often=\(path)")
        #expect(replaced["monitors[2].path"] == "\"\(path)\" command line")
        #expect(replaced["monitors[2].options.every"] == "1 default")
        let directory = try TemporaryDirectory()
        let keeper = try LifecyclePlugin.build(in: directory)
        #expect(try play(fixture, "--plugin", keeper).json["pool"]?["strategy"]?.string == LifecyclePlugin.id)
    }

    @Test("an entry runs in this process if it says so, and --isolation says it for all")
    func isolation() throws {
        let fixture = try fixture(
            "{monitors: [{name: 'here', path: 'plugins/libcounter.so', isolation: 'in-process'},"
                + " {name: 'there', path: 'plugins/libcounter.so'}]}")
        let report = try play(fixture)
        #expect(report.strategy("here")?["runs"] == "in-process")
        #expect(report.strategy("there")?["runs"] == "worker")
        #expect(report.status == 0)
        let moved = try play(fixture, "--isolation", "worker")
        #expect(moved.strategy("here")?["runs"] == "worker")
        #expect(
            try settings(fixture, "--isolation", "in-process")["monitors[1].isolation"] == "\"in-process\" command line"
        )
    }

    @Test("a plugin with the hash that it is pinned to runs, and a changed one does not")
    func pin() throws {
        let fixture = try fixture("{}")
        let plugin = "\(fixture.path)/plugins/libcounter.so"
        let inspection = try Report(try Kitshell.run("plugin", "inspect", plugin, "--report", "json"))
        let hash = try #require(inspection.json["plugins"]?.array?.first?["sha256"]?.string)
        try fixture.write("{monitors: [{name: 'mine', path: '\(plugin)', sha256: '\(hash.uppercased())'}]}")
        #expect(try play(fixture).status == 0)
        #expect(try settings(fixture)["monitors[0].sha256"] == "\"\(hash)\" line 1")
        let handle = try #require(FileHandle(forWritingAtPath: plugin))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0]))
        try handle.close()
        let outcome = try Kitshell.run("play", Media.short, "--config", fixture.file)
        #expect(outcome.errors.contains("monitors[0].sha256: plugin \(plugin) is refused: the file has the SHA-256"))
        #expect(outcome.status == 2)
    }

    @Test("a grant of an entry opens what it names, with paths that count from the file")
    func grants() throws {
        let directory = try TemporaryDirectory()
        let marker = directory.file("ran")
        let plugin = try CMonitor.build(in: directory, constructor: CMonitor.mark(marker))
        let entry = "name: 'mine', path: '\(plugin)'"
        let without = try play(try ConfigurationFixture("{monitors: [{\(entry)}]}"))
        #expect(without.faults(of: "mine").contains { $0.hasPrefix("denied") })
        #expect(!FileManager.default.fileExists(atPath: marker))
        let opened = try play(try ConfigurationFixture("{monitors: [{\(entry), grant: ['all']}]}"))
        #expect(opened.faults(of: "mine") == [])
        #expect(FileManager.default.fileExists(atPath: marker))

        let probe = try ConfigurationFixture(
            "{monitors: [{name: 'mine', path: 'libprobe.so', grant: ['read_paths=lists']}]}")
        try probe.add()
        #expect(try settings(probe)["monitors[0].grant[0]"] == "\"read_paths=\(probe.path)/lists\" line 1")
    }

    @Test("a plugin that the file names is quarantined from one run to the next; a --plugin is not")
    func quarantine() throws {
        let directory = try TemporaryDirectory()
        let state = directory.file("state")
        let plugin = try CMonitor.build(
            in: directory, batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", CMonitor.crash))
        let fixture = try ConfigurationFixture(
            "{monitors: [{name: 'mine', path: '\(plugin)'}], workers: {restart: {limit: 1}}}")
        let first = try play(fixture, "--state-dir", state)
        #expect(first.strategy("mine")?["health"] == "quarantined")
        #expect(first.faults(of: "mine").count == 1)
        let second = try play(fixture, "--state-dir", state)
        #expect(second.strategy("mine")?["health"] == "quarantined")
        #expect(second.strategy("mine")?["calls"] == 0)
        #expect(second.status == 3)
        let show = try Kitshell.run("config", "show", "--config", fixture.file, "--state-dir", state)
        #expect(show.errors.contains("mine is quarantined since"))
        #expect(show.status == 3)
        #expect(try Kitshell.run("plugin", "retry", CMonitor.id, "--state-dir", state).status == 0)
        let third = try play(fixture, "--state-dir", state)
        #expect(third.faults(of: "mine") == first.faults(of: "mine"))
    }

    @Test("a decision has the time that the file gives it")
    func decisionDeadline() throws {
        let directory = try TemporaryDirectory()
        let slow = try LifecyclePlugin.build(in: directory, decide: "usleep(200000);")
        let entry = "lifecycle: {name: 'slow', path: '\(slow)'}"
        let late = try play(try ConfigurationFixture("{\(entry), workers: {decisionDeadlineMs: 20}}"))
        #expect((late.strategy("slow")?["defaults_used"]?.int ?? 0) > 0)
        let inTime = try play(try ConfigurationFixture("{\(entry), workers: {decisionDeadlineMs: 10000}}"))
        #expect(inTime.strategy("slow")?["defaults_used"] == 0)
        #expect(inTime.status == 0)
    }

    @Test("a source is tried as often as the file says")
    func retries() throws {
        func events(_ text: String) throws -> String {
            let fixture = try ConfigurationFixture(text)
            let outcome = try Kitshell.run(
                "play", "http://127.0.0.1:1/a.mp4", "--speed", "max", "--report", "json", "--config", fixture.file)
            #expect(outcome.status == 1)
            return outcome.errors
        }
        #expect(try events("{log: {level: 'debug'}}").contains("\"event\":\"retry\""))
        #expect(
            try !events("{log: {level: 'debug'}, player: {networkRetryCount: 0}}").contains("\"event\":\"retry\""))
    }

    @Test("the level of the log is the file's unless the command line has one")
    func logLevel() throws {
        let fixture = try ConfigurationFixture("{log: {level: 'debug', format: 'text'}}")
        let debug = try Kitshell.run(
            "play", Media.short, "--speed", "max", "--report", "json", "--config", fixture.file)
        #expect(debug.errors.contains("D Events: "))
        for option in [["-q"], ["--log-level", "info"]] {
            let quiet = try Kitshell.start(
                ["play", Media.short, "--speed", "max", "--config", fixture.file] + option
            ).wait()
            #expect(!quiet.errors.contains("D Events: "))
        }
    }

    // MARK: Other commands

    @Test("a strategy of the file does not make a feed of the demo clip; one of the command line does")
    func demo() throws {
        let fixture = try fixture("{lifecycle: 'reuse-pool'}")
        let clip = try Report(
            try Kitshell.run("--speed", "max", "--report", "json", "--config", fixture.file))
        #expect(clip.json["schema"] == "kitshell.report/1")
        #expect(clip.json["pool"]?["strategy"] == "reuse-pool")
        let feed = try Kitshell.run("--speed", "max", "--lifecycle", "reuse-pool", "--config", fixture.file)
        #expect(feed.errors.contains("does not go with the demo feed"))
    }

    @Test("feeds are compared under the file, whose strategies may be among them")
    func feed() throws {
        let directory = try TemporaryDirectory()
        let keeper = try LifecyclePlugin.build(in: directory)
        let fixture = try fixture(
            "{lifecycle: {name: 'keeper', path: '\(keeper)'}, monitors: [{name: 'often', path: 'plugins/libcounter.so'}]}"
        )
        let list = try fixture.directory.write(Array("\(Media.short)\n\(Kitshell.clip)\n".utf8), to: "list.txt")
        let arguments = ["feed", list, "--swipe-every", "100", "--report", "json", "--config", fixture.file]
        let alone = try Report(try Kitshell.start(arguments).wait())
        #expect(alone.json["runs"]?.array?.first?["strategy"] == "keeper")
        let compared = try Report(try Kitshell.start(arguments + ["--compare", "keeper,reuse-pool"]).wait())
        #expect(compared.json["runs"]?.array?.map { $0["strategy"]?.string } == ["keeper", "reuse-pool"])
        #expect(alone.status == 0 && compared.status == 0, "\(alone.errors)\(compared.errors)")
    }

    @Test("a replay runs the monitors of the file, a pool script its lifecycle strategy, and neither the other")
    func replayAndPool() throws {
        let fixture = try fixture()
        let log = fixture.directory.file("log.jsonl")
        #expect(try play(fixture, "--record", log).status == 0)
        let replay = try Report(
            try Kitshell.run("replay", log, "--report", "json", "--config", fixture.file))
        #expect(names(replay) == [CMonitor.id, "often", "first-frame"])
        #expect(replay.status == 0)

        let script = try fixture.directory.write(
            Array("acquire A as p\nrecycle p\nacquire B as q\ncounts\n".utf8), to: "s.pool")
        let pool = try Kitshell.run("pool", script, "--config", fixture.file)
        #expect(pool.output.contains("\"outcome\":\"reused\""))
        #expect(pool.status == 0)
        #expect(try !Kitshell.run("pool", script).output.contains("\"outcome\":\"reused\""))
    }

    @Test("the doctor looks at the file in force")
    func doctor() throws {
        func look(_ text: String) throws -> Report {
            let fixture = try fixture(text)
            let report = try Report(
                try Kitshell.start(["doctor", "--report", "json"], environment: ["KITSHELL_CONFIG=\(fixture.file)"])
                    .wait())
            var checker = try SchemaChecker("doctor.schema.json")
            #expect(checker.check(report.json) == [])
            #expect(report.json["configuration"]?["file"]?.string == fixture.file)
            return report
        }
        let good = try look(Self.both)
        #expect(good.json["configuration"]?["problems"] == 0)
        #expect(good.status == 0)
        let bad = try look("{lifecycle: 'reuse-pol', x: 1}")
        #expect(bad.json["configuration"]?["problems"] == 2)
        let finding = bad.json["findings"]?.array?.first { $0["about"] == "configuration" }
        #expect(finding?["message"]?.string?.contains("config.json:1:13: lifecycle: no lifecycle strategy") == true)
        #expect(bad.status == 1)
    }

    // MARK: What is in force

    @Test("config show tells each value with who says so")
    func show() throws {
        let fixture = try fixture(
            """
            {pluginPath: ["plugins"],
             monitors: ["first-frame", {name: "often",
               path: "plugins/libcounter.so"}],
             player: {startBufferMs: 250},
             workers: {restart: {backoffMs: [0, 5]}},
             log: {level: "warn"}}
            """)
        let plugin = "\(fixture.path)/plugins/libcounter.so"
        let shown = try settings(
            fixture, "--lifecycle", "reuse-pool", "--set", "often.every=3", "--log-level", "error", "--state-dir", "/s")
        let expected = [
            "config": "\"\(fixture.file)\" command line", "stateDir": "\"/s\" command line",
            "pluginPath[0]": "\"\(fixture.path)/plugins\" line 1", "lifecycle.name": "\"reuse-pool\" command line",
            "lifecycle.options.min_idle": "0 default", "monitors[0].name": "\"first-frame\" line 2",
            "monitors[1].name": "\"often\" line 2", "monitors[1].path": "\"\(plugin)\" line 3",
            "monitors[1].isolation": "\"worker\" default", "monitors[1].options.every": "3 command line",
            "player.startBufferMs": "250 line 4", "player.highBufferMs": "3000 default",
            "workers.restart.backoffMs": "[0,5] line 5", "workers.restart.limit": "5 default",
            "log.level": "\"error\" command line", "log.format": "\"text\" default",
        ]
        for (key, value) in expected { #expect(shown[key] == value, "\(key)") }
        #expect(try settings(fixture)["stateDir"]?.hasSuffix(" KITSHELL_STATE_DIR") == true)

        let text = try Kitshell.run("config", "show", "--config", fixture.file)
        #expect(
            text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
                "player.startBufferMs 250 "))
        #expect(text.output.split(separator: "\n").filter { $0.count > 80 && !$0.contains("/") } == [])
        #expect(text.status == 0)
    }

    @Test("a plugin of the command line that is refused is told, and the rest is shown")
    func showRefused() throws {
        let outcome = try Kitshell.run("config", "show", "--plugin", "/nowhere/x.so")
        #expect(outcome.errors.contains("plugin /nowhere/x.so is refused"))
        #expect(outcome.output.contains(" monitors[0].name "))
        #expect(outcome.status == 3)
    }
}
