// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import JSONText
import TestSupport
import Testing

/// A file that is no plugin is refused by name and reason, nothing of it runs, and the rest plays.
@Suite struct PluginRefusalTests {
    /// A file that is refused.
    enum Kind: String, CaseIterable {
        case missing = "not_found"
        case empty
        case text = "not_elf"
        case directory
        case fifo
        case truncated
        case noNote = "no_note"
        case wrongMajor = "wrong_major"
        case executable
        case objectFile = "object_file"

        /// Makes one.
        func make(in directory: TemporaryDirectory) throws -> String {
            let path = directory.file("plugin.so")
            switch self {
            case .missing: break
            case .empty: _ = try directory.write([], to: "plugin.so")
            case .text: _ = try directory.write(Array("no plugin".utf8), to: "plugin.so")
            case .directory:
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .fifo: try #require(unsafe mkfifo(path, 0o600) == 0)
            case .truncated:
                let whole = try #require(FileManager.default.contents(atPath: try CMonitor.path()))
                _ = try directory.write(whole.prefix(whole.count / 2), to: "plugin.so")
            case .noNote:
                _ = try CommandLineTool.compile("int answer(void) { return 42; }", to: "plugin.so", in: directory)
            case .wrongMajor: _ = try CMonitor.build(in: directory, as: "plugin.so", abi: 99)
            case .executable:
                _ = try CommandLineTool.compile(
                    "int main(void) { return 0; }", to: "plugin.so", in: directory, arguments: [])
            case .objectFile:
                _ = try CommandLineTool.compile(
                    "int answer(void) { return 42; }", to: "plugin.so", in: directory, arguments: ["-c", "-fPIC"])
            }
            return path
        }
    }

    @Test(arguments: Kind.allCases)
    func aFileThatIsNoPluginIsRefusedWithItsReason(kind: Kind) throws {
        let directory = try TemporaryDirectory()
        let path = try kind.make(in: directory)
        let report = try Kitshell.play(Media.short, "--plugin", path)
        let row = try #require(report.json["strategies"]?.array?.first)
        #expect(row["health"] == "refused")
        #expect(row["origin"]?.string == path)
        #expect(row["faults"]?.array?.first?["kind"] == "refused")
        let detail = try #require(row["faults"]?.array?.first?["detail"]?.string)
        #expect(detail.contains("[\(kind.rawValue)]"))
        #expect(detail.contains(path))
        #expect(report.presented == [50])
        #expect(report.status == 3)
    }

    @Test(arguments: Kind.allCases)
    func inspectingNamesCodeAndSentence(kind: Kind) throws {
        let directory = try TemporaryDirectory()
        let path = try kind.make(in: directory)
        let report = try Report(try Kitshell.run("plugin", "inspect", path, "--report", "json"))
        let plugin = try #require(report.json["plugins"]?.array?.first)
        #expect(plugin["verdict"] == "refused")
        #expect(plugin["refusal"]?["code"]?.string == kind.rawValue)
        #expect(plugin["refusal"]?["hint"]?.string?.isEmpty == false)
        #expect(report.status == 3)

        let text = try Kitshell.run("plugin", "inspect", path)
        #expect(text.status == 3)
        #expect(text.output.contains("[\(kind.rawValue)]"))
        let message = try #require(plugin["refusal"]?["message"]?.string)
        let words = text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains(message))
    }

    @Test(arguments: ["worker", "in-process"])
    func noByteOfAPluginOfAnotherMajorRuns(isolation: String) throws {
        let directory = try TemporaryDirectory()
        let marker = directory.file("ran")
        let plugin = try CMonitor.build(
            in: directory, abi: 99, constructor: "\(CMonitor.mark(marker)) \(CMonitor.crash)")
        let report = try Kitshell.play(Media.short, "--plugin", plugin, "--isolation", isolation)
        #expect(report.faults(of: "libcopy.so") == ["refused inspect"])
        #expect(report.presented == [50])
        #expect(report.status == 3)
        _ = try Kitshell.run("plugin", "inspect", plugin)
        _ = try Kitshell.run("plugin", "list", "--plugin", plugin)
        #expect(!FileManager.default.fileExists(atPath: marker))

        // The same code under the right major does run: the marker tells.
        let accepted = try CMonitor.build(in: directory, as: "good.so", constructor: CMonitor.mark(marker))
        _ = try Kitshell.play(
            Media.short, "--plugin", accepted, "--isolation", isolation, "--grant", "\(CMonitor.id):all")
        #expect(FileManager.default.fileExists(atPath: marker))
    }

    @Test(arguments: ["worker", "in-process"])
    func missingLibrariesAreAllNamedWithWhereTheyWereLookedFor(isolation: String) throws {
        let directory = try TemporaryDirectory()
        let libraries = ["libabsent1.so", "libabsent2.so"]
        for name in libraries { _ = try CommandLineTool.compile("int unused;\n", to: name, in: directory) }
        let source = Kitshell.root.appending(path: "Examples/c-monitor/c-monitor.c")
        let plugin = try CommandLineTool.compile(
            try String(contentsOf: source, encoding: .utf8), to: "needy.so", in: directory,
            arguments: [
                "-shared", "-fPIC", "-fvisibility=hidden", "-Wl,--no-as-needed", "-L", directory.path, "-labsent1",
                "-labsent2", "-Wl,-rpath,$ORIGIN/lib",
            ])
        for name in libraries { try FileManager.default.removeItem(atPath: directory.file(name)) }
        let report = try Kitshell.play(Media.short, "--plugin", plugin, "--isolation", isolation)
        #expect(report.strategy(CMonitor.id)?["health"] == "refused")
        #expect(report.faults(of: CMonitor.id) == ["refused load"])
        let faults = report.strategy(CMonitor.id)?["faults"]?.array
        let detail = try #require(faults?.first?["detail"]?.string)
        for word in libraries + ["\(directory.path)/lib,", "/usr/lib"] { #expect(detail.contains(word), "\(detail)") }
        #expect(report.presented == [50])
        #expect(report.status == 3)
    }

    @Test func theSecondOfTwoPluginsOfOneNameIsRefused() throws {
        let directory = try TemporaryDirectory()
        let second = try CMonitor.build(in: directory)
        let first = try CMonitor.path()
        let report = try Kitshell.play(Media.short, "--plugin", first, "--plugin", second)
        let rows = (report.json["strategies"]?.array ?? []).filter { $0["name"]?.string == CMonitor.id }
        #expect(rows.map { $0["health"] } == ["running", "refused"])
        #expect(rows.map { $0["origin"]?.string } == [first, second])
        let detail = try #require(rows.last?["faults"]?.array?.first?["detail"]?.string)
        for word in ["duplicate_id", first, second] { #expect(detail.contains(word)) }
        #expect(report.count() != nil)
        #expect(report.status == 3)
    }

    @Test func aRefusedLifecycleStrategyLeavesTheDecisionsToTheDefault() throws {
        let directory = try TemporaryDirectory()
        let plugin = try LifecyclePlugin.build(in: directory, abi: 99)
        let report = try Kitshell.play(Media.short, "--plugin", plugin)
        #expect(report.json["pool"]?["strategy"] == "default")
        #expect(report.presented == [50])
        #expect(report.status == 3)
    }
}
