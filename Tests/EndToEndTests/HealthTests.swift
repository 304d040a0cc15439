// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing

/// What `kitshell` remembers between runs, and what it says of it.
@Suite struct HealthTests {
    private let directory: TemporaryDirectory
    private var state: String { directory.file("state") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(state)/\(folder)")) ?? []).sorted()
    }

    private var crashing: String {
        get throws {
            try CMonitor.build(
                in: directory,
                batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", "write(2, \"last words\\n\", 11); \(CMonitor.crash)")
            )
        }
    }

    // MARK: Faults

    @Test func aFaultHasAFileThatBothReportsName() throws {
        let outcome = try Kitshell.run(
            Kitshell.clip, "--speed", "max", "--plugin", try crashing, "--report", "text", "--report",
            "json=\(directory.file("report.json"))", "--state-dir", state)
        #expect(outcome.status == 3)
        let report = try JSONReader().read(try String(contentsOfFile: directory.file("report.json"), encoding: .utf8))
        let strategy = report["strategies"]?.array?.first { $0["id"]?.string == CMonitor.id }
        let path = try #require(strategy?["faults"]?.array?.first?["report"]?.string)
        let fault = try JSONReader().read(try String(contentsOfFile: path, encoding: .utf8))
        var checker = try SchemaChecker("fault.schema.json")
        #expect(checker.check(fault) == [])
        #expect(fault["signal"] == "SIGSEGV")
        #expect(fault["output"]?.array?.contains("last words") == true)
        let name = try #require(path.split(separator: "/").last)
        #expect(outcome.output.contains("more in"))
        #expect(outcome.output.contains("/faults/\(name)"))
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        // It was named explicitly, so that nothing is held against it.
        #expect(names(in: "quarantine").isEmpty)
    }

    @Test func twoProcessesAtOnceBothWriteTheirFiles() throws {
        let plugin = try crashing
        let processes = try (0..<2).map { _ in
            try Kitshell.start(
                ["play", Kitshell.clip, "--speed", "max", "--plugin", plugin, "--report", "json", "--state-dir", state])
        }
        let paths = try processes.map { process in
            let report = try Report(try process.wait())
            return try #require(report.strategy(CMonitor.id)?["faults"]?.array?.first?["report"]?.string)
        }
        #expect(Set(paths).count == 2)
        #expect(paths.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        #expect(names(in: "faults").allSatisfy { !$0.hasPrefix(".") })
    }

    @Test(arguments: ["/proc/nothing", "/dev/null"])
    func aStateDirectoryThatCannotBeUsedCostsNothingElse(_ path: String) throws {
        let report = try Kitshell.play(Kitshell.clip, "--plugin", try crashing, "--state-dir", path)
        #expect(report.presented == [125])
        #expect(report.status == 3)
        #expect(report.strategy(CMonitor.id)?["faults"]?.array?.first?["report"] == .null)
        #expect(report.errors.contains("\(path)/"))
    }

    @Test func aFullDiskCostsNothingElse() throws {
        // No file may be larger than nothing, which is what a full disk says as well.
        let script = "( ulimit -f 0; exec \"$0\" \"$@\" 2>/dev/null ) | cat"
        let outcome = try Kitshell.run(
            script: script,
            [
                "play", Kitshell.clip, "--speed", "max", "--plugin", try crashing, "--isolation", "worker", "--report",
                "json", "--state-dir", state,
            ])
        let report = try Report(outcome)
        #expect(report.presented == [125])
        #expect(report.strategy(CMonitor.id)?["faults"]?.array?.first?["report"] == .null)
        #expect(names(in: "faults").isEmpty)
    }

    // MARK: Journal

    @Test func aHostThatDiedInsideAPluginNamesItAtTheNextStart() throws {
        let plugin = try crashing
        let arguments = ["play", Kitshell.clip, "--speed", "max", "--state-dir", state]
        let crashed = try Kitshell.start(arguments + ["--plugin", plugin, "--isolation", "in-process"]).wait()
        #expect(crashed.signal == SIGSEGV)
        #expect(names(in: "journal").count == 1)
        // Nobody would hear it.
        #expect(try Kitshell.start(arguments + ["-q"]).wait().errors.isEmpty)
        let next = try Kitshell.start(arguments).wait()
        #expect(next.status == 0)
        #expect(next.errors.contains("the last run ended inside \(CMonitor.id) (\(plugin)), on_events"))
        #expect(next.errors.contains("leave out --isolation in-process"))
        #expect(names(in: "journal").isEmpty)
        #expect(!(try Kitshell.start(arguments).wait().errors.contains("last run")))
    }

    @Test func aHostThatLivesOrEndedWellIsNotTakenForADeadOne() throws {
        let entered = directory.file("entered")
        let plugin = try CMonitor.build(
            in: directory, batch: "\(CMonitor.mark(entered)) for (;;) pause();")
        let host = try Kitshell.start([
            "play", Kitshell.clip, "--plugin", plugin, "--isolation", "in-process", "--state-dir", state,
        ])
        #expect(Patience.wait { FileManager.default.fileExists(atPath: entered) })
        #expect(names(in: "journal").count == 1)
        let other = try Kitshell.run(Media.short, "--speed", "max", "--state-dir", state)
        #expect(!other.errors.contains("last run"))
        #expect(names(in: "journal").count == 1)
        // It ends although the plugin still hangs.
        host.send(SIGINT)
        #expect(try host.wait().status == 130)
        #expect(names(in: "journal").isEmpty)
    }

