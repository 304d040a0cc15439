// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A moment of supervision time: real and monotonic. Deadlines of plugin calls are in it; events never are.
package struct RealTime: Hashable, Comparable, Sendable {
    package var nanoseconds: UInt64

    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The current moment.
    package static func now() -> RealTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return RealTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    /// Whole milliseconds from here to `later`, rounded up; 0 if it has passed.
    package func milliseconds(until later: RealTime) -> Int {
        later <= self ? 0 : Int((later.nanoseconds - nanoseconds + 999_999) / 1_000_000)
    }

    /// Until this moment; 0 or less if it has passed.
    var nanosecondsLeft: Int64 { Int64(clamping: nanoseconds) - Int64(clamping: RealTime.now().nanoseconds) }
    /// The same, whole and rounded up; never negative.
    var millisecondsLeft: Int { RealTime.now().milliseconds(until: self) }

    package static func < (left: RealTime, right: RealTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// That many milliseconds later; a negative number counts as none.
    package static func + (left: RealTime, milliseconds: Int) -> RealTime {
        RealTime(nanoseconds: left.nanoseconds &+ UInt64(max(0, milliseconds)) &* 1_000_000)
    }
}
