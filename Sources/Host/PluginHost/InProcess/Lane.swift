// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
import Synchronization

/// The thread of one stranger's instance in this process: jobs run on it one after the other, and nobody waits for it but with a
/// deadline. A lane whose call does not come back is abandoned; its thread ends when the call returns, if it ever does.
///
/// Thread: any.
final class Lane: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isBusy = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let changed = Gate()
    private let watch: CallWatch

    /// Starts the thread. It keeps the lane alive until `close`.
    init(watch: CallWatch) {
        self.watch = watch
        PlainThread.start("kit-lane") { self.run() }
    }

    /// Queues a job; without effect on a closed lane. The caller bounds how many.
    func submit(_ job: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if !state.isClosed { state.jobs.append(job) }
        }
        changed.signal()
    }

    /// Drops what is queued and takes nothing more; the thread runs this job and ends.
    func close(with last: (@Sendable () -> Void)? = nil) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            state.jobs = last.map { [$0] } ?? []
        }
        changed.signal()
    }

    /// Waits until nothing is queued or running, the lane is abandoned, or the real time is up.
    ///
    /// - Returns: whether nothing is queued or running.
    func waitUntilIdle(milliseconds: Int) -> Bool {
        changed.wait(milliseconds: milliseconds) {
            watch.isAbandoned || state.withLock { !$0.isBusy && $0.jobs.isEmpty }
        } && state.withLock { !$0.isBusy && $0.jobs.isEmpty }
    }

    private func run() {
        while let job = next() {
            job()
            state.withLock { $0.isBusy = false }
            changed.signal()
        }
    }

    /// Waits for the next job; nil when the lane ends.
    private func next() -> (@Sendable () -> Void)? {
        changed.wait { watch.isAbandoned || state.withLock { $0.isClosed || !$0.jobs.isEmpty } }
        return state.withLock { state in
            if watch.isAbandoned { state.jobs = [] }
            guard !state.jobs.isEmpty else { return nil }
            state.isBusy = true
            return state.jobs.removeFirst()
        }
    }
}
