// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// The range of numbers in events: 35 years in microseconds, which survives the way through a JSON number of milliseconds exactly.
enum EventLimits {
    static let largest: Int64 = (1 << 50) - 1
    /// Sessions and controllers count up to here.
    static let largestNumber: UInt32 = .max >> 1

    static func holds(_ value: Int64) -> Bool { value >= -largest && value <= largest }
}

extension PlayerEvent {
    /// Makes numbers outside of the range unknown, so that what is computed live is what a log can tell.
    mutating func boundNumbers() {
        for index in values.indices where !EventLimits.holds(values[index]) { values[index] = PlayerEvent.unknown }
        if !EventLimits.holds(positionMicroseconds) { positionMicroseconds = PlayerEvent.unknown }
        let time = time.microseconds
        self.time = EventTime(microseconds: min(max(time, -EventLimits.largest), EventLimits.largest))
    }
}
