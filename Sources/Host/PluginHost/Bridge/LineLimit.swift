// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
import Synchronization

/// The log of one plugin: lets so many lines through in a second of real time and counts the others.
///
/// Thread: any.
final class LineLimit: Sendable {
    static let maxPerSecond = 200

    private struct State {
        var second: UInt64 = 0
        var lines = 0
    }

    private let log: HostServices.Log
    private let state = Mutex(State())

    init(log: @escaping HostServices.Log) {
        self.log = log
    }

    /// Writes a line, unless there were too many in this second.
    func write(_ level: LogLevel, _ text: String) {
        let second = RealTime.now().nanoseconds / 1_000_000_000
        let (isKept, cut) = state.withLock { state -> (Bool, Int) in
            var cut = 0
            if state.second != second {
                cut = max(0, state.lines - LineLimit.maxPerSecond)
                state = State(second: second)
            }
            state.lines += 1
            return (state.lines <= LineLimit.maxPerSecond, cut)
        }
        if cut > 0 { log(.warn, "\(cut) log lines were cut: more than \(LineLimit.maxPerSecond) a second") }
        if isKept { log(level, text) }
    }
}
