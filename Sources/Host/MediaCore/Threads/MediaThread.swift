// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A named thread that runs one loop of a player, and must be joined once.
///
/// Thread: any, one caller of `join`.
package struct MediaThread: Sendable {
    private let thread: pthread_t
    private let work: Work

    /// Starts the thread with every signal blocked: signals are for the process's own threads.
    ///
    /// - Parameter name: up to 15 bytes.
    package init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(PlayerError) {
        let work = Work(name: name, body: body)
        let argument = unsafe Unmanaged.passRetained(work)
        var thread = pthread_t()
        let status = unsafe pthread_create(&thread, nil, threadThunk, argument.toOpaque())
        guard status == 0 else {
            unsafe argument.release()
            throw PlayerError(
                .outOfMemory, "Cannot start the thread \(name)",
                hint: "Raise the limit of threads or play less at once.", cause: "error \(status)")
        }
        self.thread = thread
        self.work = work
    }

    /// Waits for the end, however long it takes.
    package func join() {
        pthread_join(thread, nil)
    }

    /// Waits for the end.
    ///
    /// - Returns: false if it did not come in time; the thread then goes on alone and frees itself.
    package func join(withinMilliseconds limit: Int) -> Bool {
        guard work.waitForEnd(until: monotonicMicroseconds() + Int64(limit) * 1000) else {
            pthread_detach(thread)
            return false
        }
        pthread_join(thread, nil)
        return true
    }
}

/// What a thread does, and whether it has done it.
private final class Work: @unchecked Sendable {
    private let name: String
    private let body: @Sendable () -> Void
    private let lock = ThreadLock()
    private let end = ThreadCondition()
    // Only with `lock` held.
    private var hasEnded = false

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }

    func run() {
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        _ = unsafe clinux_set_thread_name(name)
        body()
        lock.withLock { hasEnded = true }
        end.signal()
    }

    /// - Parameter moment: of `monotonicMicroseconds`.
    func waitForEnd(until moment: Int64) -> Bool {
        lock.withLock {
            while !hasEnded && monotonicMicroseconds() < moment { end.wait(lock, until: moment) }
            return hasEnded
        }
    }
}

private func threadThunk(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
