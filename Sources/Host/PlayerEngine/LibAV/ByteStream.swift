// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import Glibc

/// A byte source as libav reads it.
///
/// Thread: the demux thread.
@safe final class ByteStream {
    /// Lives as long as the stream.
    let context: UnsafeMutablePointer<AVIOContext>
    private let source: any ByteSource
    private var offset: Int64 = 0
    /// Something was looked for behind the last byte: the container says that there is more than there is.
    private(set) var wasSoughtPastEnd = false

    private static let bufferSize = 64 * 1024

    init(_ source: any ByteSource) throws(AVStatus) {
        self.source = source
        guard let buffer = unsafe av_malloc(ByteStream.bufferSize) else { throw .outOfMemory }
        guard
            let made = unsafe avio_alloc_context(
                buffer.assumingMemoryBound(to: UInt8.self), Int32(ByteStream.bufferSize), 0, nil, readThunk, nil,
                source.isSeekable ? seekThunk : nil)
        else {
            unsafe av_free(buffer)
            throw .outOfMemory
        }
        unsafe context = made
        unsafe made.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        unsafe av_freep(&context.pointee.buffer)
        var freed: UnsafeMutablePointer<AVIOContext>? = unsafe context
        unsafe avio_context_free(&freed)
    }

    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        let count = unsafe source.read(at: offset, into: buffer)
        if count > 0 { offset += Int64(count) }
        return count
    }

    fileprivate func seek(to target: Int64, whence: Int32) -> Int64 {
        guard let size = source.size else { return Int64(AVStatus(errno: ESPIPE).rawValue) }
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
    let stream = unsafe Unmanaged<ByteStream>.fromOpaque(opaque).takeUnretainedValue()
    return unsafe stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
}

private func seekThunk(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let opaque = unsafe opaque else { return Int64(AVStatus(errno: EINVAL).rawValue) }
    return unsafe Unmanaged<ByteStream>.fromOpaque(opaque).takeUnretainedValue().seek(to: offset, whence: whence)
}
