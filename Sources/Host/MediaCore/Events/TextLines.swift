// SPDX-License-Identifier: Apache-2.0

/// The three lines that some events' text is made of; the last one takes what is left.
package struct TextLines {
    private let parts: [Substring]

    package init(_ text: String) {
        parts = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    }

    /// Empty for a line that is not there.
    package subscript(index: Int) -> String {
        index < parts.count ? String(parts[index]) : ""
    }

    /// The text of three lines; line feeds in the first two become spaces.
    package static func join(_ first: String, _ second: String, _ third: String) -> String {
        func flat(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
        return "\(flat(first))\n\(flat(second))\n\(third)"
    }
}
