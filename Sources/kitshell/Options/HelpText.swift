// SPDX-License-Identifier: Apache-2.0

/// Lays out help in 80 columns.
package enum HelpText {
    package static let width = 80
    private static let indent = 2
    private static let column = 28

    /// `-q, --quiet`, `    --plugin [NAME=]PATH`.
    package static func option(_ long: String, _ short: Character?, _ valueName: String?) -> String {
        (short.map { "-\($0), " } ?? "    ") + "--" + long + (valueName.map { " " + $0 } ?? "")
    }

    /// Rows of a name and what it does; a name that is too wide has a line of its own.
    package static func columns(_ rows: [(name: String, text: String)]) -> String {
        rows.map { row in
            let name = String(repeating: " ", count: indent) + row.name
            let lines = wrap(row.text, to: width - column)
            let margin = String(repeating: " ", count: column)
            let fits = name.count + 2 <= column
            let first = fits ? name + String(repeating: " ", count: column - name.count) : name + "\n" + margin
            return first + lines.joined(separator: "\n" + margin) + "\n"
        }.joined()
    }

    /// What to do about an error: the lines under its message, each with a line feed before it; empty if there is nothing to say.
    package static func hint(_ text: String) -> String {
        guard !text.isEmpty else { return "" }
        return wrap(text, to: width - indent).map { "\n" + String(repeating: " ", count: indent) + $0 }.joined()
    }

    /// Words wrapped to the width.
    package static func paragraph(_ text: String) -> String {
        wrap(text, to: width).joined(separator: "\n") + "\n"
    }

    /// Lines of at most `width` columns; a longer word is left whole.
    package static func wrap(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        // Spaces in a row may be part of a name.
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty || lines.isEmpty { lines.append(line) }
        return lines
    }
}
