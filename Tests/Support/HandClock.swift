// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MediaCore

/// Event time that moves when a test says so, and notes what its media threads wait for.
///
/// Thread: any. The lock guards everything.
package final class HandClock: MediaClock, @unchecked Sendable {
    /// What the signals look at as well: they do not hold the clock, which holds them.
    private final class Shared: @unchecked Sendable {
        let lock = NSCondition()
        var time = EventTime.zero
    }

    private let shared = Shared()
    private var signals: [Signal] = []
    private var lock: NSCondition { shared.lock }

    package init() {}

    /// Far more waits that return at once, one after the other, than time moving at the wrong moment explains.
    private static let spinLimit = 100

    package let skipsWaits = false

    package func now() -> EventTime {
        lock.withLock { shared.time }
    }

    package func makeSignal() -> any MediaSignal {
        let signal = Signal(shared)
        lock.withLock { signals.append(signal) }
        return signal
    }

    package func advance(milliseconds: Int64) {
        lock.withLock {
            shared.time = shared.time + milliseconds * 1000
            for signal in signals { signal.wakeIfDue(at: shared.time) }
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
        private let shared: Shared
        private var deadline: EventTime?
        private var isRaised = false
        private(set) var hasLeft = false
        private(set) var isAsleep = false
        private(set) var spins = 0

        init(_ shared: Shared) {
            self.shared = shared
        }

        func wakeIfDue(at time: EventTime) {
            if let deadline, deadline <= time { isAsleep = false }
        }

        func raise() {
            shared.lock.withLock {
                isRaised = true
                isAsleep = false
                shared.lock.broadcast()
            }
        }

        func wait(until deadline: EventTime?) {
            shared.lock.withLock {
                guard !isRaised, !hasLeft, deadline.map({ shared.time < $0 }) ?? true else {
                    spins = isRaised ? 0 : spins + 1
                    isRaised = false
                    return shared.lock.broadcast()
                }
                spins = 0
                self.deadline = deadline
                isAsleep = true
                shared.lock.broadcast()
                while isAsleep { shared.lock.wait() }
                isRaised = false
            }
        }

        func leave() {
            shared.lock.withLock {
                hasLeft = true
                isAsleep = false
                shared.lock.broadcast()
            }
        }
    }
}
