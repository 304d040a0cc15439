// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Knows which call into a plugin is running on a lane and when it is overdue. An overdue call is found by whoever looks next, the
/// lane itself included, so no thread has to watch; the answer is the same whoever finds it.
///
/// Thread: any.
final class CallWatch: Sendable {
    private struct State {
        var running: (name: String, due: RealTime)?
        var isAbandoned = false

        mutating func abandonIfOverdue(at now: RealTime) -> String? {
            guard let running, now > running.due, !isAbandoned else { return nil }
            isAbandoned = true
            return running.name
        }
    }

    private let state = Mutex(State())

    /// Whether a call did not come back in time; the plugin's instance is then never called again.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// The call that is running; nil if none is.
    var running: String? { state.withLock { $0.running?.name } }

    /// When the running call is overdue; nil if none runs.
    var due: RealTime? { state.withLock { $0.running?.due } }

    func begin(_ name: String, milliseconds: Int) {
        let due = RealTime.now() + milliseconds
        state.withLock { $0.running = (name, due) }
    }

    /// Tells that the call came back.
    ///
    /// - Returns: the call's name if it was late and nobody had found out.
    func end() -> String? {
        let now = RealTime.now()
        return state.withLock { state in
            defer { state.running = nil }
            return state.abandonIfOverdue(at: now)
        }
    }

    /// Looks whether the running call is overdue.
    ///
    /// - Returns: its name, once.
    func findOverdue() -> String? {
        let now = RealTime.now()
        return state.withLock { $0.abandonIfOverdue(at: now) }
    }

    /// Gives up although no call is overdue by its own deadline.
    ///
    /// - Returns: the running call's name, nil if none runs or it was abandoned before.
    func abandon() -> String? {
        state.withLock { state in
            guard let running = state.running, !state.isAbandoned else { return nil }
            state.isAbandoned = true
            return running.name
        }
    }
}
