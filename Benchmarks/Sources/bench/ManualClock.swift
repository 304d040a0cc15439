// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Synchronization

/// A clock that stands where it was put.
final class ManualClock: EventClock {
    private let microseconds = Atomic<Int64>(0)

    func now() -> EventTime { EventTime(microseconds: microseconds.load(ordering: .relaxed)) }

    func set(_ time: EventTime) { microseconds.store(time.microseconds, ordering: .relaxed) }
}
