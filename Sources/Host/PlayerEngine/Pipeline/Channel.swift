// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// What goes through a channel: content in a shell that is used again.
protocol MediaUnit: ~Copyable, Sendable {
    /// Gives the content back; the shell stays.
    mutating func clear()
}

/// Units on their way from one media thread to the next, and the empty shells on their way back.
///
/// Bounds are the sender's business: it looks at `load` before it sends. A thread is woken only if it has said that it waits, so that
/// threads hand over in batches.
///
/// Thread: one sender, one receiver; `load` any.
final class Channel<Unit: MediaUnit & ~Copyable>: Sendable {
    /// What is on its way.
    struct Load {
        var count = 0
        /// As charged by the sender.
        var byteCount = 0
        /// Microseconds of media, as charged by the sender.
        var duration: Int64 = 0
    }

    private struct State: ~Copyable {
        var units = Ring<Charged>()
        var shells = Ring<Unit>()
        var load = Load()
        /// The receiver found nothing.
        var receiverWaits = false
        /// Up to this load the sender wants to hear of room; nil if it does not wait.
        var roomWanted: Load?

        /// So many shells are kept; what a burst has needed beyond that goes.
        static var shellLimit: Int { 4096 }

        /// Whether there is the room that the sender waits for; it waits no more then.
        mutating func takeRoom() -> Bool {
            guard let wanted = roomWanted,
                load.count <= wanted.count || load.byteCount <= wanted.byteCount || load.duration <= wanted.duration
            else { return false }
            roomWanted = nil
            return true
        }

        /// Books one unit out.
        mutating func discharge(_ unit: borrowing Charged) {
            load.count -= 1
            load.byteCount -= unit.byteCount
            load.duration -= unit.duration
        }
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

    // MARK: Sender

    func send(_ unit: consuming Unit, byteCount: Int = 0, duration: Int64 = 0) {
        var charged: Charged? = Charged(unit: unit, byteCount: byteCount, duration: duration)
        let isAwaited = state.withLock { state -> Bool in
            guard let next = charged.take() else { return false }
            state.units.append(next)
            // All that is on its way comes back, and the few that are elsewhere: then there is to be room without asking for memory.
            state.shells.reserve(min(2 * state.units.capacity, State.shellLimit))
            state.load.count += 1
            state.load.byteCount += byteCount
            state.load.duration += duration
            defer { state.receiverWaits = false }
            return state.receiverWaits
        }
        if isAwaited { receiver.raise() }
    }

    /// Has the sender woken once what is on its way is down to `load` in units, bytes or duration.
    func awaitRoom(below load: Load) {
        let hasRoom = state.withLock { state in
            state.roomWanted = load
            return state.takeRoom()
        }
        if hasRoom { sender.raise() }
    }

    /// Takes everything back that has not been received.
    func removeAll() {
        var taken = Ring<Charged>()
        state.withLock { state in
            swap(&state.units, &taken)
            state.load = Load()
        }
        while let next = taken.removeFirst() { recycle(next.unit) }
    }

    /// An empty shell that has come back, nil if there is none.
    func takeShell() -> Unit? {
        state.withLock { $0.shells.removeFirst() }
    }

    // MARK: Receiver

    /// nil if nothing is on its way now; the receiver is woken once something is.
    func receive() -> Unit? {
        var hasRoom = false
        let received = state.withLock { state -> Charged? in
            guard let next = state.units.removeFirst() else {
                state.receiverWaits = true
                return nil
            }
            state.discharge(next)
            hasRoom = state.takeRoom()
            return next
        }
        guard let received else { return nil }
        if hasRoom { sender.raise() }
        return received.unit
    }

    /// Gives a unit back for the sender to fill anew. Thread: either.
    func recycle(_ shell: consuming Unit) {
        shell.clear()
        var returned: Unit? = shell
        state.withLock { state in
            guard state.shells.count < State.shellLimit, let shell = returned.take() else { return }
            state.shells.append(shell)
        }
    }
}
