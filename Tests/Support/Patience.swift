// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The one limit of every wait for something that must happen; reaching it is a failure.
package enum Patience {
    package static let limit = Duration.seconds(60)

    /// Waits on a condition.
    ///
    /// - Returns: false if it did not come true.
    package static func wait(until condition: () throws -> Bool) rethrows -> Bool {
        let end = ContinuousClock.now + limit
        while try !condition() {
            if ContinuousClock.now > end { return false }
            usleep(1000)
        }
        return true
    }

    /// The same for what comes at once, as soon as another thread has run.
    package static func spin(until condition: () -> Bool) -> Bool {
        for _ in 0..<10_000 {
            if condition() { return true }
            sched_yield()
        }
        return wait(until: condition)
    }

    /// The same in a task: other tasks have its thread meanwhile.
    package static func suspend(until condition: () -> Bool) async -> Bool {
        let end = ContinuousClock.now + limit
        while !condition() {
            if ContinuousClock.now > end { return false }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return true
    }
}
