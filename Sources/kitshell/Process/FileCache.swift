// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What the kernel keeps in memory of files.
enum FileCache {
    /// Bytes of one file that are read at most; a feed reads no more of it within a few seconds.
    private static let mostBytes = 64 << 20

    /// Reads files so that whoever reads them next does not wait for a disk. What cannot be read is passed over: playing it says why.
    ///
    /// - Parameter isCancelled: asked now and then.
    static func warm(_ paths: [String], isCancelled: () -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        for path in Set(paths) {
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            var total = 0
            while total < mostBytes, !isCancelled() {
                let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { break }
                total += count
            }
        }
    }
}
