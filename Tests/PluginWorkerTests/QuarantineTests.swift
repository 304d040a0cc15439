// SPDX-License-Identifier: Apache-2.0

import Foundation
import PluginHost
import Sessions
import TestSupport
import Testing

@Suite("A plugin that fell too often is quarantined")
struct QuarantineTests {
    @Test("in the next run as well, with reason, evidence and time")
    func isRemembered() throws {
        let fixture = try HealthFixture()
        #expect(try fixture.quarantine() == nil)
        #expect(try fixture.run().health == .quarantined)
        let quarantine = try #require(try fixture.quarantine())
        #expect(quarantine.id == HealthFixture.id)
        #expect(quarantine.fault.kind == .crash)
        #expect(quarantine.fault.during == "on_events")
        #expect(quarantine.fault.signal == "SIGSEGV")
        #expect(quarantine.since == WallTime(seconds: 1_800_000_000))
        #expect(quarantine.path == fixture.plugin)
        #expect(FileManager.default.fileExists(atPath: try #require(quarantine.fault.report)))
        #expect(quarantine.remembered.detail.contains("kitshell plugin retry \(HealthFixture.id)"))
        #expect(fixture.log.isEmpty)
    }

    @Test("for an hour, and not for a time that is still to come")
    func ends() throws {
        let fixture = try HealthFixture()
        try fixture.run()
        fixture.advance(seconds: 3599)
        #expect(try fixture.quarantine() != nil)
        fixture.advance(seconds: 1)
        #expect(try fixture.quarantine() == nil)
        fixture.advance(seconds: -3601)
        #expect(try fixture.quarantine() == nil)
    }

    @Test("with the same options and grants only")
    func dependsOnConfig() throws {
        let fixture = try HealthFixture()
        try fixture.run(options: [PluginOption("step", .int(2))])
        #expect(try fixture.quarantine(options: [PluginOption("step", .int(2))]) != nil)
        #expect(try fixture.quarantine(options: [PluginOption("step", .int(3))]) == nil)
        #expect(try fixture.quarantine() == nil)
        var grants = PluginGrants()
        grants.readablePaths = ["/usr"]
        #expect(try fixture.quarantine(options: [PluginOption("step", .int(2))], grants: grants) == nil)
    }

    @Test("until its file is another one, wherever it lies")
    func dependsOnContent() throws {
        let fixture = try HealthFixture()
        try fixture.run()
        // The same content in a new file is the same plugin.
        let content = try Data(contentsOf: URL(filePath: fixture.plugin))
        try FileManager.default.removeItem(atPath: fixture.plugin)
        _ = try fixture.directory.write(content, to: "fixture.so")
        #expect(try fixture.quarantine() != nil)
        _ = try fixture.directory.write(content + [0], to: "fixture.so")
        #expect(try fixture.quarantine() == nil)
    }

    @Test("until it is lifted by its id")
    func isLifted() throws {
        let fixture = try HealthFixture()
        try fixture.run()
        try fixture.run(options: [PluginOption("step", .int(2))])
        #expect(fixture.store.lift("com.example.other").isEmpty)
        #expect(fixture.store.quarantines().count == 2)
        #expect(fixture.store.lift(HealthFixture.id).count == 2)
        #expect(fixture.store.quarantines().isEmpty)
        #expect(try fixture.quarantine() == nil)
        #expect(fixture.store.lift(HealthFixture.id).isEmpty)
    }

    @Test("unless it was named explicitly, which neither writes nor reads what is remembered")
    func isNotForExplicitOnes() throws {
        let fixture = try HealthFixture()
        #expect(try fixture.run(isRemembered: false).health == .quarantined)
        #expect(fixture.store.quarantines().isEmpty)
        try fixture.run()
        #expect(fixture.store.quarantines().count == 1)
        #expect(try fixture.quarantine(isRemembered: false) == nil)
    }

    @Test(
        "unless it failed politely: it is asked again in the next run",
        arguments: ["AT_CREATE=return KIT_CONFIG", "AT_EVENTS=return KIT_FATAL", "AT_ENTRY=return KIT_CONFIG"])
    func politeFailures(_ define: String) throws {
        let fixture = try HealthFixture([define])
        #expect(try fixture.run().health != .running)
        #expect(fixture.store.quarantines().isEmpty)
    }

    @Test("those whose time is over are removed when another is written")
    func oldOnesGo() throws {
        let fixture = try HealthFixture()
        try fixture.run()
        fixture.advance(seconds: 4000)
        try fixture.run(options: [PluginOption("step", .int(2))])
        #expect(fixture.names(in: "quarantine").count == 1)
        #expect(fixture.store.quarantines().count == 1)
    }
}

@Suite("A moment of the calendar")
struct WallTimeTests {
    @Test("is written as people read it, and read back", arguments: [0, 951_782_399, 1_800_000_000, 4_102_444_800])
    func text(_ seconds: Int64) {
        let time = WallTime(seconds: seconds)
        #expect(WallTime(time.description) == time)
    }

    @Test func hasOneForm() {
        #expect(WallTime(seconds: 951_782_399).description == "2000-02-28T23:59:59Z")
        #expect(WallTime(seconds: 951_782_400).compact == "20000229T000000Z")
        for text in [
            "", "2000-02-28", "2000-02-28T23:59:59", "2000-02-28 23:59:59Z", "2000-02-28T23:59:5xZ",
            "2000-02-28T23:59:59Z ",
        ] {
            #expect(WallTime(text) == nil)
        }
    }
}
