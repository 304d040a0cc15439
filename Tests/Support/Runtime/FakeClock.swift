// SPDX-License-Identifier: Apache-2.0

public import MediaCore
import Synchronization

/// Event time that moves only when a test says so.
public final class FakeClock: EventClock {
    private let time = Mutex(EventTime.zero)

    public init() {}

    public func now() -> EventTime { time.withLock { $0 } }

    /// Moves the time on.
    public func advance(milliseconds: Int64) {
        time.withLock { $0 = $0 + milliseconds * 1000 }
    }
}
