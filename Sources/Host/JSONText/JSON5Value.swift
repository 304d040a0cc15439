// SPDX-License-Identifier: Apache-2.0

/// A place in a text: the line, and the character (Unicode scalar) in it; both count from 1.
package struct TextPosition: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A value of a JSON5 text, and where it stands.
package struct JSON5Value: Hashable, Sendable {
    /// The value itself. Integers and other numbers are kept apart, as in `JSONValue`.
    package enum Content: Hashable, Sendable {
        case null
        case bool(Bool)
        case int(Int64)
        /// May be infinite or no number, which JSON5 can write.
        case double(Double)
        case string(String)
        case array([JSON5Value])
        case object([Member])
    }

    /// A key of an object with its value. A key that is repeated is there once, as it was written first.
    package struct Member: Hashable, Sendable {
        package var key: String
        package var keyPosition: TextPosition
        package var value: JSON5Value
    }

    package var content: Content
    /// Of its first character.
    package var position: TextPosition
}

extension JSON5Value {
    /// nil for other values; the same holds for the accessors below.
    package var string: String? {
        if case .string(let value) = content { value } else { nil }
    }

    /// A number that is whole, however it was written.
    package var int: Int64? {
        switch content {
        case .int(let value): value
        case .double(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// Any number that is finite.
    package var number: Double? {
        switch content {
        case .int(let value): Double(value)
        case .double(let value) where value.isFinite: value
        default: nil
        }
    }

    package var array: [JSON5Value]? {
        if case .array(let value) = content { value } else { nil }
    }

    package var members: [Member]? {
        if case .object(let value) = content { value } else { nil }
    }

    /// The value of a key of an object; nil for other values and missing keys.
    package subscript(key: String) -> JSON5Value? { members?.first { $0.key == key }?.value }
}
