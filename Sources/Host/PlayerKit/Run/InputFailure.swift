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
    /// The word that was not understood and those that would have been; for "did you mean".
    public var unknown: String?
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

    public var description: String { "line \(line): \(message). \(hint)" }
}
