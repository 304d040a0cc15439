// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import Glibc
internal import MediaCore

/// An open descriptor as what a libav muxer writes to. A reader that goes away is no failure: the rest is for nobody.
///
/// A pipe that is full is waited for; once the playback ends, only as long as its reader goes on reading.
///
/// Thread: the present thread.
@safe final class OutputBytes {
    private let descriptor: Int32
    private let interrupt: Interrupt
    /// Pipes and terminals can be full.
    private let mayBlock: Bool
    /// Where the first byte went; nil if there is no way back to it.
    private let origin: Int64?
    private var hasReader = true
    private var context: UnsafeMutablePointer<AVIOContext>?
    /// Whether what is written is left out of the output.
    var isMuted = false

    private static let bufferSize = 128 * 1024
    private static let pollMilliseconds: Int32 = 50
    /// What a pipe that is not full takes without blocking.
    private static let portion = 4096

    /// - Throws: `AVStatus` if the descriptor is not open.
    init(_ output: OutputDescriptor, interrupt: Interrupt) throws(AVStatus) {
        // One of our own: the maker of the other may close it while a parked playback still writes.
        descriptor = fcntl(output.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw AVStatus(errno: errno) }
        self.interrupt = interrupt
        var status = stat()
        let isRegular = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        mayBlock = !isRegular
        // What is appended to can be written at its end only.
        let isAppended = fcntl(descriptor, F_GETFL) & O_APPEND != 0
        origin = isRegular && !isAppended ? Int64(lseek(descriptor, 0, SEEK_CUR)) : nil
    }

    deinit {
        if let context = unsafe context {
            unsafe av_freep(&context.pointee.buffer)
            var freed: UnsafeMutablePointer<AVIOContext>? = unsafe context
            unsafe avio_context_free(&freed)
        }
        close(descriptor)
    }

    /// The context libav writes to; lives as long as this.
    func makeContext() throws(AVStatus) -> UnsafeMutablePointer<AVIOContext> {
        if let context = unsafe context { return unsafe context }
        guard let buffer = unsafe av_malloc(OutputBytes.bufferSize) else { throw .outOfMemory }
        guard
            let made = unsafe avio_alloc_context(
                buffer.assumingMemoryBound(to: UInt8.self), Int32(OutputBytes.bufferSize), 1,
                Unmanaged.passUnretained(self).toOpaque(), nil, writeThunk, origin == nil ? nil : outputSeekThunk)
        else {
            unsafe av_free(buffer)
            throw .outOfMemory
        }
        unsafe context = made
        return unsafe made
    }

    /// Writes what libav has kept back so far.
    func flush() {
        if let context = unsafe context { unsafe avio_flush(context) }
    }

    /// What kept bytes from being written; nil if nothing did.
    var failure: AVStatus? {
        guard let context = unsafe context, unsafe context.pointee.error < 0 else { return nil }
        return AVStatus(rawValue: unsafe context.pointee.error)
    }

    fileprivate func write(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int32 {
        var written = 0
        while !isMuted && hasReader && written < count {
            if mayBlock && !waitForRoom() { return AVStatus.exit.rawValue }
            let portion = mayBlock ? min(count - written, OutputBytes.portion) : count - written
            let result = unsafe Glibc.write(descriptor, bytes + written, portion)
            if result >= 0 {
                written += result
            } else if errno == EPIPE {
                hasReader = false
            } else if errno != EINTR && errno != EAGAIN {
                return -errno
            }
        }
        return Int32(count)
    }

    /// - Returns: false if nobody takes anything and the playback is over.
    private func waitForRoom() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while unsafe poll(&entry, 1, OutputBytes.pollMilliseconds) == 0 {
            if interrupt.isCancelled { return false }
        }
        return true
    }

    fileprivate func seek(to target: Int64, whence: Int32) -> Int64 {
        guard let origin, whence & ~AVSEEK_FORCE == SEEK_SET, target >= 0 else {
            return Int64(AVStatus(errno: EINVAL).rawValue)
        }
        guard lseek(descriptor, Int(origin + target), SEEK_SET) >= 0 else { return Int64(-errno) }
        return target
    }
}

private func writeThunk(_ opaque: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32)
    -> Int32
{
    guard let opaque = unsafe opaque, let bytes = unsafe bytes, count > 0 else { return 0 }
    return unsafe Unmanaged<OutputBytes>.fromOpaque(opaque).takeUnretainedValue().write(bytes, count: Int(count))
}

private func outputSeekThunk(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let opaque = unsafe opaque else { return -1 }
    return unsafe Unmanaged<OutputBytes>.fromOpaque(opaque).takeUnretainedValue().seek(to: offset, whence: whence)
}
