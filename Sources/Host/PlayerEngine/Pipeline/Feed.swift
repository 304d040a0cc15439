// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// What the demuxer knows of one line: which track it reads for it, and how far it has come.
///
/// Thread: `kit-demux`.
final class Feed {
    let line: Line
    var track: Track
    /// When the newest packet is decoded.
    private var newest: MediaTime?
    /// After a seek that failed: packets up to here have been sent already.
    private var sentUpTo: MediaTime?

    private static let longestPacket: Int64 = 10_000_000

    init(_ line: Line, track: Track) {
        self.line = line
        self.track = track
    }

    /// A segment begins.
    func begin() {
        newest = nil
        sentUpTo = nil
        line.bufferedEnd = nil
    }

    /// The source may be anywhere now: what has been sent is not sent again.
    func resume() {
        sentUpTo = newest
    }

    /// Whether a packet has been sent before.
    func isRepeated(_ packet: borrowing Packet) -> Bool {
        guard let limit = sentUpTo else { return false }
        if let time = Feed.time(of: packet, in: track), time > limit { sentUpTo = nil }
        return sentUpTo != nil
    }

    /// Books a packet that is about to be sent.
    ///
    /// - Returns: the microseconds of media it stands for: its own duration, else the time since the one before.
    func book(_ packet: borrowing Packet) -> Int64 {
        let time = Feed.time(of: packet, in: track)
        let own = packet.duration(in: track)
        let step = time.flatMap { time in newest.map { time.microseconds - $0.microseconds } } ?? 0
        newest = time ?? newest
        let duration = min(max(0, own > 0 ? own : step), Feed.longestPacket)
        if let start = packet.time(in: track) {
            let end = MediaTime(microseconds: start.microseconds + own)
            line.bufferedEnd = max(end, line.bufferedEnd ?? end)
        }
        return duration
    }

    /// When a packet is decoded, else when it is presented.
    private static func time(of packet: borrowing Packet, in track: Track) -> MediaTime? {
        packet.decodeTime(in: track) ?? packet.presentationTime(in: track)
    }
}
