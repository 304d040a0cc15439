// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// When ticks of an open session are due: every 250 ms after the last one.
///
/// A gap above ten minutes, which only a log can have, gets 2,400 evenly spaced ticks, so a log's line costs bounded work.
struct TickSchedule {
    static let period: Int64 = 250_000
    static let most: Int64 = 2400

    private(set) var last: EventTime

    init(from start: EventTime) {
        last = start
    }

    /// A tick comes by itself.
    mutating func note(_ time: EventTime) {
        last = time
    }

    /// The spacing of the ticks that are due up to `time`; nil if there are none.
    func step(to time: EventTime) -> Int64? {
        let gap = time - last
        guard gap >= TickSchedule.period else { return nil }
        return max(TickSchedule.period, (gap + TickSchedule.most - 1) / TickSchedule.most)
    }
}
