// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Gives the fixtures that fail as they are loaded to other programs that load libraries, to see what becomes of them. Nothing of it is
/// expected: it is printed for people.
enum OtherHosts {
    private struct Host: Sendable {
        var name: String
        /// What is run for its version, and to load a plugin; the directory is the fixture's own, the plugin in it is bad.so.
        var version: [String]
        var load: @Sendable (_ plugin: String, _ directory: String) throws -> [String]
    }

    private static let hosts = [
        Host(name: "sqlite3", version: ["sqlite3", "--version"]) { plugin, _ in
            ["sqlite3", "-bail", ":memory:", ".load '\(plugin)'"]
        },
        Host(name: "nginx", version: ["nginx", "-v"]) { plugin, directory in
            let file = "\(directory)/nginx.conf"
            try "load_module \(plugin);\nerror_log stderr;\npid \(directory)/nginx.pid;\nevents {}\n"
                .write(toFile: file, atomically: false, encoding: .utf8)
            return ["nginx", "-t", "-c", file]
        },
        Host(name: "openssl", version: ["openssl", "version"]) { plugin, _ in
            let folder = URL(filePath: plugin).deletingLastPathComponent().path
            return ["openssl", "list", "-providers", "-provider-path", folder, "-provider", "bad"]
        },
        Host(name: "collectd", version: ["collectd", "-h"]) { plugin, directory in
            let file = "\(directory)/collectd.conf"
            let folder = URL(filePath: plugin).deletingLastPathComponent().path
            try "BaseDir \"\(directory)\"\nPluginDir \"\(folder)\"\nLoadPlugin \"bad\"\n"
                .write(toFile: file, atomically: false, encoding: .utf8)
            return ["collectd", "-T", "-C", file]
        },
        Host(name: "gst", version: ["gst-inspect-1.0", "--version"]) { plugin, _ in
            ["gst-inspect-1.0", plugin]
        },
    ]

    /// Rows that fail while they are loaded, and not later.
    private static func concerns(_ row: Row) -> Bool {
        let number = Int(row.code.dropFirst()) ?? 99
        return row.code.hasPrefix("H") && row.recipe.company == nil && (number < 20 || row.moment?.name == "ctor")
    }

    static func compare(_ rows: [Row], in directory: TemporaryDirectory) throws {
        let rows = rows.filter(concerns)
        let present = hosts.filter { CommandLineTool($0.version[0]).isInstalled || systemPath($0.version[0]) != nil }
        for host in present { print("\(host.name) \(version(of: host))") }
        print("")
        line("", ["kitshell"] + present.map(\.name))
        let results = Workforce.map(rows, threads: 4) { row -> (Row, [String]) in
            let place = directory.file(row.directory)
            do {
                let fixture = try Fixture(row, in: place)
                return (row, [own(row)] + (try present.map { try outcome(of: $0, row, fixture.plugin, in: place) }))
            } catch let skip as Skip {
                return (row, ["skipped: \(skip.why)"])
            } catch {
                return (row, ["\(error)"])
            }
        }
        for (row, words) in results { line(row.name, words) }
        print(
            """

            refused: no code of the file has run. ran: code of it has run, and the program
            went on. ended, crashed, hung: what the file did to the program. kept in: what
            it did happened to a process of its own, and the rest went on.
            """)
    }

    /// What this product does with it, as the table has it.
    private static func own(_ row: Row) -> String {
        let verdicts = row.expected[.worker]?.verdicts ?? []
        if verdicts == ["fine"] { return "ran" }
        return verdicts.allSatisfy { $0.hasPrefix("refused") && $0 != "refused load" } ? "refused" : "kept in"
    }

    private static func outcome(
        of host: Host, _ row: Row, _ plugin: String, in directory: String
    ) throws -> String {
        let mark = "\(directory)/\(host.name).ran"
        let words = try host.load(plugin, directory)
        let environment = [
            "CORPUS_MARK=\(mark)", "GST_REGISTRY=\(directory)/gst", "GST_REGISTRY_FORK=no", "GST_PLUGIN_SYSTEM_PATH=",
        ]
        let program = systemPath(words[0]) ?? words[0]
        let process = try ChildProcess(
            executable: "/usr/bin/env",
            arguments: environment + ["timeout", "--kill-after=1", "5", program] + words.dropFirst())
        let end = try process.wait()
        let hasRun = FileManager.default.fileExists(atPath: mark)
        // The program's own signal is one of timeout as well.
        if end.signal != nil { return "crashed" }
        switch end.status {
        case 124, 137: return "hung"
        default: return !hasRun ? "refused" : row.code == "H42" ? "ended" : "ran"
        }
    }

    private static func systemPath(_ name: String) -> String? {
        ["/usr/sbin", "/usr/local/sbin"].map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    private static func version(of host: Host) -> String {
        let program = systemPath(host.version[0]) ?? host.version[0]
        let output = (try? CommandLineTool(program).run(Array(host.version.dropFirst())).output) ?? ""
        return output.firstMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/).map { String($0.0) } ?? "unknown"
    }

    private static func line(_ name: String, _ words: [String]) {
        let cells = ([name.padded(to: 26)] + words.map { $0.padded(to: 9) }).joined()
        print(cells)
    }
}
