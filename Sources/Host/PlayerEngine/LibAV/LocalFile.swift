// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import Glibc
internal import MediaCore

/// A file, pipe or standard input as bytes. Never blocks for longer than 50 ms without looking whether it is to end; what writes to a
/// pipe may take its time.
///
/// Thread: the demux thread.
final class LocalFile: ByteSource {
    private let descriptor: Int32
    private let interrupt: Interrupt
    /// nil for pipes and devices.
    private let firstSize: Int64?
    private(set) var bytesRead: Int64 = 0

    private static let pollMilliseconds: Int32 = 50

    /// - Parameter path: nil for standard input.
    /// - Throws: `AVStatus`; `EISDIR` for a directory.
    init(path: String?, interrupt: Interrupt) throws(AVStatus) {
        // Without O_NONBLOCK opening a pipe waits for its writer, where nothing can interrupt it.
        descriptor =
            if let path { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) } else {
                fcntl(0, F_DUPFD_CLOEXEC, 0)
            }
        guard descriptor >= 0 else { throw AVStatus(errno: errno) }
        self.interrupt = interrupt
        var status = stat()
        let result = unsafe fstat(descriptor, &status)
        let failure = errno
        firstSize = LocalFile.size(of: descriptor, status)
        guard result == 0, status.st_mode & S_IFMT != S_IFDIR else {
            throw AVStatus(errno: result == 0 ? EISDIR : failure)
        }
    }

    deinit {
        close(descriptor)
    }

    var isSeekable: Bool { firstSize != nil }

    /// As it is now: a file may grow, or be cut, while it is read.
    var size: Int64? {
        guard firstSize != nil else { return nil }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return firstSize }
        return LocalFile.size(of: descriptor, status)
    }

    /// Whether it was cut while it was read.
    var hasShrunk: Bool {
        guard let firstSize, let size else { return false }
        return size < firstSize
    }

    /// Whether its container says that there is more than there is.
    var isCutOff: Bool {
        guard let size else { return false }
        return DeclaredExtent.end(of: self).map { $0 > size } ?? false
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        while true {
            if interrupt.isCancelled { return AVStatus.exit.rawValue }
            if !isSeekable && !waitForData() { continue }
            let result =
                isSeekable
                ? unsafe pread(descriptor, buffer.baseAddress, buffer.count, Int(offset))
                : unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if result > 0 {
                bytesRead += Int64(result)
                return Int32(result)
            }
            if result == 0 { return AVStatus.endOfFile.rawValue }
            guard errno == EINTR || errno == EAGAIN else { return -errno }
        }
    }

    /// Bytes from anywhere in a file that has a size; fewer than asked for at its end, none on failure.
    func bytes(at place: Int64, count: Int) -> [UInt8] {
        guard isSeekable else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = max(0, unsafe pread(descriptor, buffer.baseAddress, count, Int(place)))
        }
    }

    /// Whether reading now gives data, the end or a failure rather than blocking.
    private func waitForData() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, LocalFile.pollMilliseconds) > 0
    }

    private static func size(of descriptor: Int32, _ status: stat) -> Int64? {
        switch status.st_mode & S_IFMT {
        case S_IFREG: Int64(status.st_size)
        case S_IFBLK: Int64(lseek(descriptor, 0, SEEK_END))
        default: nil
        }
    }
}
