// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PluginHost
import Sessions
import TestSupport
import Testing

@Suite("What a plugin says that it needs opens libraries to it, and nothing else")
struct LibraryAccessTests {
    /// Something that is no library, where the loader would look for one that it has already.
    enum Bait: String, CaseIterable {
        case linkToDirectory
        case linkToFile
        case directory
        /// A library as long as the file is inspected.
        case swapped
    }

    @Test(arguments: Bait.allCases)
    func isNoWayOut(bait: Bait) throws {
        let home = try TemporaryDirectory()
        let secret = try home.write(Array("secret".utf8), to: "secret")
        let name = bait == .swapped ? "libseccomp.so.2" : "libc.so.6"
        let fixture = try WorkerFixture(
            ["AT_EVENTS=say(open(\"\(secret)\", O_RDONLY) < 0 ? \"denied\" : \"read\")"],
            link: ["-Wl,--enable-new-dtags,-rpath,$ORIGIN"]
                + (bait == .swapped ? ["-Wl,--no-as-needed", "-l:\(name)"] : []),
            prepare: { directory in
                let path = directory.file(name)
                switch bait {
                case .linkToDirectory:
                    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: home.path)
                case .linkToFile:
                    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: secret)
                case .directory:
                    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                case .swapped:
                    _ = try CommandLineTool.compile(
                        "int here;\n", to: name, in: directory,
                        arguments: ["-shared", "-fPIC", "-Wl,-soname,\(name)"])
                }
            })
        if bait == .swapped {
            let path = fixture.directory.file(name)
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: home.path)
        }
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.log.contains("denied"), "\(fixture.log)")
        #expect(!fixture.log.contains("read"))
        #expect(monitor.status.faults.map(\.kind) == [.denied])
        #expect(fixture.place.sandbox?.extent == "full")
    }

    @Test("one that it brings along is read")
    func ownLibrary() throws {
        let fixture = try WorkerFixture(
            ["AT_EVENTS=int other(void); if (other() == 7) say(\"called\")"],
            link: ["-Wl,--enable-new-dtags,-rpath,$ORIGIN", "-l:libother.so"],
            prepare: { directory in
                _ = try CommandLineTool.compile(
                    "int other(void); int other(void) { return 7; }\n", to: "libother.so", in: directory,
                    arguments: ["-shared", "-fPIC", "-Wl,-soname,libother.so"])
            })
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.log.contains("called"), "\(fixture.log)")
        #expect(monitor.status.faults.isEmpty && fixture.place.sandbox?.extent == "full")
    }
}
