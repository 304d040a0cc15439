// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Writes to the state directory on a thread of its own, which ends when there is nothing to write.
///
/// Thread: any.
final class HealthWriter: Sendable {
    /// What waits at most; there is little to write, so that a disk which is slower than that is one that hangs.
    private static let mostWork = 256

    private struct State {
        var work: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let state = Mutex(State())
    private let changed = Gate()

    /// Has something written, in the order of the calls.
    ///
    /// - Returns: false if too much waits already.
    @discardableResult
    func run(_ work: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, mustStart) = state.withLock { state in
            guard state.work.count < HealthWriter.mostWork else { return (false, false) }
            state.work.append(work)
            defer { state.isRunning = true }
            return (true, !state.isRunning)
        }
        if mustStart { PlainThread.start("kit-health") { self.write() } }
        return isTaken
    }

    /// - Returns: false if the time was over before.
    func waitUntilIdle(milliseconds: Int) -> Bool {
        changed.wait(milliseconds: milliseconds) { self.state.withLock { !$0.isRunning } }
    }

    private func write() {
        while let work = next() { work() }
        changed.signal()
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.work.isEmpty else {
                state.isRunning = false
                return nil
            }
            return state.work.removeFirst()
        }
    }
}
