// SPDX-License-Identifier: Apache-2.0

/// Text that is not the JSON that was expected, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counts from 1.
    public var line: Int
    /// Characters from the start of the line; counts from 1, 0 if it is not known.
    public var column: Int
    /// Bytes from the start of the text.
    public var offset: Int
    /// What is wrong, one sentence without a full stop.
    public var message: String

    public init(line: Int, column: Int, offset: Int, message: String) {
        self.line = line
        self.column = column
        self.offset = offset
        self.message = message
    }

    public var description: String { "line \(line), column \(column): \(message)" }
}
