// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A named thread that runs one loop of a player, and must be joined once.
///
/// Thread: any, one caller of `join`.
package struct MediaThread: Sendable {
    private let thread: pthread_t

    /// Starts the thread with every signal blocked: signals are for the process's own threads.
    ///
    /// - Parameter name: up to 15 bytes.
    package init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(PlayerError) {
        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let status = unsafe pthread_create(&thread, nil, threadThunk, start.toOpaque())
        guard status == 0 else {
            unsafe start.release()
            throw PlayerError(
                .outOfMemory, "Cannot start the thread \(name)",
                hint: "Raise the limit of threads or play less at once.",
                cause: unsafe String(cString: strerror(status)))
        }
        self.thread = thread
    }

    /// Waits for the end, however long it takes.
    package func join() {
        pthread_join(thread, nil)
    }

    /// Waits for the end.
    ///
    /// - Returns: false if it did not come in time; the thread then goes on alone and frees itself.
    package func join(withinMilliseconds limit: Int) -> Bool {
        let until = monotonicMicroseconds() + Int64(limit) * 1000
        var moment = clinux_moment(seconds: Int(until / 1_000_000), nanoseconds: Int(until % 1_000_000) * 1000)
        guard unsafe clinux_join_thread(thread, &moment) != 0 else { return true }
        pthread_detach(thread)
        return false
    }

    fileprivate final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}

private func threadThunk(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    let start = unsafe Unmanaged<MediaThread.Start>.fromOpaque(argument).takeRetainedValue()
    var signals = sigset_t()
    unsafe sigfillset(&signals)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    _ = unsafe clinux_set_thread_name(start.name)
    start.body()
    return nil
}
