// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore
internal import Synchronization

/// Turns the first SIGINT or SIGTERM into a call and the second into an immediate end of the process.
///
/// The signals are blocked in the thread that makes the watcher, so it must be made before any other thread is started; they are then
/// received by one thread of its own, which may do what a signal handler may not.
final class InterruptWatcher: Sendable {
    private let hasFiredOnce = Atomic<Bool>(false)

    /// Whether a signal has come.
    var hasFired: Bool { hasFiredOnce.load(ordering: .sequentiallyConsistent) }

    /// - Parameter onFirst: called once, on the watcher's thread.
    init(onFirst: @escaping @Sendable () -> Void) {
        // Each call is a plain libc call on a set that lives in this frame.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGINT)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        let awaited = signals
        PlainThread.start("kit-signals") { [self] in
            while true {
                var received: Int32 = 0
                var signals = awaited
                guard unsafe sigwait(&signals, &received) == 0 else { return }
                if hasFiredOnce.exchange(true, ordering: .sequentiallyConsistent) {
                    _exit(ExitStatus.interrupted.rawValue)
                }
                onFirst()
            }
        }
    }
}
