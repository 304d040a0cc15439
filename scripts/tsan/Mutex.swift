// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Stands in for `Synchronization.Mutex` under the thread sanitizer, which cannot see the futex inside the standard library's and would
/// report every use as a race. scripts/sanitize.sh puts this file into each module of the copy that it builds.
@safe struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    @safe private final class Storage {
        let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        var value: Value

        init(_ value: consuming Value) {
            self.value = value
            unsafe pthread_mutex_init(lock, nil)
        }

        deinit {
            unsafe pthread_mutex_destroy(lock)
            unsafe lock.deallocate()
        }
    }

    private let storage: Storage

    init(_ value: consuming sending Value) {
        storage = Storage(value)
    }

    borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(storage.lock)
        defer { unsafe pthread_mutex_unlock(storage.lock) }
        return try body(&storage.value)
    }
}
