// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import Glibc
internal import MediaCore

/// A file, pipe or standard input as libav's bytes. Never blocks for longer than 50 ms without asking the interrupt.
///
/// Thread: the demux thread.
@safe final class LocalFile {
    private let descriptor: Int32
    private let interrupt: Interrupt
    /// nil for pipes and devices.
    let size: Int64?
    private var offset: Int64 = 0
    private(set) var bytesRead: Int64 = 0
    /// Something was looked for behind the last byte: the container says that there is more than there is.
    private var wasSoughtPastEnd = false
    private var context: UnsafeMutablePointer<AVIOContext>?

    private static let bufferSize = 64 * 1024
    private static let pollMilliseconds: Int32 = 50

    /// - Parameter path: nil for standard input.
    /// - Throws: `AVStatus`; `EISDIR` for a directory.
    init(path: String?, interrupt: Interrupt) throws(AVStatus) {
        // Without O_NONBLOCK opening a pipe waits for its writer, where nothing can interrupt it.
        descriptor =
            if let path { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) } else { dup(0) }
        guard descriptor >= 0 else { throw AVStatus(errno: errno) }
        self.interrupt = interrupt
        var status = stat()
        let result = unsafe fstat(descriptor, &status)
        let kind = status.st_mode & S_IFMT
        size = kind == S_IFREG ? Int64(status.st_size) : nil
        guard result == 0, kind != S_IFDIR else {
            throw AVStatus(errno: result == 0 ? EISDIR : errno)
        }
    }

    deinit {
        if let context = unsafe context {
            unsafe av_freep(&context.pointee.buffer)
            var freed: UnsafeMutablePointer<AVIOContext>? = unsafe context
            unsafe avio_context_free(&freed)
        }
        close(descriptor)
    }

    /// The context libav reads from; lives as long as the file.
    func makeContext() throws(AVStatus) -> UnsafeMutablePointer<AVIOContext> {
        guard let buffer = unsafe av_malloc(LocalFile.bufferSize) else { throw .outOfMemory }
        guard
            let made = unsafe avio_alloc_context(
                buffer.assumingMemoryBound(to: UInt8.self), Int32(LocalFile.bufferSize), 0,
                Unmanaged.passUnretained(self).toOpaque(), readThunk, nil, size == nil ? nil : seekThunk)
        else {
            unsafe av_free(buffer)
            throw .outOfMemory
        }
        unsafe context = made
        return unsafe made
    }

    /// Whether the container says that there is more than there is.
    var isCutOff: Bool {
        guard let size else { return false }
        return wasSoughtPastEnd || DeclaredExtent.end(of: self).map { $0 > size } ?? false
    }

    /// Bytes from anywhere in a file that has a size; fewer than asked for at its end, none on failure.
    func bytes(at place: Int64, count: Int) -> [UInt8] {
        guard size != nil else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = max(0, unsafe pread(descriptor, buffer.baseAddress, count, Int(place)))
        }
    }

    fileprivate func read(into buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 {
        while true {
            if interrupt.mustEnd { return AVStatus.exit.rawValue }
            if size == nil && !waitForData() { continue }
            let result =
                size == nil
                ? unsafe Glibc.read(descriptor, buffer, count)
                : unsafe pread(descriptor, buffer, count, Int(offset))
            if result > 0 {
                offset += Int64(result)
                bytesRead += Int64(result)
                return Int32(result)
            }
            if result == 0 { return AVStatus.endOfFile.rawValue }
            guard errno == EINTR || errno == EAGAIN else { return -errno }
        }
    }

    /// Whether reading now gives data, the end or a failure rather than blocking.
    private func waitForData() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, LocalFile.pollMilliseconds) > 0
    }

    fileprivate func seek(to target: Int64, whence: Int32) -> Int64 {
        guard let size else { return Int64(AVStatus(errno: ESPIPE).rawValue) }
        let origin: Int64
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return size
        case SEEK_SET: origin = 0
        case SEEK_CUR: origin = offset
        case SEEK_END: origin = size
        default: return Int64(AVStatus(errno: EINVAL).rawValue)
        }
        let (place, overflow) = origin.addingReportingOverflow(target)
        guard !overflow, place >= 0 else { return Int64(AVStatus(errno: EINVAL).rawValue) }
        if place > size { wasSoughtPastEnd = true }
        offset = place
        return place
    }
}

private func readThunk(_ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32)
    -> Int32
{
    guard let opaque = unsafe opaque, let buffer = unsafe buffer, count > 0 else {
        return AVStatus.endOfFile.rawValue
    }
    return unsafe Unmanaged<LocalFile>.fromOpaque(opaque).takeUnretainedValue().read(into: buffer, count: Int(count))
}

private func seekThunk(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let opaque = unsafe opaque else { return -1 }
    return unsafe Unmanaged<LocalFile>.fromOpaque(opaque).takeUnretainedValue().seek(to: offset, whence: whence)
}
