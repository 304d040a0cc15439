// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Tries of one network source that are left, and the waits between them.
///
/// Thread: the demux thread.
final class Retries {
    private let limit: Int
    /// Microseconds of event time.
    private let interval: Int64
    private let clock: any MediaClock
    private let signal: any MediaSignal
    private let interrupt: Interrupt
    private let onRetry: (_ attempt: Int, _ reason: String) -> Void
    private var count = 0

    /// - Parameters:
    ///   - signal: of the thread that waits.
    ///   - onRetry: told of each try before the wait for it; the first is 1, and again 1 once something has been read.
    init(
        _ configuration: PlayerConfiguration.Effective, clock: any MediaClock, signal: any MediaSignal,
        interrupt: Interrupt, onRetry: @escaping (_ attempt: Int, _ reason: String) -> Void
    ) {
        limit = configuration.networkRetryCount
        interval = configuration.networkRetryInterval.wholeMicroseconds
        self.clock = clock
        self.signal = signal
        self.interrupt = interrupt
        self.onRetry = onRetry
    }

    /// Waits until it may be tried again.
    ///
    /// - Returns: false if it must not: there were too many tries, the playback ends, or something else is to be read.
    func isAllowed(after reason: String) -> Bool {
        guard count < limit, !interrupt.isBroken else { return false }
        count += 1
        onRetry(count, reason)
        let end = clock.now() + interval
        while !interrupt.isBroken, clock.now() < end { signal.wait(until: end) }
        return !interrupt.isBroken
    }

    /// Something was read: the count begins anew.
    func succeed() {
        count = 0
    }
}
