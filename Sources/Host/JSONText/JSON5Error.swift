// SPDX-License-Identifier: Apache-2.0

/// Something in a text that JSON5 does not allow, and where.
package struct JSON5Error: Error, Hashable, Sendable {
    package var position: TextPosition
    /// What is wrong, one sentence without a full stop. Parts of the text in it are as they were written.
    package var message: String
    /// What would be right, without a full stop.
    package var hint: String

    package init(_ position: TextPosition, _ message: String, hint: String) {
        self.position = position
        self.message = message
        self.hint = hint
    }
}
