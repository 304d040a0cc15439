// SPDX-License-Identifier: Apache-2.0

internal import Sessions

/// A log, script or list that is malformed or cannot be read.
public struct InputFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counts from 1.
    public var line: Int
    /// What is wrong, without a full stop.
    public var message: String
    /// What to do next.
    public var hint: String
    /// The word that was not understood; for "did you mean".
    public var unknown: String?
    /// The words that would have been understood; empty if they cannot be listed.
    public var valid: [String] = []

    init(_ error: EventLogError) {
        self.init(line: error.line, message: error.message, hint: error.hint)
    }

    init(line: Int, message: String, hint: String, unknown: String? = nil, valid: [String] = []) {
        self.line = line
        self.message = message
        self.hint = hint
        self.unknown = unknown
        self.valid = valid
    }

    /// Where it is, what it is, and what to do next.
    public var description: String { "line \(line): \(message). \(hint)" }
}
