// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Where those wait who found a pool full: one at a time may try, in the order in which they came.
///
/// Thread: any.
final class PoolRoom: Sendable {
    private struct Seat {
        var number: UInt64
        /// There may be room: try.
        var isCalled = true
        var continuation: CheckedContinuation<Void, Never>?
    }

    private struct State {
        var seats: [Seat] = []
        var last: UInt64 = 0

        /// Who may go on now.
        mutating func next() -> CheckedContinuation<Void, Never>? {
            guard seats.first?.isCalled == true else { return nil }
            return seats[0].continuation.take()
        }
    }

    private let state = Mutex(State())

    /// How many wait and are not called.
    var parked: Int {
        state.withLock { state in state.seats.count { $0.continuation != nil } }
    }

    /// Takes a seat, the last; `leave` gives it back.
    func join() -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.seats.append(Seat(number: state.last))
            return state.last
        }
    }

    func leave(_ number: UInt64) {
        state.withLock { state in
            state.seats.removeAll { $0.number == number }
            return state.next()
        }?.resume()
    }

    /// Something left the pool or came back to it.
    func signal() {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.seats.isEmpty else { return nil }
            state.seats[0].isCalled = true
            return state.next()
        }?.resume()
    }

    /// Waits until there may be room for the holder of a seat, or its task is cancelled.
    func wait(_ number: UInt64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumed = state.withLock { state -> CheckedContinuation<Void, Never>? in
                    guard let place = state.seats.firstIndex(where: { $0.number == number }), !Task.isCancelled else {
                        return continuation
                    }
                    state.seats[place].continuation = continuation
                    return place == 0 ? state.next() : nil
                }
                resumed?.resume()
            }
            state.withLock { state in
                guard let place = state.seats.firstIndex(where: { $0.number == number }) else { return }
                state.seats[place].isCalled = false
            }
        } onCancel: {
            state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard let place = state.seats.firstIndex(where: { $0.number == number }) else { return nil }
                return state.seats[place].continuation.take()
            }?.resume()
        }
    }
}
