// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import JSONText
import TestSupport
import Testing

@Suite("What may lie in a directory of plugins")
struct ConfigurationDirectoryTests {
    private static let probe = "{pluginPath: ['plugins'], monitors: ['\(ConfigurablePlugin.id)']}"

    /// The rows of `plugin list` for what is found, and its exit status.
    private func list(
        _ fixture: ConfigurationFixture, _ more: String...
    ) throws -> (rows: [JSONValue], status: Int32?) {
        let report = try Report(
            try Kitshell.start(["plugin", "list", "--config", fixture.file, "--report", "json"] + more).wait())
        var checker = try SchemaChecker("plugins.schema.json")
        #expect(checker.check(report.json) == [])
        return ((report.json["plugins"]?.array ?? []).filter { $0["origin"] != "built-in" }, report.status)
    }

    private func names(_ rows: [JSONValue]) -> [String?] {
        rows.map { $0["path"]?.string.map { URL(filePath: $0).lastPathComponent } }
    }

    @Test("a plugin is found by its id, and only listed until something names it")
    func byID() throws {
        let fixture = try ConfigurationFixture("{pluginPath: ['plugins']}")
        let plugin = try fixture.add(try CMonitor.path(), as: "libcounter.so", in: "plugins")
        let (rows, status) = try list(fixture)
        #expect(rows.map { $0["path"]?.string } == [plugin])
        #expect(rows.first?["origin"] == "plugin path")
        #expect(rows.first?["verdict"] == "accepted")
        #expect(status == 0)
        let report = try Kitshell.play(Media.short, "--config", fixture.file)
        #expect(report.strategy(CMonitor.id) == nil)
        let named = try Kitshell.play(Media.short, "--config", fixture.file, "--monitor", CMonitor.id)
        #expect(named.strategy(CMonitor.id)?["health"] == "running")
        #expect(named.count()?["events"] != nil)
        #expect(named.status == 0)
    }

    @Test("helpers, hidden files, other names, directories, pipes and devices are passed over")
    func passedOver() throws {
        let fixture = try ConfigurationFixture(Self.probe)
        try fixture.add(in: "plugins")
        let plugins = "\(fixture.path)/plugins"
        let helper = try ConfigurablePlugin.build(in: fixture.directory, as: "libhelper.so", id: nil)
        try fixture.add(helper, as: "libhelper.so", in: "plugins")
        try fixture.add(try CMonitor.path(), as: "._libcounter.so", in: "plugins")
        try fixture.add(try CMonitor.path(), as: "libcounter.so.bak", in: "plugins")
        try fixture.add(try CMonitor.path(), as: "inside.so", in: "plugins/more")
        try fixture.add(try CMonitor.path(), as: "inside.so", in: "plugins/directory.so")
        #expect(unsafe mkfifo("\(plugins)/fifo.so", 0o600) == 0)
        try fixture.link("plugins/device.so", to: "/dev/zero")
        try fixture.link("plugins/cycle", to: ".")
        try fixture.link("plugins/cycle.so", to: "../plugins")
        let (rows, status) = try list(fixture)
        #expect(names(rows) == ["libprobe.so"])
        #expect(status == 0)
        let check = try fixture.check()
        #expect(check.errors == "")
        #expect(check.status == 0)
    }

