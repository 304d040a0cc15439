// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore
internal import Synchronization

/// Lets one operation at a time own a pool, or one command at a time a player; later ones wait in the order they came.
///
/// Unlike a lock it may be held across calls into a policy, a factory or a player: the thread that owns it may enter again, and
/// nothing else is blocked meanwhile but who wants the same pool or player.
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

    /// Whether this thread owns it.
    var isOwnedByCaller: Bool { state.withLock { $0.depth > 0 && $0.owner == UInt(pthread_self()) } }

    /// Waits for its turn.
    ///
    /// - Returns: how often this thread owns the ticket now; more than 1 inside a callback of the pool.
    func enter() -> Int {
        let thread = UInt(pthread_self())
        let (depth, turn) = join(thread)
        turn?.wait { state.withLock { $0.owner == thread } }
        return depth
    }

    /// Waits until whoever owned it when this was called, or waited for it, has left, and leaves it as well.
    ///
    /// - Returns: false if that took longer.
    func passes(withinMilliseconds milliseconds: Int) -> Bool {
        let thread = UInt(pthread_self())
        let (_, turn) = join(thread)
        let isIn = turn?.wait(milliseconds: milliseconds) { state.withLock { $0.owner == thread } } ?? true
        let hasPassed =
            isIn
            || state.withLock { state in
                // Its turn may have come just now.
                state.waiters.removeAll { $0.turn === turn }
                return state.owner == thread
            }
        if hasPassed { leave() }
        return hasPassed
    }

    /// Owns it, or gets in line.
    ///
    /// - Returns: how often it owns it now, or will; and what tells it that its turn has come, if it has to wait.
    private func join(_ thread: UInt) -> (depth: Int, turn: Gate?) {
        state.withLock { state in
            if state.owner == thread || state.owner == 0 {
                state.owner = thread
                state.depth += 1
                return (state.depth, nil)
            }
            let turn = Gate()
            state.waiters.append(Waiter(thread: thread, turn: turn))
            return (1, turn)
        }
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
