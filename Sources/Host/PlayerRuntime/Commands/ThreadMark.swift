// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Marks threads that must not wait for a command: the dispatcher's always, any other while it performs one or a pool asks a policy or a
/// factory on it.
///
/// Two threads can then never wait for each other through commands, whatever a callback calls.
enum ThreadMark {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = unsafe pthread_key_create(&key, nil)
        precondition(status == 0, "the process has no thread-local keys left: error \(status)")
        return key
    }()

    /// Whether this thread is marked.
    static var isSet: Bool { unsafe pthread_getspecific(key) != nil }

    /// Marks this thread while `body` runs.
    static func set<Result, Failure>(during body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let former = unsafe pthread_getspecific(key)
        unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
        defer { unsafe pthread_setspecific(key, former) }
        return try body()
    }
}
