// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Monotonic time plus the waits skipped: once all media threads wait and one of them waits for a moment, it is that moment.
///
/// A thread that was raised counts as running from the raise on, so time never moves past what it has yet to do. A thread blocked in
/// anything but this clock counts as running: reading, decoding and posting cost real time.
///
/// Thread: any.
package final class VirtualClock: MediaClock, Sendable {
    private let threads = Threads()

    package init() {}

    package var skipsWaits: Bool { true }

    package func now() -> EventTime { threads.now() }

    package func makeSignal() -> any MediaSignal { Signal(threads) }

    /// All media threads of one clock and the time they share.
    private final class Threads: @unchecked Sendable {
        let lock = ThreadLock()
        private let skipped = Atomic<Int64>(0)
        // Only with `lock` held.
        private var running = 0
        private var waiting: [Signal] = []

        func now() -> EventTime {
            EventTime(microseconds: monotonicMicroseconds() &+ skipped.load(ordering: .acquiring))
        }

        /// The moment of the monotonic clock at which event time will be `time` unless more is skipped.
        func monotonic(_ time: EventTime) -> Int64 {
            time.microseconds &- skipped.load(ordering: .acquiring)
        }

        func begin() {
            running += 1
        }

        func end() {
            running -= 1
            skip()
        }

        func block(_ signal: Signal) {
            running -= 1
            waiting.append(signal)
            skip()
        }

        /// Makes a waiting thread a running one before it has woken.
        func resume(_ signal: Signal) {
            guard let index = waiting.firstIndex(where: { $0 === signal }) else { return }
            waiting.remove(at: index)
            running += 1
            signal.unblock()
        }

        private func skip() {
            guard running == 0, let earliest = waiting.lazy.compactMap(\.deadline).min() else { return }
            let wait = earliest - now()
            if wait > 0 { skipped.add(wait, ordering: .acquiringAndReleasing) }
            // From the last on, since those that are resumed leave the list.
            for index in waiting.indices.reversed() {
                let signal = waiting[index]
                if let deadline = signal.deadline, deadline <= earliest { resume(signal) }
            }
        }
    }

    private final class Signal: MediaSignal, @unchecked Sendable {
        private let threads: Threads
        private let condition = ThreadCondition()
        // Only with the threads' lock held.
        private(set) var deadline: EventTime?
        private var isBlocked = false
        private var isRaised = false
        private var hasLeft = false

        init(_ threads: Threads) {
            self.threads = threads
            threads.lock.withLock { threads.begin() }
        }

        deinit {
            leave()
        }

        func unblock() {
            isBlocked = false
            condition.signal()
        }

        func raise() {
            threads.lock.withLock {
                isRaised = true
                if isBlocked { threads.resume(self) }
            }
        }

        func wait(until deadline: EventTime?) {
            threads.lock.withLock {
                if !isRaised && !hasLeft && deadline.map({ threads.now() < $0 }) ?? true {
                    self.deadline = deadline
                    isBlocked = true
                    threads.block(self)
                    while isBlocked {
                        if let deadline, threads.now() >= deadline {
                            threads.resume(self)
                        } else {
                            condition.wait(threads.lock, until: deadline.map(threads.monotonic))
                        }
                    }
                }
                isRaised = false
            }
        }

        func leave() {
            threads.lock.withLock {
                guard !hasLeft else { return }
                hasLeft = true
                if isBlocked { threads.resume(self) }
                threads.end()
            }
        }
    }
}
