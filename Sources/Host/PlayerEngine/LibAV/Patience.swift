// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import Glibc

/// How long a live playlist may bring nothing new before it is taken for dead. What comes next may be late by the time for one network
/// operation, or by three target durations where that is longer.
///
/// Thread: the demux thread.
struct Patience {
    private let timeout: Int64
    /// The longest of its playlists, in microseconds.
    private var target: Int64 = 0

    private static let mark = Array("#EXTM3U".utf8)
    private static let targetTag = Array("#EXT-X-TARGETDURATION:".utf8)
    /// Seconds; what is said to last longer says nothing.
    private static let longestTarget: Int64 = 60
    /// So far from its beginning a playlist tells its target duration.
    private static let headSize = 4096

    init(timeout: Int64) {
        self.timeout = timeout
    }

    var microseconds: Int64 { target + max(timeout, 3 * target) }

    /// Looks at the first bytes of what was opened; they are read again after.
    ///
    /// - Returns: whether it is a playlist, from which a target duration was learned.
    mutating func look(at input: UnsafeMutablePointer<AVIOContext>) -> Bool {
        guard unsafe Patience.head(of: input, size: Patience.mark.count) == Patience.mark else { return false }
        let head = unsafe Patience.head(of: input, size: Patience.headSize)
        for line in head.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
        where line.starts(with: Patience.targetTag) {
            let digits = line.dropFirst(Patience.targetTag.count).prefix {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
            guard let seconds = Int64(String(decoding: digits, as: UTF8.self)) else { continue }
            target = max(target, min(seconds, Patience.longestTarget) * 1_000_000)
        }
        return true
    }

    private static func head(of input: UnsafeMutablePointer<AVIOContext>, size: Int) -> [UInt8] {
        let place = unsafe avio_seek(input, 0, SEEK_CUR)
        var head = [UInt8](repeating: 0, count: size)
        let count = unsafe avio_read(input, &head, Int32(size))
        unsafe _ = avio_seek(input, place, SEEK_SET)
        return Array(head.prefix(Int(max(0, count))))
    }
}
