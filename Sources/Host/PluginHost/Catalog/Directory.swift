// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Looking at directories and links.
enum Directory {
    /// The names in a directory without `.` and `..`, in no order; empty if it cannot be read.
    static func entries(of path: String) -> [String] {
        (try? names(in: path)) ?? []
    }

    /// The same, for whoever wants to know why it cannot be read.
    static func names(in path: String) throws(SystemFailure) -> [String] {
        guard let stream = unsafe opendir(path) else { throw .last() }
        return unsafe names(in: stream, atMost: .max)
    }

    /// The same of an open directory, as far as the first so many.
    static func entries(of directory: Descriptor, atMost most: Int) -> [String] {
        // The stream closes what it is given.
        let own = fcntl(directory.number, F_DUPFD_CLOEXEC, 0)
        guard let stream = unsafe fdopendir(own) else {
            if own >= 0 { close(own) }
            return []
        }
        return unsafe names(in: stream, atMost: most)
    }

    private static func names(in stream: OpaquePointer, atMost most: Int) -> [String] {
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while names.count < most, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    static func exists(_ path: String) -> Bool {
        (try? FileStatus(path: path))?.kind == S_IFDIR
    }
}
