// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore
internal import Synchronization

/// Lets one operation at a time own a pool; later ones wait in the order they came.
///
/// Unlike a lock it may be held across calls into a policy or a factory: the thread that owns it may enter again, and
/// nothing else is blocked meanwhile but other operations of this pool.
final class PoolTicket: Sendable {
    /// A thread whose turn has not come.
    private struct Waiter {
        var thread: UInt
        /// Of its own, so that a turn wakes nobody else.
        var turn: Gate
    }

    private struct State {
        /// 0 means nobody.
        var owner: UInt = 0
        var depth = 0
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    /// Waits for its turn.
    ///
    /// - Returns: how often this thread owns the ticket now; more than 1 inside a callback of the pool.
    func enter() -> Int {
        let thread = UInt(pthread_self())
        let (depth, turn) = state.withLock { state -> (Int, Gate?) in
            if state.owner == thread || state.owner == 0 {
                state.owner = thread
                state.depth += 1
                return (state.depth, nil)
            }
            let turn = Gate()
            state.waiters.append(Waiter(thread: thread, turn: turn))
            return (1, turn)
        }
        turn?.wait { state.withLock { $0.owner == thread } }
        return depth
    }

    /// Hands the ticket to whoever has waited longest.
    func leave() {
        let next = state.withLock { state -> Gate? in
            state.depth -= 1
            guard state.depth == 0 else { return nil }
            state.owner = 0
            guard !state.waiters.isEmpty else { return nil }
            let next = state.waiters.removeFirst()
            state.owner = next.thread
            state.depth = 1
            return next.turn
        }
        next?.signal()
    }
}
