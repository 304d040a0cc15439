// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// An error number of a system call.
struct SystemFailure: Error, CustomStringConvertible {
    var number: Int32

    var description: String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }

    /// The number of the call that failed just before.
    static func last() -> SystemFailure { SystemFailure(number: errno) }
}

/// What `stat` says of a file.
struct FileStatus {
    private let status: stat

    /// The status of what `path` leads to, links followed.
    init(path: String) throws(SystemFailure) {
        if path.utf8.contains(0) { throw SystemFailure(number: ENOENT) }
        var status = stat()
        if unsafe stat(path, &status) != 0 { throw .last() }
        self.status = status
    }

    init(descriptor: Int32) throws(SystemFailure) {
        var status = stat()
        if unsafe fstat(descriptor, &status) != 0 { throw .last() }
        self.status = status
    }

    var identity: FileIdentity {
        let (seconds, overflow) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        return FileIdentity(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: UInt64(max(0, status.st_size)),
            modifiedNanoseconds: overflow ? 0 : seconds &+ Int64(status.st_mtim.tv_nsec))
    }

    /// One of `S_IFREG`, `S_IFDIR` …
    var kind: mode_t { status.st_mode & S_IFMT }
    /// The permission bits.
    var mode: mode_t { status.st_mode & 0o7777 }
    var owner: uid_t { status.st_uid }
    var group: gid_t { status.st_gid }
}
