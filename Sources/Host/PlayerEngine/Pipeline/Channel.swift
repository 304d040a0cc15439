// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Units on their way from one media thread to the next, and the empty shells on their way back.
///
/// Bounds are the sender's business: it asks `load` before it sends.
///
/// Thread: one sender, one receiver; `load` any.
final class Channel<Unit: Sendable & ~Copyable>: Sendable {
    /// What is on its way.
    struct Load {
        var count = 0
        /// As charged by the sender.
        var byteCount = 0
        /// Microseconds of media, as charged by the sender.
        var duration: Int64 = 0
        /// Nothing will follow.
        var isFinished = false

        /// Everything has been taken and nothing will follow.
        var isExhausted: Bool { isFinished && count == 0 }
    }

    private struct State: ~Copyable {
        var units = Ring<Charged>()
        var shells = Ring<Unit>()
        var load = Load()
    }

    private struct Charged: ~Copyable, Sendable {
        var unit: Unit
        var byteCount: Int
        var duration: Int64
    }

    private let state = Mutex(State())
    private let sender: any MediaSignal
    private let receiver: any MediaSignal

    init(from sender: any MediaSignal, to receiver: any MediaSignal) {
        self.sender = sender
        self.receiver = receiver
    }

    var load: Load { state.withLock { $0.load } }

    func send(_ unit: consuming Unit, byteCount: Int = 0, duration: Int64 = 0) {
        var charged: Charged? = Charged(unit: unit, byteCount: byteCount, duration: duration)
        state.withLock { state in
            guard let next = charged.take() else { return }
            state.units.append(next)
            state.load.count += 1
            state.load.byteCount += byteCount
            state.load.duration += duration
        }
        receiver.raise()
    }

    /// Says that nothing will follow.
    func finish() {
        state.withLock { $0.load.isFinished = true }
        receiver.raise()
    }

    /// nil if nothing is on its way now.
    func receive() -> Unit? {
        let received = state.withLock { state -> Charged? in
            guard let next = state.units.removeFirst() else { return nil }
            state.load.count -= 1
            state.load.byteCount -= next.byteCount
            state.load.duration -= next.duration
            return next
        }
        guard let received else { return nil }
        sender.raise()
        return received.unit
    }

    /// Gives an empty shell back for the sender to fill.
    func recycle(_ shell: consuming Unit) {
        var returned: Unit? = shell
        state.withLock { state in
            guard let shell = returned.take() else { return }
            state.shells.append(shell)
        }
    }

    /// An empty shell that has come back, nil if there is none.
    func takeShell() -> Unit? {
        state.withLock { $0.shells.removeFirst() }
    }
}
