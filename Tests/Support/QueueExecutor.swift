// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs tasks on a queue of its own: those that a test waits for must not stand in line behind tests that block.
package final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "test.tasks")

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
