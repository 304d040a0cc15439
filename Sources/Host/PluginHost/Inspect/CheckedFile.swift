// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A regular file, opened so that nothing at the path could block or have a side effect. What is read through it is what was
/// checked, whatever happens to the path meanwhile.
///
/// Thread: one at a time.
struct CheckedFile: ~Copyable {
    let path: String
    let status: FileStatus
    let descriptor: Int32

    /// Opens `path`, links followed.
    ///
    /// - Throws: `not_found`, `unreadable`, or what the thing is if it is no regular file.
    init(path: String) throws(Refusal) {
        // A device or socket is not even opened: opening alone can have effects.
        _ = try CheckedFile.regularStatus(path: path) { () throws(SystemFailure) in try FileStatus(path: path) }

        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        if descriptor < 0 { throw CheckedFile.refusal(path: path, .last()) }
        do {
            status = try CheckedFile.regularStatus(path: path) { () throws(SystemFailure) in
                try FileStatus(descriptor: descriptor)
            }
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        Glibc.close(descriptor)
    }

    var size: UInt64 { status.identity.size }

    /// Up to `count` bytes from `offset`; fewer at the end of the file.
    func read(at offset: UInt64, count: Int) throws(Refusal) -> [UInt8] {
        guard let start = off_t(exactly: offset) else { return [] }
        var failure: SystemFailure?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < buffer.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let got = unsafe pread(descriptor, rest.baseAddress, rest.count, start &+ off_t(filled))
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    return
                } else if errno != EINTR {
                    failure = .last()
                    return
                }
            }
        }
        if let failure { throw CheckedFile.refusal(path: path, failure) }
        return bytes
    }

    private static func regularStatus(
        path: String, _ read: () throws(SystemFailure) -> FileStatus
    ) throws(Refusal) -> FileStatus {
        let status: FileStatus
        do {
            status = try read()
        } catch {
            throw refusal(path: path, error)
        }
        let hint = "Give the path of the plugin's shared library (.so)."
        switch status.kind {
        case S_IFREG: return status
        case S_IFDIR: throw Refusal(.directory, "the path leads to a directory", hint: hint)
        case S_IFIFO: throw Refusal(.fifo, "the path leads to a named pipe", hint: hint)
        case S_IFSOCK: throw Refusal(.socket, "the path leads to a socket", hint: hint)
        default: throw Refusal(.device, "the path leads to a device", hint: hint)
        }
    }

    private static func refusal(path: String, _ failure: SystemFailure) -> Refusal {
        let reason = unsafe String(cString: strerror(failure.number))
        switch failure.number {
        case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG:
            var link = stat()
            if !path.utf8.contains(0), unsafe lstat(path, &link) == 0, link.st_mode & S_IFMT == S_IFLNK {
                return Refusal(
                    .notFound, "the path is a link that leads to no file",
                    hint: "Mend the link, or give the path of the file itself.")
            }
            return Refusal(.notFound, "there is no such file (\(reason))", hint: "Check the path.")
        case EACCES, EPERM:
            return Refusal(
                .unreadable, "the file cannot be read (\(reason))",
                hint: "Give this user read permission on the file and on the directories that lead to it.")
        default:
            return Refusal(.unreadable, "the file cannot be read (\(reason))", hint: "Try again, or copy it elsewhere.")
        }
    }
}
