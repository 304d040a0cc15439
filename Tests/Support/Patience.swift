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
}
