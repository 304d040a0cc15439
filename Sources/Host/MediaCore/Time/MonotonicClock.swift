// SPDX-License-Identifier: Apache-2.0

/// The machine's monotonic clock.
///
/// Thread: any.
public final class MonotonicClock: EventClock {
    public init() {}

    public func now() -> EventTime {
        EventTime(microseconds: monotonicMicroseconds())
    }

    public var slept: Int64 {
        // A thread that loses its turn between the two readings would take that for sleep.
        while true {
            let before = monotonicMicroseconds()
            let sinceBoot = bootMicroseconds()
            if monotonicMicroseconds() - before < 10_000 { return sinceBoot - before }
        }
    }
}

extension MonotonicClock: MediaClock {
    package var skipsWaits: Bool { false }

    package func makeSignal() -> any MediaSignal { Signal() }

    private final class Signal: MediaSignal, @unchecked Sendable {
        private let lock = ThreadLock()
        private let condition = ThreadCondition()
        // Only with `lock` held.
        private var isRaised = false
        private var hasLeft = false

        func raise() {
            lock.withLock { isRaised = true }
            condition.signal()
        }

        func wait(until deadline: EventTime?) {
            lock.withLock {
                while !isRaised && !hasLeft {
                    if let deadline, monotonicMicroseconds() >= deadline.microseconds { return }
                    condition.wait(lock, until: deadline?.microseconds)
                }
                isRaised = false
            }
        }

        func leave() {
            lock.withLock { hasLeft = true }
            condition.signal()
        }
    }
}
