// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore
internal import Synchronization

/// Turns the first SIGINT, SIGTERM or SIGHUP into a call and the second into an immediate end of the process.
///
/// The signals are blocked in the thread that makes the watcher, so it must be made before any other thread is started; they are then
/// received by one thread of its own, which may do what a signal handler may not. A SIGHUP that the process was started to ignore, as
/// with `nohup`, stays ignored.
final class InterruptWatcher: Sendable {
    private let first = Atomic<Int32>(0)

    /// How a process ends that a signal has come to; nil until one does.
    var status: ExitStatus? { InterruptWatcher.status(of: first.load(ordering: .sequentiallyConsistent)) }

    /// - Parameter onFirst: called once, on the watcher's thread.
    init(onFirst: @escaping @Sendable () -> Void) {
        // Each call is a plain libc call on a set that lives in this frame.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGINT)
        unsafe sigaddset(&signals, SIGTERM)
        if !InterruptWatcher.isHangUpIgnored { unsafe sigaddset(&signals, SIGHUP) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        let awaited = signals
        PlainThread.start("kit-signals") { [self] in
            while true {
                var received: Int32 = 0
                var signals = awaited
                guard unsafe sigwait(&signals, &received) == 0 else { return }
                let (isFirst, _) = first.compareExchange(
                    expected: 0, desired: received, ordering: .sequentiallyConsistent)
                if isFirst {
                    onFirst()
                } else if let status = InterruptWatcher.status(of: received) {
                    _exit(status.rawValue)
                }
            }
        }
    }

    private static func status(of signal: Int32) -> ExitStatus? {
        switch signal {
        case SIGHUP: .hungUp
        case SIGINT: .interrupted
        case SIGTERM: .terminated
        default: nil
        }
    }

    private static var isHangUpIgnored: Bool {
        var action = sigaction()
        guard unsafe sigaction(SIGHUP, nil, &action) == 0 else { return false }
        // Not to be called: the handler's place holds a number here.
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        let ignored = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return handler == ignored
    }
}
