// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A flag one thread waits for and any thread raises: an eventfd, so raising costs the same whoever waits.
///
/// Thread: `raise` any, `wait` and `lower` one thread.
package final class EventSignal: Sendable {
    /// Readable while the signal is raised; for a thread that polls other descriptors too.
    package let descriptor: Int32

    package init() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        precondition(descriptor >= 0, "eventfd failed: \(errno); the process has no descriptors left")
    }

    deinit {
        close(descriptor)
    }

    package func raise() {
        var one: UInt64 = 1
        unsafe withUnsafePointer(to: &one) { _ = unsafe write(descriptor, $0, 8) }
    }

    /// Returns when the signal was raised or the time is up, and lowers it.
    func wait(milliseconds: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, milliseconds) > 0 else { return }
        lower()
    }

    package func lower() {
        var count: UInt64 = 0
        unsafe withUnsafeMutablePointer(to: &count) { _ = unsafe read(descriptor, $0, 8) }
    }
}