    @Test func workersAndBuiltInsLeaveNoJournal() throws {
        let plugin = try CMonitor.path()
        _ = try Kitshell.run(Media.short, "--speed", "max", "--plugin", plugin, "--state-dir", state)
        #expect(!FileManager.default.fileExists(atPath: state))
    }

    // MARK: Quarantine

    /// As the store writes one; which plugins are meant by it is no matter here.
    private func quarantine(_ id: String, secondsAgo: Double = 60) throws {
        let since = Date(timeIntervalSinceNow: -secondsAgo).formatted(.iso8601)
        for folder in [state, "\(state)/quarantine"] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let text = """
            {"schema":"kitshell.quarantine/1","id":"\(id)","version":"1.0.0","path":"/opt/x.so","sha256":"\(String(repeating: "a", count: 64))",
            "since":"\(since)","fault":{"kind":"crash","during":"create","signal":"SIGSEGV","detail":"It crashed."}}
            """
        try Data(text.utf8).write(to: URL(filePath: "\(state)/quarantine/\(id)"))
    }

    @Test func aQuarantineIsLiftedByItsID() throws {
        try quarantine("com.example.one")
        try quarantine("com.example.two")
        let outcome = try Kitshell.run("plugin", "retry", "com.example.one", "--state-dir", state)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("com.example.one 1.0.0 runs again"))
        #expect(outcome.output.contains("crash in create, SIGSEGV"))
        #expect(names(in: "quarantine") == ["com.example.two"])
    }

    @Test func anIDThatIsNotQuarantinedIsAMistake() throws {
        let nothing = try Kitshell.run("plugin", "retry", "com.example.one", "--state-dir", state)
        #expect(nothing.status == 2)
        #expect(nothing.errors.contains("is not quarantined, and no other is"))
        try quarantine("com.example.one")
        try quarantine("com.example.old", secondsAgo: 3700)
        let other = try Kitshell.run("plugin", "retry", "com.example.ome", "--state-dir", state)
        #expect(other.status == 2)
        #expect(other.errors.contains("did you mean 'com.example.one'? Valid: com.example.one"))
        #expect(names(in: "quarantine").contains("com.example.one"))
        #expect(try Kitshell.run("plugin", "retry", "com.example.old", "--state-dir", state).status == 2)
        #expect(try Kitshell.run("plugin", "retry", "--state-dir", state).status == 2)
    }

    // MARK: Doctor

    private func doctor(_ arguments: String...) throws -> Report {
        let report = try Report(
            try Kitshell.start(["doctor", "--report", "json", "--state-dir", state] + arguments).wait())
        var checker = try SchemaChecker("doctor.schema.json")
        let wrong = checker.check(report.json)
        #expect(wrong.isEmpty, "\(wrong)")
        return report
    }

    @Test func theDoctorTellsWhatThisMachineOffers() throws {
        let report = try doctor()
        #expect(report.json["strategies"]?["accepted"]?.array?.contains("reuse-pool") == true)
        #expect(report.json["strategies"]?["refused"] == [])
        #expect(report.json["worker"]?["start_ms"]?.number ?? 0 > 0)
        #expect(report.json["worker"]?["failure"] == .null)
        #expect(["full", "partial"].contains(report.json["sandbox"]?["extent"]?.string))
        #expect(report.json["state"]?["directory"]?.string == state)
        #expect(report.json["state"]?["exists"] == false)
        #expect(report.json["is_well"] == true)
        #expect(report.status == 0)
        // Looking leaves nothing behind.
        #expect(!FileManager.default.fileExists(atPath: state))
    }

    @Test func theDoctorShowsQuarantinesAndHowToLiftThem() throws {
        try quarantine("com.example.one")
        let report = try doctor()
        #expect(report.json["quarantines"]?.array?.first?["id"] == "com.example.one")
        #expect(report.status == 0)
        let text = try Kitshell.run("doctor", "--state-dir", state).output
        #expect(text.contains("kitshell plugin retry com.example.one"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
        #expect(text.contains("nothing is wrong"))
    }

    @Test func theDoctorFindsAStateDirectoryThatCannotBeUsed() throws {
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: state)
        let report = try doctor()
        #expect(report.json["state"]?["obstacle"]?.string?.contains("others may write") == true)
        #expect(report.json["findings"]?.array?.first?["severity"] == "problem")
        #expect(report.status == 1)
        #expect(try Kitshell.run("doctor", "--state-dir", state).output.contains("1 problem"))
    }

    @Test func theListShowsQuarantinesOfTheSameContent() throws {
        let plugin = try CMonitor.path()
        let hash = try #require(
            try Report(try Kitshell.run("plugin", "inspect", plugin, "--report", "json")).json["plugins"]?.array?
                .first?[
                    "sha256"]?.string)
        try quarantine(CMonitor.id)
        let file = "\(state)/quarantine/\(CMonitor.id)"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try Data(text.replacing(String(repeating: "a", count: 64), with: hash).utf8).write(to: URL(filePath: file))
        let list = try Report(
            try Kitshell.run("plugin", "list", "--plugin", plugin, "--state-dir", state, "--report", "json"))
        var checker = try SchemaChecker("plugins.schema.json")
        #expect(checker.check(list.json) == [])
        #expect(list.json["plugins"]?.array?.first?["quarantines"]?.array?.count == 1)
        #expect(
            try Kitshell.run("plugin", "list", "--plugin", plugin, "--state-dir", state).output.contains("quarantined"))
    }
}
