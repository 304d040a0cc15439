// SPDX-License-Identifier: Apache-2.0

/// Which file, in which state: what the loader compares after `dlopen` with what was inspected before.
package struct FileIdentity: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64
    /// Bytes.
    package var size: UInt64
    /// Time of the last change of the contents, nanoseconds since 1970.
    package var modifiedNanoseconds: Int64

    package init(device: UInt64, inode: UInt64, size: UInt64, modifiedNanoseconds: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modifiedNanoseconds = modifiedNanoseconds
    }

    /// The file that `path` leads to now, links followed; nil if there is none.
    package init?(path: String) {
        guard let status = try? FileStatus(path: path) else { return nil }
        self = status.identity
    }
}
