// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import JSONText
import TestSupport
import Testing

@Suite("Which configuration file is read, and what may be at its path")
struct ConfigurationFileTests {
    // MARK: Places

    /// What `config show` says of the file under an environment.
    private func fileInForce(_ environment: [String], _ arguments: String...) throws -> JSONValue? {
        let outcome = try Kitshell.start(
            ["config", "show", "--report", "json"] + arguments, environment: environment
        ).wait()
        return try Report(outcome).json["values"]?.array?.first { $0["key"] == "config" }
    }

    @Test("the command line beats the environment, which beats the user's file; 'none' stands for no file")
    func places() throws {
        let fixture = try ConfigurationFixture()
        let named = try fixture.directory.write(Array("{}".utf8), to: "named.json")
        let other = fixture.file
        for folder in ["home/.config/kitshell", "xdg/kitshell"] {
            try FileManager.default.createDirectory(
                atPath: "\(fixture.path)/\(folder)", withIntermediateDirectories: true)
            try Data("{}".utf8).write(to: URL(filePath: "\(fixture.path)/\(folder)/config.json"))
        }
        let home = ["KITSHELL_CONFIG=", "XDG_CONFIG_HOME=", "HOME=\(fixture.path)/home"]
        let xdg = home + ["XDG_CONFIG_HOME=\(fixture.path)/xdg"]
        let variable = xdg + ["KITSHELL_CONFIG=\(named)"]

        let atHome = try fileInForce(home)
        #expect(atHome?["value"]?.string == "\(fixture.path)/home/.config/kitshell/config.json")
        #expect(atHome?["origin"] == "default")
        #expect(try fileInForce(xdg)?["value"]?.string == "\(fixture.path)/xdg/kitshell/config.json")
        #expect(try fileInForce(home + ["XDG_CONFIG_HOME=xdg"])?["value"] == atHome?["value"])
        let fromVariable = try fileInForce(variable)
        #expect(fromVariable?["value"]?.string == named)
        #expect(fromVariable?["origin"] == "environment")
        #expect(fromVariable?["where"] == "KITSHELL_CONFIG")
        let fromOption = try fileInForce(variable, "--config", other)
        #expect(fromOption?["value"]?.string == other)
        #expect(fromOption?["origin"] == "command line")
        #expect(try fileInForce(variable, "--config", "none")?["value"] == .null)
        #expect(try fileInForce(xdg + ["KITSHELL_CONFIG=none"])?["value"] == .null)
    }

    @Test("a usual file that is not there is none; one that is named, or a link that leads nowhere, is told")
    func missing() throws {
        let fixture = try ConfigurationFixture()
        let home = ["KITSHELL_CONFIG=", "XDG_CONFIG_HOME=", "HOME=\(fixture.path)"]
        // Where the system has a file of its own, that is in force.
        if !FileManager.default.fileExists(atPath: "/etc/kitshell/config.json") {
            #expect(try fileInForce(home)?["value"] == .null)
            let check = try Kitshell.start(["config", "check"], environment: home).wait()
            #expect(check.output.contains("no configuration is in force"))
            #expect(check.status == 0)
        }
        try FileManager.default.createDirectory(
            atPath: "\(fixture.path)/.config/kitshell", withIntermediateDirectories: true)
        try fixture.link(".config/kitshell/config.json", to: "nowhere")
        let runs = [
            try Kitshell.start(["config", "check"], environment: home).wait(),
            try Kitshell.start(["play", Media.short], environment: home).wait(),
            try Kitshell.run("play", Media.short, "--config", "/nowhere/at/all.json"),
            try Kitshell.start(["replay", "-"], environment: ["KITSHELL_CONFIG=/nowhere/at/all.json"]).wait(),
        ]
        for run in runs {
            #expect(run.status == 2)
            #expect(
                run.errors.contains("config.json: it is a link") || run.errors.contains("all.json: there is no such"))
            #expect(run.output == "")
        }
    }

    // MARK: What may be there

    @Test("what is no file is not read, and nobody waits for it")
    func noFile() throws {
        let directory = try TemporaryDirectory()
        #expect(unsafe mkfifo(directory.file("fifo"), 0o600) == 0)
        for (path, words) in [
            (directory.path, "it is a directory; name the file in it"), (directory.file("fifo"), "it is a pipe"),
            ("/dev/zero", "it is a device"), ("/dev/null", "it is a device"),
            ("\(directory.path)/a/b", "there is no such file"),
        ] {
            let outcome = try Kitshell.run("config", "check", path)
            #expect(outcome.errors.hasPrefix("\(path): \(words)"), "\(outcome.errors)")
            #expect(outcome.status == 2)
        }
    }

    @Test("a file of 100 MB is refused unread")
    func large() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write([], to: "large.json")
        #expect(unsafe truncate(path, 100_000_000) == 0)
        let outcome = try Kitshell.run("config", "check", path)
        #expect(outcome.errors.contains("the file has 100000000 bytes, a configuration at most 1048576"))
        #expect(outcome.status == 2)
    }

    @Test("a file that its user may not read is told", .enabled(if: geteuid() != 0, "root reads every file"))
    func unreadable() throws {
        let fixture = try ConfigurationFixture()
        #expect(unsafe chmod(fixture.file, 0) == 0)
        let outcome = try fixture.check()
        #expect(outcome.errors.contains("the file cannot be read (Permission denied)"))
        #expect(outcome.status == 2)
    }

    @Test(
        "hostile bytes have a place",
        arguments: [
            ([0x7b, 0x0a, 0xff, 0x7d], "2:1: the byte 0xff is not UTF-8"),
            ([0xff, 0xfe, 0x7b, 0, 0x7d, 0], "1:1: the byte 0xff is not UTF-8"),
            (Array("{a:".utf8) + [0], "1:4: U+0000 stands where a value should be"),
            (Array(String(repeating: "[", count: 500_000).utf8), "1:65: nested deeper than 64 levels"),
            (Array("{log:{level:'".utf8), "1:13: the text that begins here has no end"),
        ] as [([UInt8], String)])
    func bytes(bytes: [UInt8], text: String) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, to: "config.json")
        let outcome = try Kitshell.run("config", "check", path)
        #expect(outcome.errors.hasPrefix("\(path):\(text)"), "\(outcome.errors.prefix(300))")
        #expect(outcome.status == 2)
    }

    @Test("a byte order mark and the line ends of other systems are no mistakes")
    func byteOrderMark() throws {
        let fixture = try ConfigurationFixture("\u{FEFF}{ // c\r\n  monitors: [],\r\n}\r\n")
        let outcome = try fixture.check()
        #expect(outcome.output == "\(fixture.file): good; no monitors\n")
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
    }

    @Test("an output does not replace the file, nor a plugin that it names")
    func spared() throws {
        let fixture = try ConfigurationFixture("{monitors: [{name: 'mine', path: 'libprobe.so'}]}")
        let plugin = try fixture.add()
        for path in [fixture.file, plugin] {
            let before = try Data(contentsOf: URL(filePath: path))
            for command in [["play", Media.short], ["config", "show"], ["plugin", "list"]] {
                let outcome = try Kitshell.start(
                    command + ["--config", fixture.file, "--report", "json=\(path)"]
                ).wait()
                #expect(outcome.errors.contains("same file"))
                #expect(outcome.status == 2)
            }
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
    }
}
