// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import Glibc

/// A byte source as libav reads it.
///
/// Thread: the demux thread.
@safe final class ByteStream {
    /// Lives as long as the stream.
    let context: UnsafeMutablePointer<AVIOContext>
    let source: any ByteSource
    /// Called on the demux thread whenever bytes were read.
    var onRead: (() -> Void)?
    private let shown: UnsafeMutablePointer<clibav_stream>
    private var offset: Int64 = 0
    /// Something was looked for behind the last byte: the container says that there is more than there is.
    private(set) var wasSoughtPastEnd = false

    private static let bufferSize = 64 * 1024

    /// - Parameters:
    ///   - location: where the bytes come from in the end; what they name is found from there. nil: where they were asked for.
    ///   - settings: how libav asks for what they name, where it does so by itself.
    init(_ source: any ByteSource, location: String? = nil, settings: HTTPSettings? = nil) throws(AVStatus) {
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
        unsafe shown = .allocate(capacity: 1)
        unsafe shown.initialize(to: clibav_stream())
        unsafe shown.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
        unsafe made.pointee.opaque = UnsafeMutableRawPointer(shown)
        guard let location else { return }
        unsafe shown.pointee.location = av_strdup(location)
        if let settings {
            unsafe shown.pointee.user_agent = av_strdup(settings.userAgent)
            if let referer = settings.referer { unsafe shown.pointee.referer = av_strdup(referer) }
            unsafe shown.pointee.rw_timeout = av_strdup("\(settings.timeout)")
        }
        unsafe clibav_show_options(made, shown)
    }

    deinit {
        unsafe av_freep(&context.pointee.buffer)
        var freed: UnsafeMutablePointer<AVIOContext>? = unsafe context
        unsafe avio_context_free(&freed)
        unsafe av_free(shown.pointee.location)
        unsafe av_free(shown.pointee.user_agent)
        unsafe av_free(shown.pointee.referer)
        unsafe av_free(shown.pointee.rw_timeout)
        unsafe shown.deallocate()
    }

    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        let count = unsafe source.read(at: offset, into: buffer)
        if count > 0 {
            offset += Int64(count)
            onRead?()
        }
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

/// - Returns: nil if libav lost it.
private func stream(of opaque: UnsafeMutableRawPointer?) -> ByteStream? {
    guard let owner = unsafe opaque?.assumingMemoryBound(to: clibav_stream.self).pointee.owner else { return nil }
    return unsafe Unmanaged<ByteStream>.fromOpaque(owner).takeUnretainedValue()
}

private func readThunk(_ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32)
    -> Int32
{
    guard let stream = unsafe stream(of: opaque), let buffer = unsafe buffer, count > 0 else {
        return AVStatus.endOfFile.rawValue
    }
    return unsafe stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
}

private func seekThunk(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let stream = unsafe stream(of: opaque) else { return Int64(AVStatus(errno: EINVAL).rawValue) }
    return stream.seek(to: offset, whence: whence)
}
