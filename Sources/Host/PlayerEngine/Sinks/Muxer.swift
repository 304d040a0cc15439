// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore

/// A libav muxer of one stream.
///
/// Thread: the present thread.
@safe final class Muxer {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let bytes: OutputBytes
    private let packet = Packet()

    /// Writes the header.
    ///
    /// - Parameters:
    ///   - format: libav's name of it.
    ///   - describe: says what the stream is; time stamps are in the time base that it sets.
    init(
        _ format: String, to bytes: OutputBytes, options: KeyValuePairs<String, String> = [:],
        describe: (UnsafeMutablePointer<AVStream>) -> Void
    ) throws(AVStatus) {
        self.bytes = bytes
        var made: UnsafeMutablePointer<AVFormatContext>?
        try AVStatus.check(unsafe avformat_alloc_output_context2(&made, nil, format, nil))
        guard let made = unsafe made else { throw .outOfMemory }
        unsafe context = made
        unsafe made.pointee.pb = try bytes.makeContext()
        // What a file holds comes from its source alone, not from the version of a library.
        unsafe made.pointee.flags |= AVFMT_FLAG_BITEXACT
        // High bit depths are no part of YUV4MPEG2's standard, and everybody reads them.
        unsafe made.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL
        guard let stream = unsafe avformat_new_stream(made, nil) else { throw .outOfMemory }
        unsafe describe(stream)
        var dictionary: OpaquePointer?
        defer { unsafe av_dict_free(&dictionary) }
        for (key, value) in options { unsafe av_dict_set(&dictionary, key, value, 0) }
        try check(unsafe avformat_write_header(made, &dictionary))
    }

    deinit {
        unsafe avformat_free_context(context)
    }

    /// Writes one unit. Time stamps must not go back.
    ///
    /// - Parameter data: stays the caller's.
    func write(_ data: UnsafeMutablePointer<UInt8>, count: Int, timestamp: Int64) throws(AVStatus) {
        let status = unsafe packet.withUnsafePointer { packet in
            unsafe packet.pointee.data = data
            unsafe packet.pointee.size = Int32(count)
            unsafe packet.pointee.pts = timestamp
            unsafe packet.pointee.dts = timestamp
            unsafe packet.pointee.flags = AV_PKT_FLAG_KEY
            defer { unsafe packet.pointee.data = nil }
            return unsafe av_write_frame(context, packet)
        }
        try check(status)
    }

    /// Writes what belongs at the end, and in the header once the end is known.
    func end() throws(AVStatus) {
        try check(unsafe av_write_trailer(context))
    }

    /// A write that failed shows in the bytes only.
    private func check(_ status: Int32) throws(AVStatus) {
        try AVStatus.check(status)
        if let failure = bytes.failure { throw failure }
    }
}
