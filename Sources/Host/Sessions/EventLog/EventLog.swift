// SPDX-License-Identifier: Apache-2.0

/// What writer and reader of event logs share.
package enum EventLog {
    /// The value of `schema` in a log's first line.
    package static let schema = "kitshell.events/1"
    /// Bytes of a line, at most.
    package static let longestLine = 1 << 20
    /// Stands before the number of a type that this version has no name for.
    static let unnamedPrefix = "type_"
}

/// What is wrong with an event log, and in which line.
package struct EventLogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counts from 1.
    package var line: Int
    /// What is wrong, without a full stop.
    package var message: String
    /// What to do next.
    package var hint: String

    package var description: String { "line \(line): \(message). \(hint)" }
}
