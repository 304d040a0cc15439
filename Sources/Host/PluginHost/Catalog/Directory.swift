// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Looking at directories and links.
enum Directory {
    /// The names in a directory without `.` and `..`, in no order; empty if it cannot be read.
    static func entries(of path: String) -> [String] {
        guard let stream = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
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
