// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// When ticks of an open session are due: every 250 ms after the last one.
///
/// A gap above ten minutes gets at most 2,400 evenly spaced ticks, so a line of a log costs bounded work, and the next are counted from
/// the gap's end. A log can have one, and so can a process that was stopped.
package struct TickSchedule {
    package static var period: Int64 { 250_000 }
    static let most: Int64 = 2400

    package private(set) var last: EventTime

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

    /// The ticks up to `time` were made, `step` apart. After wide ones the period alone would lead to a time before `time`, where
    /// events have been delivered meanwhile.
    mutating func passed(_ time: EventTime, by step: Int64) {
        if step > TickSchedule.period { last = time }
    }
}
