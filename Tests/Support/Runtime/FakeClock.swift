// SPDX-License-Identifier: Apache-2.0

public import MediaCore
import Synchronization

/// Event time that moves only when a test says so.
public final class FakeClock: EventClock {
    private let time = Mutex(EventTime.zero)
    private let sleep = Mutex(Int64(0))

    public init() {}

    public func now() -> EventTime { time.withLock { $0 } }

    public var slept: Int64 { sleep.withLock { $0 } }

    /// The machine sleeps, which time does not see.
    public func sleep(milliseconds: Int64) {
        sleep.withLock { $0 += milliseconds * 1000 }
    }

    /// Moves the time on.
    public func advance(milliseconds: Int64) {
        time.withLock { $0 = $0 + milliseconds * 1000 }
    }
}
