// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// Processes that a run has left behind: whatever it started has the fixture's file mapped, or is a worker by name.
enum Leftovers {
    /// Waits a moment for those that are about to end, and ends the others.
    ///
    /// - Parameter host: the process that was run, which has ended.
    /// - Returns: whether there were any.
    static func end(of host: Int32, directory: String) -> Bool {
        let deadline = ContinuousClock.now + .seconds(1)
        while true {
            let found = Set(ChildProcess.workers(of: [host]) + ChildProcess.users(of: directory))
            if found.isEmpty { return false }
            if ContinuousClock.now > deadline {
                for id in found { kill(id, SIGKILL) }
                return true
            }
            usleep(10_000)
        }
    }
}
