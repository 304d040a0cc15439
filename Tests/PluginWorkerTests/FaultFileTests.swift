// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import TestSupport
import Testing

@Suite("A file tells of each fault")
struct FaultFileTests {
    private func check(_ file: JSONValue) throws {
        var checker = try SchemaChecker("fault.schema.json")
        let wrong = checker.check(file)
        #expect(wrong.isEmpty, "\(wrong)")
    }

    @Test("with signal, address, function, call, and what was printed last")
    func tellsAll() throws {
        let fixture = try HealthFixture()
        let status = try fixture.run()
        let file = try #require(try fixture.faults().first)
        try check(file)
        #expect(file["plugin"]?.string == HealthFixture.id)
        #expect(file["kind"] == "crash")
        #expect(file["during"] == "on_events")
        #expect(file["signal"] == "SIGSEGV")
        #expect(file["address"] == "0x0")
        #expect(file["symbol"]?.string?.hasPrefix("crash+0x") == true)
        #expect(file["output"] == ["good bye"])
        #expect(file["runs"] == "worker")
        #expect(file["time"] == "2027-01-15T08:00:00Z")
        #expect(file["path"]?.string == fixture.plugin)
        #expect(file["sha256"]?.string == PluginInspector.inspect(path: fixture.plugin, hashing: true).sha256)
        // The report names it.
        let name = try #require(fixture.names(in: "faults").first)
        #expect(status.faults.map(\.report) == ["\(fixture.state)/faults/\(name)"])
    }

    @Test("also of one that was named explicitly")
    func ofExplicitOnes() throws {
        let fixture = try HealthFixture()
        try fixture.run(isRemembered: false)
        #expect(try fixture.faults().count == 1)
    }

    @Test("one for a fall, whatever number of instances fell")
    func isShared() throws {
        let fixture = try HealthFixture()
        let store = fixture.store
        let plugin = try fixture.hosted(in: store)
        let strategies = try (1...3).map { index in
            let strategy = PluginMonitorStrategy(
                plugin: plugin, name: "counter", options: [PluginOption("step", .int(Int64(index)))], isLossless: false)
            try strategy.startReplaying(controller: ControllerID(rawValue: UInt32(index)))
            return strategy
        }
        strategies[0].receive([HealthFixture.event], reports: ReportSink(instance: "counter") { _, _ in })
        #expect(strategies.allSatisfy { $0.finish(withinMilliseconds: WorkerFixture.patience) })
        strategies.forEach { $0.strategyDidStop() }
        #expect(plugin.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(store.waitUntilWritten(withinMilliseconds: WorkerFixture.patience))
        #expect(try fixture.faults().count == 1)
        #expect(Set(strategies.flatMap { $0.status.faults.map(\.report) }).count == 1)
        // Each has options of its own, and so a quarantine of its own.
        #expect(fixture.store.quarantines().count == 3)
    }

    @Test("one for what the sandbox denies, however often it does")
    func denials() throws {
        let fixture = try HealthFixture([
            "AT_EVENTS=open(\"/etc/passwd\", O_RDONLY); open(\"/etc/group\", O_RDONLY); socket(AF_INET, SOCK_STREAM, 0)"
        ])
        let status = try fixture.run()
        #expect(status.faults.count(where: { $0.kind == .denied }) > 1)
        #expect(try fixture.faults().count == 1)
    }

    @Test("without what is secret in a URL")
    func hasNoSecrets() throws {
        let fixture = try HealthFixture([
            "AT_EVENTS=fputs(\"get url=https://me:pass@example.com/a.mp4?token=hush&x=1 now\\n\", stderr); crash()"
        ])
        try fixture.run()
        let name = try #require(fixture.names(in: "faults").first)
        let text = try String(contentsOfFile: "\(fixture.state)/faults/\(name)", encoding: .utf8)
        #expect(text.contains("url=https://example.com/a.mp4"))
        #expect(!text.contains("hush"))
        #expect(!text.contains("pass@"))
    }

    @Test("and the oldest go when there are too many, or too much of them")
    func isBounded() throws {
        let fixture = try HealthFixture()
        let faults = "\(fixture.state)/faults"
        try FileManager.default.createDirectory(
            atPath: faults, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for index in 0..<150 {
            let name = "20000101T000000Z-1-\(1000 + index).json"
            try Data("{}".utf8).write(to: URL(filePath: "\(faults)/\(name)"))
        }
        try fixture.run()
        var names = fixture.names(in: "faults")
        #expect(names.count == 100)
        #expect(names.first == "20000101T000000Z-1-1051.json")
        #expect(names.last?.hasPrefix("20270115T080000Z") == true)
        // One file that fills all of it is too old to keep as well.
        try Data(count: 5 << 20).write(to: URL(filePath: "\(faults)/\(names[98])"))
        try fixture.run()
        names = fixture.names(in: "faults")
        #expect(names.count == 2)
    }
}
