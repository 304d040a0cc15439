// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore

/// One compressed unit, or the empty shell for one.
@safe struct Packet: ~Copyable, @unchecked Sendable {
    // Moves with its one owner.
    private let pointer: UnsafeMutablePointer<AVPacket>

    init() {
        guard let packet = unsafe av_packet_alloc() else { fatalError("out of memory for a packet") }
        unsafe pointer = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = unsafe pointer
        unsafe av_packet_free(&packet)
    }

    var streamIndex: Int { Int(unsafe pointer.pointee.stream_index) }
    var byteCount: Int { max(0, Int(unsafe pointer.pointee.size)) }
    /// Decoded for what follows it, not to be shown.
    var isDiscarded: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    /// The container delivered less of it than it had announced.
    var isCorrupt: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }

    /// Microseconds it lasts, up to ten seconds; 0 if it does not say.
    func duration(in timeBase: AVRational) -> Int64 {
        let duration = MediaTime(timestamp: unsafe pointer.pointee.duration, in: timeBase)?.microseconds ?? 0
        return min(max(0, duration), 10_000_000)
    }

    /// Where its content ends on the media timeline.
    func end(in timeBase: AVRational) -> MediaTime? {
        let packet = unsafe pointer.pointee
        let start = unsafe packet.pts != clibav_no_timestamp ? packet.pts : packet.dts
        guard start != clibav_no_timestamp else { return nil }
        return MediaTime(timestamp: start &+ max(0, unsafe packet.duration), in: timeBase)
    }

    /// Gives the content back; the shell stays.
    func clear() {
        unsafe av_packet_unref(pointer)
    }

    /// For libav calls only; the pointer dies with the packet.
    func withUnsafePointer<Result>(_ body: (UnsafeMutablePointer<AVPacket>) -> Result) -> Result {
        unsafe body(pointer)
    }
}
