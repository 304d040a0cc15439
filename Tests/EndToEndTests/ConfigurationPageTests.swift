// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing

@Suite("The page of docs on configuration, and the schema, say what is")
struct ConfigurationPageTests {
    private static let page = Kitshell.root.appending(path: "docs/configuration.md")

    /// The blocks of a language in the page, each without its fences.
    private func blocks(_ language: String) throws -> [String] {
        let parts = try String(contentsOf: Self.page, encoding: .utf8).components(separatedBy: "```")
        return parts.enumerated().filter { $0.offset % 2 == 1 && $0.element.hasPrefix(language + "\n") }
            .map { String($0.element.dropFirst(language.count + 1)) }
    }

    @Test("every command of the page works in the order of the page")
    func commands() throws {
        let directory = try TemporaryDirectory()
        for folder in ["work", "work/plugins", "home", "bin"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(folder), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        try FileManager.default.copyItem(atPath: Media.short, toPath: directory.file("work/movie.mp4"))
        try FileManager.default.copyItem(
            atPath: try CMonitor.path(), toPath: directory.file("work/plugins/libcounter.so"))
        let config = try #require(try blocks("json5").first)
        try Data(config.utf8).write(to: URL(filePath: directory.file("work/config.json")))
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("bin/kitshell"), withDestinationPath: try Kitshell.executable.get())
        let scripts = try blocks("sh")
        #expect(scripts.count >= 4)
        let script = "set -eux; cd \(directory.file("work")); umask 022\n" + scripts.joined(separator: "\n")
        let outcome = try ChildProcess(
            executable: "/usr/bin/env",
            arguments: [
                "KITSHELL_CONFIG=", "XDG_CONFIG_HOME=", "HOME=\(directory.file("home"))",
                "PATH=\(directory.file("bin")):/usr/bin:/bin", "/bin/sh", "-c", script,
            ]
        ).wait()
        #expect(outcome.status == 0, "\(outcome.errors)\n\(outcome.output)")
        #expect(
            outcome.output.contains("config.json: good; lifecycle reuse-pool; monitors first-frame, stutter-detect"))
        #expect(outcome.output.contains(" your plugin   \(CMonitor.id)"))
        #expect(outcome.output.contains("5   command line"))
        #expect(FileManager.default.fileExists(atPath: directory.file("work/config.schema.json")))
    }

    @Test("the mistakes that the page shows are told like that")
    func mistakes() throws {
        let shown = try #require(try blocks("").last)
        let fixture = try ConfigurationFixture(
            """
            {
              pluginPath: [],
              // c
              lifecycle: { name: "reuse-pool", options: { max_pol_size: 2 } },
              monitors: [],


              //
              player: { startBufferMs: 5000 },
            }
            """)
        let lines = try fixture.problems().map { "config.json:" + $0 + "\n" }
        #expect(shown == lines.joined())
    }

    @Test("the table of keys has the keys of the schema and the values that are in force without any")
    func keys() throws {
        let rows = try String(contentsOf: Self.page, encoding: .utf8).split(separator: "\n")
            .filter { $0.wholeMatch(of: /\| `[a-zA-Z0-9$.]+` \|.*\|/) != nil }
            .map { $0.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: [" ", "`"]) } }
        let schema = try JSONReader().read(try Kitshell.run("config", "schema").output)
        func paths(_ value: JSONValue?, _ prefix: String) -> [String] {
            (value?["properties"]?.object?.members ?? []).flatMap { member in
                member.value["properties"] == nil
                    ? [prefix + member.key] : paths(member.value, "\(prefix)\(member.key).")
            }
        }
        let entry = paths(schema["$defs"]?["entry"], "")
        #expect(rows.map { $0[0] } == paths(schema, "") + entry)

        let shown = try Report(try Kitshell.run("config", "show", "--report", "json")).json["values"]?.array ?? []
        for row in rows where row.count == 3 && row[0].contains(".") {
            let value = shown.first { $0["key"]?.string == row[0] }?["value"]
            let text = (value?.array ?? value.map { [$0] } ?? []).map { $0.string ?? JSONWriter.text($0) }
            #expect(row[2] == text.joined(separator: ", "), "\(row[0])")
        }
    }

    @Test("the schema that is printed is the one that ships, and holds files to what the reader holds them to")
    func schema() throws {
        let outcome = try Kitshell.run("config", "schema")
        let shipped = Kitshell.root.appending(path: "Sources/Host/PlayerKit/Schemas/config.schema.json")
        let isSame = try String(contentsOf: shipped, encoding: .utf8) == outcome.output
        #expect(isSame, "if that is meant: kitshell config schema > \(shipped.path)")
        var checker = try SchemaChecker("config.schema.json")
        let good = """
            {"$schema": "x", "pluginPath": ["/a"], "lifecycle": "reuse-pool", "monitors": ["first-frame",
             {"name": "stutter-detect", "options": {"threshold_ms": 5, "thresholds_ms": [1, 2]}}],
             "player": {"startBufferMs": 0}, "workers": {"decisionDeadlineMs": 25, "restart": {"backoffMs": [0], "limit": 1,
             "windowMs": 1}}, "log": {"level": "none", "format": "text"}}
            """
        #expect(checker.check(try JSONReader().read(good)) == [])
        #expect(try ConfigurationFixture(good).check().status == 0)
        for bad in [
            #"{"player": {"startBufferMs": -1}}"#, #"{"player": {"startBufferMs": 1.5}}"#, #"{"player": {"x": 1}}"#,
            #"{"x": 1}"#, #"{"monitors": "first-frame"}"#, #"{"monitors": [7]}"#, #"{"lifecycle": {"options": {}}}"#,
            #"{"lifecycle": {"name": "reuse-pool", "sha256": "x"}}"#, #"{"log": {"level": "loud"}}"#,
            #"{"workers": {"restart": {"backoffMs": []}}}"#, #"{"lifecycle": ""}"#,
            #"{"lifecycle": {"name": "reuse-pool", "options": {"max_pool_size": null}}}"#,
        ] {
            #expect(!checker.check(try JSONReader().read(bad)).isEmpty, "\(bad)")
            #expect(try ConfigurationFixture(bad).check().status == 2, "\(bad)")
        }
    }
}
