// SPDX-License-Identifier: Apache-2.0

import Foundation
import PluginHost
import Sessions
import TestSupport
import Testing

@Suite("A state directory in any state")
struct StateDirectoryTests {
    @Test("is made with those above it, for its user alone, when there is something to remember")
    func isMade() throws {
        let fixture = try HealthFixture()
        #expect(fixture.store.quarantines().isEmpty)
        #expect(fixture.store.directory.obstacle == nil)
        #expect(!FileManager.default.fileExists(atPath: fixture.directory.file("home")))
        try fixture.run()
        for (path, mode) in [("", 0o700), ("/faults", 0o700), ("/quarantine", 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: fixture.state + path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
        let file = "\(fixture.state)/faults/\(try #require(fixture.names(in: "faults").first))"
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        // Nothing half-written is left.
        #expect(fixture.names(in: "faults").count == 1)
        #expect(fixture.names(in: "quarantine").count == 1)
    }

    struct Unusable: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// What the log says of it.
        var says: String
        var isForRoot = false
        var prepare: @Sendable (_ path: String) throws -> Void
    }

    private static func makeDirectory(_ path: String, mode: Int = 0o700) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Root may, unless it is without its rights.
    private static let canGiveAway: Bool = {
        guard let directory = try? TemporaryDirectory() else { return false }
        return unsafe chown(directory.path, 65534, 65534) == 0 && geteuid() != 65534
    }()

    static let unusable = [
        Unusable(testDescription: "a file", says: "Not a directory") {
            try makeDirectory((($0 as NSString).deletingLastPathComponent))
            try Data().write(to: URL(filePath: $0))
        },
        Unusable(testDescription: "a named pipe", says: "Not a directory") {
            try makeDirectory((($0 as NSString).deletingLastPathComponent))
            unsafe mkfifo($0, 0o600)
        },
        Unusable(testDescription: "writable by others", says: "others may write") {
            try makeDirectory($0, mode: 0o777)
        },
        Unusable(testDescription: "with folders that lead elsewhere", says: "cannot") { path in
            try makeDirectory(path)
            try makeDirectory(path + "-elsewhere")
            for folder in ["faults", "quarantine", "journal"] {
                unsafe symlink("\(path)-elsewhere", "\(path)/\(folder)")
            }
        },
        Unusable(testDescription: "with a file in place of a folder", says: "Not a directory") { path in
            try makeDirectory(path)
            for folder in ["faults", "quarantine"] { try Data().write(to: URL(filePath: "\(path)/\(folder)")) }
        },
        Unusable(testDescription: "of another user", says: "another user", isForRoot: true) { path in
            try makeDirectory(path)
            unsafe chown(path, 65534, 65534)
        },
    ]

    @Test(
        "that cannot be used is told, and costs nothing else",
        arguments: unusable.filter { !$0.isForRoot || canGiveAway })
    func unusableOnes(_ state: Unusable) throws {
        let fixture = try HealthFixture()
        try state.prepare(fixture.state)
        let status = try fixture.run()
        #expect(status.faults.map(\.kind) == [.crash])
        #expect(status.faults.first?.report == nil)
        #expect(try fixture.quarantine() == nil)
        #expect(fixture.log.contains { $0.contains(state.says) && $0.contains(fixture.state) }, "\(fixture.log)")
        #expect(fixture.names(in: "../state-elsewhere").isEmpty)
    }

    @Test("where nothing can be made says why")
    func nowhere() throws {
        let fixture = try HealthFixture(state: "/proc/kitshell/state")
        #expect(fixture.store.directory.obstacle != nil)
        #expect(try fixture.run().faults.map(\.kind) == [.crash])
        #expect(fixture.log.contains { $0.contains("/proc/kitshell/state") })
    }

    @Test("gives what is good in it, whatever else is there")
    func hostileEntries() throws {
        let fixture = try HealthFixture()
        try fixture.run()
        let good = fixture.names(in: "quarantine")
        let folder = "\(fixture.state)/quarantine"
        unsafe mkfifo("\(folder)/fifo", 0o600)
        unsafe symlink("/etc/passwd", "\(folder)/link")
        unsafe symlink("/dev/zero", "\(folder)/zero")
        try StateDirectoryTests.makeDirectory("\(folder)/directory")
        for (name, text) in [
            ("empty", ""), ("broken", "{\"schema\":"), ("other", "{\"schema\":\"kitshell.quarantine/2\"}"),
            ("list", "[]"),
            ("types", "{\"schema\":\"kitshell.quarantine/1\",\"id\":7}"), ("deep", String(repeating: "[", count: 5000)),
        ] {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        try Data().write(to: URL(filePath: "\(folder)/huge"))
        unsafe truncate("\(folder)/huge", 1 << 40)
        #expect(fixture.store.quarantines().map(\.id) == [HealthFixture.id])
        // What was a file and no quarantine is gone; what is no plain file is left to its owner.
        #expect(fixture.names(in: "quarantine") == (good + ["directory", "fifo", "huge", "link", "zero"]).sorted())
        #expect(try fixture.quarantine() != nil)
    }

    @Test("says one thing once")
    func isQuiet() throws {
        let fixture = try HealthFixture()
        try StateDirectoryTests.makeDirectory(fixture.state, mode: 0o777)
        let store = fixture.store
        for _ in 0..<5 { _ = store.quarantines() }
        #expect(fixture.log.count == 1)
    }
}
