// SPDX-License-Identifier: Apache-2.0

/// How long a server has given next to nothing while it was waited for: a few bytes now and then are silence as well.
///
/// Thread: the demux thread.
struct Silence {
    /// Microseconds after which it is taken for good.
    private let limit: Int64
    /// As many bytes in that time are no silence.
    let leastBytes: Int
    private var length: Int64 = 0
    private var byteCount = 0

    /// What comes slower than this is of no use to any player.
    private static let leastBytesPerSecond: Int64 = 30

    init(limit: Int64) {
        self.limit = limit
        leastBytes = Int(max(1, limit * Silence.leastBytesPerSecond / 1_000_000))
    }

    /// Microseconds until it is taken for good.
    var left: Int64 { limit - length }

    /// Somebody waited for so many microseconds more.
    mutating func lasts(_ microseconds: Int64) {
        length += microseconds
    }

    /// Bytes have come; with those before they may be enough for it to be over.
    mutating func hear(_ count: Int) {
        byteCount += count
        if byteCount >= leastBytes { end() }
    }

    mutating func end() {
        length = 0
        byteCount = 0
    }
}
