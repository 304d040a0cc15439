// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore
internal import Synchronization

/// Lets one operation at a time own a pool; later ones wait in the order they came.
///
/// Unlike a lock it may be held across calls into a policy or a factory: the thread that owns it may enter again, and
/// nothing else is blocked meanwhile but other operations of this pool.
final class PoolTicket: Sendable {
    private struct State {
        var next: UInt64 = 0
        var serving: UInt64 = 0
        /// 0 means nobody.
        var owner: UInt = 0
        var depth = 0
    }

    private let state = Mutex(State())
    private let turn = Gate()

    /// Waits for its turn.
    ///
    /// - Returns: how often this thread owns the ticket now; more than 1 inside a callback of the pool.
    func enter() -> Int {
        let thread = UInt(pthread_self())
        let (number, depth) = state.withLock { state -> (UInt64, Int) in
            if state.owner == thread {
                state.depth += 1
                return (0, state.depth)
            }
            state.next += 1
            return (state.next - 1, 0)
        }
        if depth > 0 { return depth }
        turn.wait {
            state.withLock { state in
                guard state.serving == number else { return false }
                state.owner = thread
                state.depth = 1
                return true
            }
        }
        return 1
    }

    func leave() {
        let isFree = state.withLock { state in
            state.depth -= 1
            guard state.depth == 0 else { return false }
            state.owner = 0
            state.serving += 1
            return true
        }
        if isFree { turn.signal() }
    }
}
