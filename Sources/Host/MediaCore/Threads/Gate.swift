// SPDX-License-Identifier: Apache-2.0

/// Where a thread waits until other threads have made something true.
///
/// The state that the condition speaks of is guarded by its own lock; whoever changes it calls `signal` afterwards.
///
/// Thread: any.
package final class Gate: Sendable {
    private let lock = ThreadLock()
    private let changed = ThreadCondition()

    package init() {}

    /// Wakes everybody who waits, to look again.
    package func signal() {
        // With the lock: whoever has looked and not yet gone to sleep must hear it.
        lock.withLock { changed.broadcast() }
    }

    /// Waits until `condition` holds. It is called with the gate's lock held: it may look at guarded state and do at once what
    /// it waits for, and must wait for nothing itself.
    package func wait(until condition: () -> Bool) {
        lock.withLock {
            while !condition() { changed.wait(lock, until: nil) }
        }
    }

    /// Waits until `condition` holds or the real time is up.
    ///
    /// - Returns: whether it holds.
    package func wait(milliseconds: Int, until condition: () -> Bool) -> Bool {
        let end = monotonicMicroseconds() + Int64(milliseconds) * 1000
        return lock.withLock {
            while !condition() {
                guard monotonicMicroseconds() < end else { return false }
                changed.wait(lock, until: end)
            }
            return true
        }
    }
}
