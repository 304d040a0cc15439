// SPDX-License-Identifier: Apache-2.0

/// What the process says to its caller. Of 1, 3 and 4 the smallest that applies wins.
enum ExitStatus: Int32 {
    /// Everything played and every strategy stayed healthy.
    case success = 0
    /// A source failed to play, an output could not be written, or the doctor found a problem.
    case sourceFailed = 1
    /// Usage or configuration error; nothing ran.
    case usage = 2
    /// Everything played, but a strategy was refused, failed or was quarantined.
    case strategyFailed = 3
    /// A session of the report did not meet an expectation.
    case expectationFailed = 4
    /// A signal ended it early: 128 and its number, as shells have it.
    case hungUp = 129
    case interrupted = 130
    case terminated = 143

    /// This one unless the other outranks it.
    func or(_ other: ExitStatus, if condition: Bool) -> ExitStatus {
        guard condition else { return self }
        return self == .success || other.rawValue < rawValue ? other : self
    }
}
