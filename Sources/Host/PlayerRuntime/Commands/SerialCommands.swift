// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// Performs the commands of one controller one at a time, in the order they were given.
///
/// A command given from inside a callback of the host (a strategy's call, a monitor on the dispatcher's thread, another command)
/// is queued and performed as soon as that is over; from anywhere else it is performed before the call returns.
///
/// Thread: any.
final class SerialCommands: Sendable {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Performs `body`, or queues it.
    ///
    /// - Parameter queued: is told the result if it was queued.
    /// - Returns: nil if it was queued.
    func perform<Result: Sendable>(
        _ body: @escaping @Sendable () -> Result, queued: @escaping @Sendable (Result) -> Void = { _ in }
    ) -> Result? {
        guard ThreadMark.isSet else { return queue.sync { ThreadMark.set(during: body) } }
        queue.async { queued(ThreadMark.set(during: body)) }
        return nil
    }

    /// Queues `body` in any case.
    func performLater(_ body: @escaping @Sendable () -> Void) {
        queue.async { ThreadMark.set(during: body) }
    }
}
