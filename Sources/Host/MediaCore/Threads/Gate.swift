// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Where a thread waits until other threads have made something true: a condition variable with its mutex.
///
/// The state that the condition speaks of is guarded by its own lock; whoever changes it calls `signal` afterwards.
///
/// Thread: any.
@safe package final class Gate: @unchecked Sendable {
    // Both are initialised before the gate is shared and are touched through their own functions only.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(changed, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Wakes everybody who waits, to look again.
    package func signal() {
        unsafe pthread_mutex_lock(mutex)
        unsafe pthread_cond_broadcast(changed)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Waits until `condition` holds. It is called with the gate's mutex held and must only look at guarded state.
    package func wait(until condition: () -> Bool) {
        unsafe pthread_mutex_lock(mutex)
        while !condition() { unsafe pthread_cond_wait(changed, mutex) }
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Waits until `condition` holds or the real time is up.
    ///
    /// - Returns: whether it holds.
    package func wait(milliseconds: Int, until condition: () -> Bool) -> Bool {
        var deadline = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.tv_sec += milliseconds / 1000
        deadline.tv_nsec += milliseconds % 1000 * 1_000_000
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_sec += 1
            deadline.tv_nsec -= 1_000_000_000
        }
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while !condition() {
            if unsafe pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT { return condition() }
        }
        return true
    }
}
