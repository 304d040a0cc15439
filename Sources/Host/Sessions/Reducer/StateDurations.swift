// SPDX-License-Identifier: Apache-2.0

/// How long a session was in each state, in microseconds. The sum is the session's elapsed time.
public struct StateDurations: Hashable, Sendable {
    private var microseconds: [Int64]

    public init() {
        microseconds = Array(repeating: 0, count: SessionState.durationCount)
    }

    /// Microseconds in a state; 0 for terminal states, which have no duration.
    public internal(set) subscript(state: SessionState) -> Int64 {
        get { state.isTerminal ? 0 : microseconds[Int(state.rawValue)] }
        set { if !state.isTerminal { microseconds[Int(state.rawValue)] = newValue } }
    }

    public var sum: Int64 { microseconds.reduce(0, +) }
}
