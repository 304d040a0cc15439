// SPDX-License-Identifier: Apache-2.0

import Foundation
import PluginHost
import TestSupport
import Testing

/// What a path may lead to: only a regular file, and nothing at it is waited for.
@Suite struct PathTests {
    private func refusal(at path: String, policy: LoadPolicy = LoadPolicy(origin: .stranger)) -> Refusal.Code? {
        PluginInspector.inspect(path: path, policy: policy).refusal?.code
    }

    private func goodPlugin(in directory: TemporaryDirectory) throws -> String {
        try directory.write(GoodPlugin.bytes.get(), to: "good.so")
    }

    @Test func nothingAtThePathIsNotFound() throws {
        let directory = try TemporaryDirectory()
        #expect(refusal(at: directory.file("absent.so")) == .notFound)
        #expect(refusal(at: "") == .notFound)
        #expect(refusal(at: try goodPlugin(in: directory) + "\0tail") == .notFound)
        #expect(refusal(at: try goodPlugin(in: directory) + "/below.so") == .notFound)
        #expect(refusal(at: String(repeating: "a", count: 5000)) == .notFound)
    }

    @Test func aDanglingLinkIsNotFoundAndSaysSo() throws {
        let directory = try TemporaryDirectory()
        let link = directory.file("link.so")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.file("absent.so"))
        let refusal = PluginInspector.inspect(path: link).refusal
        #expect(refusal?.code == .notFound)
        #expect(refusal?.message.contains("link") == true)
    }

    @Test func aLinkToAPluginIsFollowed() throws {
        let directory = try TemporaryDirectory()
        let link = directory.file("link.so")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: try goodPlugin(in: directory))
        #expect(refusal(at: link) == nil)
    }

    @Test func whatIsNoRegularFileIsNamed() throws {
        let directory = try TemporaryDirectory()
        #expect(refusal(at: directory.path) == .directory)
        #expect(refusal(at: "/dev/null") == .device)

        let fifo = directory.file("fifo.so")
        #expect(unsafe mkfifo(fifo, 0o600) == 0)
        #expect(refusal(at: fifo) == .fifo)

        let socketPath = directory.file("s")
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: socketPath.utf8) }
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        #expect(refusal(at: socketPath) == .socket)
    }

    @Test func anEmptyAndAHugeFileAreRefusedUnread() throws {
        let directory = try TemporaryDirectory()
        #expect(refusal(at: try directory.write([], to: "empty.so")) == .empty)
        let huge = try directory.write([1], to: "huge.so")
        #expect(unsafe truncate(huge, off_t(LoadRules.largestFile) + 1) == 0)
        #expect(refusal(at: huge) == .tooLarge)
    }

    @Test(.enabled(if: geteuid() != 0, "root reads every file"))
    func aFileWithoutReadPermissionIsUnreadable() throws {
        let directory = try TemporaryDirectory()
        let path = try goodPlugin(in: directory)
        #expect(unsafe chmod(path, 0) == 0)
        #expect(refusal(at: path) == .unreadable)
    }

    @Test(arguments: [(0o755, nil), (0o757, .unsafeMode), (0o702, .unsafeMode)] as [(mode_t, Refusal.Code?)])
    func nobodyElseMayWriteTheFile(mode: mode_t, code: Refusal.Code?) throws {
        let directory = try TemporaryDirectory()
        let path = try goodPlugin(in: directory)
        #expect(unsafe chmod(path, mode) == 0)
        #expect(refusal(at: path) == code)
        #expect(refusal(at: path, policy: LoadPolicy(origin: .stranger, allowsInsecurePath: true)) == nil)
    }

    @Test func nobodyElseMayWriteTheDirectoryOfTheFileOrOfItsLink() throws {
        let open = try TemporaryDirectory()
        let closed = try TemporaryDirectory()
        let inOpen = try goodPlugin(in: open)
        let inClosed = try goodPlugin(in: closed)
        #expect(unsafe chmod(open.path, 0o1777) == 0)
        #expect(refusal(at: inOpen) == .unsafeMode)
        // Nobody should take the right to write to /tmp from others.
        #expect(PluginInspector.inspect(path: inOpen).refusal?.hint.contains("chmod") == false)

        let linkInOpen = open.file("link.so")
        try FileManager.default.createSymbolicLink(atPath: linkInOpen, withDestinationPath: inClosed)
        #expect(refusal(at: linkInOpen) == .unsafeMode)

        let linkInClosed = closed.file("link.so")
        try FileManager.default.createSymbolicLink(atPath: linkInClosed, withDestinationPath: inOpen)
        #expect(refusal(at: linkInClosed) == .unsafeMode)
        #expect(refusal(at: inClosed) == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func theFileBelongsToRootOrToThisUser() throws {
        let directory = try TemporaryDirectory()
        let path = try goodPlugin(in: directory)
        #expect(unsafe chown(path, 65534, 65534) == 0)
        #expect(refusal(at: path) == .unsafeOwner)
        #expect(unsafe chown(path, 0, 65534) == 0)
        #expect(unsafe chmod(path, 0o775) == 0)
        #expect(refusal(at: path) == .unsafeMode)
        #expect(unsafe chown(path, 0, 0) == 0)
        #expect(refusal(at: path) == nil, "a group that is the user's own may write")
    }

    @Test func aReplacedFileHasAnotherIdentity() throws {
        let directory = try TemporaryDirectory()
        let path = try goodPlugin(in: directory)
        let identity = try PluginInspector.inspect(path: path).accepted().identity
        #expect(FileIdentity(path: path) == identity)
        try FileManager.default.removeItem(atPath: path)
        #expect(FileIdentity(path: path) == nil)
        _ = try directory.write(GoodPlugin.bytes.get() + [0], to: "good.so")
        #expect(FileIdentity(path: path) != identity)
    }
}
