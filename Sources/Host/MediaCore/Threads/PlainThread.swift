// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A detached thread of the operating system with a name.
package enum PlainThread {
    /// Starts a thread that runs `body` once. Traps if the process may not have another thread.
    ///
    /// - Parameter name: what `ps -T` shows; cut to 15 bytes.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let start = ThreadStart(name: name, body: body)
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        // The new thread takes the reference over in the first line that it runs.
        let argument = unsafe Unmanaged.passRetained(start).toOpaque()
        let status = unsafe pthread_create(&thread, &attributes, plainThreadThunk, argument)
        precondition(status == 0, "thread \(name) could not be started: error \(status)")
    }
}

private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

private func plainThreadThunk(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    let start = unsafe Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    let name = String(decoding: start.name.utf8.prefix(15), as: UTF8.self)
    _ = unsafe clinux_set_thread_name(name)
    start.body()
    return nil
}
