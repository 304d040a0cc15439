// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore

/// One compressed unit, the word that a segment ends, or the empty shell for either.
@safe struct Packet: ~Copyable, MediaUnit, @unchecked Sendable {
    // Moves with its one owner.
    private let pointer: UnsafeMutablePointer<AVPacket>
    /// What it belongs to; nil for a shell.
    var segment: Segment?
    /// It is no content: nothing of its segment follows.
    var isEnd = false

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
    /// It holds something to decode. To libav a packet without data is the end of the stream, whatever a container means by it.
    var hasContent: Bool { unsafe pointer.pointee.data != nil && pointer.pointee.size > 0 }
    var isKey: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// Decoded for what follows it, not to be shown.
    var isDiscarded: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    /// The container delivered less of it than it had announced.
    var isCorrupt: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }

    /// Microseconds it lasts, up to ten seconds; 0 if it does not say.
    func duration(in track: Track) -> Int64 {
        let duration = MediaTime(timestamp: unsafe pointer.pointee.duration, in: track.timeBase)?.microseconds ?? 0
        return min(max(0, duration), 10_000_000)
    }

    /// When it is presented, else when it is decoded.
    func time(in track: Track) -> MediaTime? {
        presentationTime(in: track) ?? decodeTime(in: track)
    }

    /// When it is presented, nil if it does not say.
    func presentationTime(in track: Track) -> MediaTime? {
        track.time(unsafe pointer.pointee.pts)
    }

    func decodeTime(in track: Track) -> MediaTime? {
        track.time(unsafe pointer.pointee.dts)
    }

    mutating func clear() {
        unsafe av_packet_unref(pointer)
        segment = nil
        isEnd = false
    }

    /// For libav calls only; the pointer dies with the packet.
    func withUnsafePointer<Result>(_ body: (UnsafeMutablePointer<AVPacket>) -> Result) -> Result {
        unsafe body(pointer)
    }
}
