// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MediaCore

/// Event time that moves when a test says so, and notes what its media threads wait for.
///
/// Thread: any. The lock guards everything.
package final class HandClock: MediaClock, @unchecked Sendable {
    private let lock = NSCondition()
    private var time = EventTime.zero
    private var signals: [Signal] = []

    package init() {}

    /// Far more waits that return at once, one after the other, than time moving at the wrong moment explains.
    private static let spinLimit = 100

    package let skipsWaits = false

    package func now() -> EventTime {
        lock.withLock { time }
    }

    package func makeSignal() -> any MediaSignal {
        let signal = Signal(self)
        lock.withLock { signals.append(signal) }
        return signal
    }

    package func advance(milliseconds: Int64) {
        lock.withLock {
            time = time + milliseconds * 1000
            for signal in signals { signal.wakeIfDue(at: time) }
            lock.broadcast()
        }
    }

    /// Waits until the thread of the `index`th signal sleeps.
    ///
    /// - Returns: false if it asks again and again to be woken at a moment that has passed, or nothing of that comes.
    package func sleeps(_ index: Int) -> Bool {
        lock.withLock {
            let patience = Date(timeIntervalSinceNow: 60)
            while true {
                if signals.count > index {
                    if signals[index].isAsleep { return true }
                    if signals[index].spins > HandClock.spinLimit { return false }
                }
                guard lock.wait(until: patience) else { return false }
            }
        }
    }

    /// Waits until every media thread sleeps that has not left.
    ///
    /// - Parameter besidesFirst: but for the first of them, which may be at its source.
    /// - Returns: false if they do not within the shared limit.
    @discardableResult
    package func settles(besidesFirst: Bool = false) -> Bool {
        lock.withLock {
            let patience = Date(timeIntervalSinceNow: 60)
            while true {
                let running = signals.filter { !$0.hasLeft }
                if running.dropFirst(besidesFirst ? 1 : 0).allSatisfy(\.isAsleep) { return true }
                guard lock.wait(until: patience) else { return false }
            }
        }
    }

    private final class Signal: MediaSignal, @unchecked Sendable {
        private let clock: HandClock
        private var deadline: EventTime?
        private var isRaised = false
        private(set) var hasLeft = false
        private(set) var isAsleep = false
        private(set) var spins = 0

        init(_ clock: HandClock) {
            self.clock = clock
        }

        func wakeIfDue(at time: EventTime) {
            if let deadline, deadline <= time { isAsleep = false }
        }

        func raise() {
            clock.lock.withLock {
                isRaised = true
                isAsleep = false
                clock.lock.broadcast()
            }
        }

        func wait(until deadline: EventTime?) {
            clock.lock.withLock {
                guard !isRaised, !hasLeft, deadline.map({ clock.time < $0 }) ?? true else {
                    spins = isRaised ? 0 : spins + 1
                    isRaised = false
                    return clock.lock.broadcast()
                }
                spins = 0
                self.deadline = deadline
                isAsleep = true
                clock.lock.broadcast()
                while isAsleep { clock.lock.wait() }
                isRaised = false
            }
        }

        func leave() {
            clock.lock.withLock {
                hasLeft = true
                isAsleep = false
                clock.lock.broadcast()
            }
        }
    }
}
