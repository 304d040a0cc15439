// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A pthread mutex that conditions can be waited on with; `Mutex` of the standard library has none.
///
/// Thread: any.
@safe final class ThreadLock: @unchecked Sendable {
    // Written before sharing and freed by the last owner; pthread guards what it points to.
    fileprivate let pointer: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: pthread_mutex_t())
        let status = unsafe pthread_mutex_init(pointer, nil)
        precondition(status == 0, "pthread_mutex_init failed: \(status)")
    }

    deinit {
        unsafe pthread_mutex_destroy(pointer)
        unsafe pointer.deallocate()
    }

    func withLock<Result>(_ body: () -> Result) -> Result {
        unsafe pthread_mutex_lock(pointer)
        defer { unsafe pthread_mutex_unlock(pointer) }
        return body()
    }
}

/// A pthread condition on `CLOCK_MONOTONIC`.
///
/// Thread: any; `wait` with the lock held.
@safe final class ThreadCondition: @unchecked Sendable {
    // Written before sharing and freed by the last owner; pthread guards what it points to.
    private let pointer: UnsafeMutablePointer<pthread_cond_t>

    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        let status = unsafe pthread_cond_init(pointer, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
        precondition(status == 0, "pthread_cond_init failed: \(status)")
    }

    deinit {
        unsafe pthread_cond_destroy(pointer)
        unsafe pointer.deallocate()
    }

    func signal() {
        unsafe pthread_cond_signal(pointer)
    }

    func broadcast() {
        unsafe pthread_cond_broadcast(pointer)
    }

    /// Waits with `lock` given up; may return for no reason.
    ///
    /// - Parameter microseconds: a moment of `CLOCK_MONOTONIC`; nil waits for `signal` only.
    func wait(_ lock: ThreadLock, until microseconds: Int64?) {
        guard let microseconds else {
            unsafe pthread_cond_wait(pointer, lock.pointer)
            return
        }
        let moment = max(0, microseconds)
        var until = timespec(tv_sec: Int(moment / 1_000_000), tv_nsec: Int(moment % 1_000_000) * 1000)
        unsafe pthread_cond_timedwait(pointer, lock.pointer, &until)
    }
}

/// Real time that never goes back, in whole microseconds. For supervision; events take theirs from an `EventClock`.
package func monotonicMicroseconds() -> Int64 { microseconds(of: CLOCK_MONOTONIC) }

/// The same with the time that the machine slept.
func bootMicroseconds() -> Int64 { microseconds(of: CLOCK_BOOTTIME) }

private func microseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
}
