// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MachineNetwork
import MediaCore
import TestSupport
import Testing

/// A directory of interfaces as the kernel shows them.
struct FakeInterfaces {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Adds an interface with the lines of its `uevent`, and directories in it.
    func add(_ name: String, uevent: String? = nil, directories: [String] = []) throws {
        let folder = URL(filePath: directory.path).appending(path: name)
        for part in [""] + directories {
            try FileManager.default.createDirectory(
                at: folder.appending(path: part), withIntermediateDirectories: true)
        }
        try uevent.map { try $0.write(to: folder.appending(path: "uevent"), atomically: false, encoding: .utf8) }
    }

    var interfaces: SystemInterfaces { SystemInterfaces(directory: directory.path) }

    func type(of name: String, hardware: UInt16 = 1) -> NetworkType {
        interfaces.type(of: RouteTable.Link(index: 1, name: name, hardwareType: hardware, isRunning: true))
    }
}

@Suite struct SystemInterfacesTests {
    @Test(
        arguments: [
            ("DEVTYPE=wwan\nINTERFACE=x\n", [], 1, .cellular), ("INTERFACE=x\nDEVTYPE=wwan", [], 519, .cellular),
            ("DEVTYPE=wlan\n", [], 1, .wifi), ("INTERFACE=x\n", ["wireless"], 1, .wifi),
            ("", ["phy80211"], 1, .wifi), ("INTERFACE=x\n", [], 1, .ethernet), ("DEVTYPE=vlan\n", [], 1, .ethernet),
            (nil, [], 1, .ethernet), ("DEVTYPE=bluetooth\n", [], 1, .unknown), ("DEVTYPE=ppp\n", [], 512, .unknown),
            ("", [], 65534, .unknown), ("XDEVTYPE=wwan\n", [], 1, .ethernet), ("DEVTYPE=\0\u{FFFD}", [], 1, .ethernet),
        ] as [(String?, [String], UInt16, NetworkType)])
    func anInterfaceIsWhatTheKernelSays(
        uevent: String?, directories: [String], hardware: UInt16, expected: NetworkType
    ) throws {
        let fake = try FakeInterfaces()
        try fake.add("x", uevent: uevent, directories: directories)
        #expect(fake.type(of: "x", hardware: hardware) == expected)
    }

    @Test func anInterfaceThatIsNotDescribedIsJudgedByItsHardware() throws {
        let fake = try FakeInterfaces()
        #expect(fake.type(of: "gone") == .ethernet)
        #expect(fake.type(of: "gone", hardware: 512) == .unknown)
    }

    @Test(arguments: ["", ".", "..", "../x", "a/b", "/"])
    func aNameThatIsNoneLeadsNowhere(name: String) throws {
        let fake = try FakeInterfaces()
        try fake.add("x", uevent: "DEVTYPE=wwan\n")
        #expect(fake.type(of: name) == .unknown)
    }

    @Test func aFileThatIsHugeOrNoFileDoesNoHarm() throws {
        let fake = try FakeInterfaces()
        try fake.add("huge", uevent: String(repeating: "A=B\n", count: 1_000_000) + "DEVTYPE=wwan\n")
        #expect(fake.type(of: "huge") == .ethernet)
        try fake.add("folder", directories: ["uevent"])
        #expect(fake.type(of: "folder") == .ethernet)
        try fake.add("pipe")
        #expect(unsafe mkfifo("\(fake.directory.path)/pipe/uevent", 0o600) == 0)
        #expect(fake.type(of: "pipe") == .ethernet)
    }
}
