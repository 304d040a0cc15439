// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// How often and for how long an output had nothing because the decoder was slow, with data waiting.
///
/// It ends with the next picture, with media time that moves, or with the playing itself. It is no stall: no data was missing.
struct SlowDecoderLedger {
    private(set) var count: Int64 = 0
    /// Microseconds, of what has ended.
    private var ended: Int64 = 0
    private var since: EventTime?
    private var position: MediaTime?

    /// The total up to a time.
    func total(at time: EventTime) -> Int64 { ended + (since.map { max(0, time - $0) } ?? 0) }

    /// - Parameters:
    ///   - event: `decoder_slow`.
    ///   - position: the newest one.
    mutating func begin(_ event: PlayerEvent, position: MediaTime?) {
        guard since == nil else { return }
        count += 1
        since = event.value(0).map { min(EventTime(microseconds: $0), event.time) } ?? event.time
        self.position = position
    }

    mutating func end(at time: EventTime) {
        ended = total(at: time)
        since = nil
    }

    /// Media time has come to a position.
    mutating func move(to newer: MediaTime?, at time: EventTime) {
        guard since != nil, let newer else { return }
        if position.map({ newer > $0 }) ?? true { end(at: time) }
    }
}