    @Test("a file that cannot be a plugin is listed with its reason, and disturbs no other")
    func badFiles() throws {
        let fixture = try ConfigurationFixture(Self.probe)
        try fixture.add(in: "plugins")
        let plugins = "\(fixture.path)/plugins"
        for (name, text) in [("empty.so", ""), ("text.so", "no plugin")] {
            try Data(text.utf8).write(to: URL(filePath: "\(plugins)/\(name)"))
        }
        try fixture.link("plugins/gone.so", to: "nowhere.so")
        let (rows, status) = try list(fixture)
        // The plugin that is used comes first: it is named.
        #expect(names(rows) == ["libprobe.so", "empty.so", "gone.so", "text.so"])
        #expect(
            rows.map { $0["refusal"]?["code"]?.string } == [nil, "empty", "not_found", "not_elf"])
        #expect(status == 3)
        #expect(try fixture.check().status == 0)
    }

    @Test("the same file is looked at once, by whatever names and links it is met")
    func sameFile() throws {
        let fixture = try ConfigurationFixture("{pluginPath: ['plugins', './plugins/', 'linked', 'others']}")
        try fixture.add(in: "plugins")
        try fixture.link("plugins/again.so", to: "libprobe.so")
        try fixture.link("linked", to: "plugins")
        try FileManager.default.createDirectory(
            atPath: "\(fixture.path)/others", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        #expect(unsafe link("\(fixture.path)/plugins/libprobe.so", "\(fixture.path)/others/hard.so") == 0)
        #expect(names(try list(fixture).rows) == ["again.so"])
    }

    @Test("of two files with one id the first in the order of the path is used, and both are told")
    func sameID() throws {
        let fixture = try ConfigurationFixture(
            "{pluginPath: ['b', 'a'],\n monitors: ['\(ConfigurablePlugin.id)']}")
        let first = try fixture.add(in: "b")
        let second = try fixture.add(in: "a")
        let rows = try list(fixture).rows
        #expect(rows.map { $0["path"]?.string } == [first, second])
        #expect(rows.map { $0["shadowed_by"]?.string } == [nil, first])
        let check = try fixture.check()
        #expect(
            check.errors
                == "\(fixture.file):2:13: monitors[0]: '\(ConfigurablePlugin.id)' is \(first); \(second) has the same id; "
                + "the first in pluginPath is used; path names another\n")
        #expect(check.status == 0)
        let text = try Kitshell.run("plugin", "list", "--config", fixture.file)
        #expect(
            text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                .contains("/b/libprobe.so came first and is used in its place"))
        #expect(text.status == 0)
    }

    @Test("the first file of an id counts also if it is not accepted")
    func firstIsRefused() throws {
        let fixture = try ConfigurationFixture("{pluginPath: ['b', 'a'], monitors: ['\(ConfigurablePlugin.id)']}")
        let first = try fixture.add(in: "b")
        try fixture.add(in: "a")
        #expect(unsafe chmod(first, 0o777) == 0)
        let problems = try fixture.problems()
        #expect(problems.count == 1)
        #expect(problems.first?.contains("monitors[0]: plugin \(first) is refused") == true)
        #expect(problems.first?.contains("can be written to by other users") == true)
        #expect(try Kitshell.run("config", "check", fixture.file, "--insecure-path").status == 0)
    }

    @Test("a directory that others may write to holds no plugin that is accepted")
    func openDirectory() throws {
        let fixture = try ConfigurationFixture(Self.probe)
        try fixture.add(in: "plugins")
        #expect(unsafe chmod("\(fixture.path)/plugins", 0o777) == 0)
        #expect(try fixture.problems().first?.contains("its directory (mode 777) can be written to") == true)
        let run = try Kitshell.start(
            ["config", "show", "--config", fixture.file, "--insecure-path", "--report", "json"]
        ).wait()
        #expect(run.status == 0)
    }

    @Test("a directory that is not there is an empty one; what is none, or a link in a circle, is a mistake")
    func directories() throws {
        let fixture = try ConfigurationFixture("{pluginPath: ['nowhere', '~/nowhere',\n 'config.json', 'a']}")
        try fixture.link("a", to: "b")
        try fixture.link("b", to: "a")
        #expect(
            try fixture.problems() == [
                "2:2: pluginPath[2]: plugins cannot be looked up in \(fixture.file): it is no directory; name a directory; "
                    + "one that is not there is passed over",
                "2:17: pluginPath[3]: plugins cannot be looked up in \(fixture.path)/a: Too many levels of symbolic links; "
                    + "name a directory; one that is not there is passed over",
            ])
        try fixture.write("{pluginPath: ['nowhere', '~/nowhere']}")
        #expect(try fixture.check().status == 0)
    }

    @Test(
        "a directory that its user may not read is told and passed over",
        .enabled(if: geteuid() != 0, "root reads every directory"))
    func unreadableDirectory() throws {
        let fixture = try ConfigurationFixture("{pluginPath: ['locked', 'plugins']}")
        try fixture.add(in: "plugins")
        try fixture.add(in: "locked")
        #expect(unsafe chmod("\(fixture.path)/locked", 0) == 0)
        let check = try fixture.check()
        #expect(check.errors.contains("1:15: pluginPath[0]: plugins cannot be looked up in \(fixture.path)/locked"))
        #expect(check.status == 0)
        #expect(names(try list(fixture).rows) == ["libprobe.so"])
        let play = try Kitshell.run("play", Media.short, "--speed", "max", "-q", "--config", fixture.file)
        #expect(play.errors == "")
        #expect(play.status == 0)
    }
}
