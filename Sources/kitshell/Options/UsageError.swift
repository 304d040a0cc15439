// SPDX-License-Identifier: Apache-2.0

/// A command line that cannot be carried out: nothing has run, the exit status is 2.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, naming the option and the value.
    package var message: String
    /// What would be right.
    package var hint: String

    package init(_ message: String, hint: String) {
        self.message = message
        self.hint = hint
    }

    /// A word that is none of `valid`, which are all named.
    ///
    /// - Parameter what: what the word stands for: `command`, `value of --speed`, `strategy`.
    package init(unknown what: String, _ word: String, valid: [String]) {
        let list = valid.joined(separator: ", ")
        self.init(
            "unknown \(what) '\(word)'",
            hint: NearestWord.find(for: word, in: valid).map { "did you mean '\($0)'? Valid: \(list)" }
                ?? "valid: \(list)")
    }

    /// Message and hint as a terminal shows them after the program's name, in 80 columns.
    package var text: String {
        let prefix = "kitshell: "
        let lines = HelpText.wrap(prefix + message, to: HelpText.width - 2).joined(separator: "\n  ")
        return lines.dropFirst(prefix.count) + HelpText.hint(hint)
    }

    package var description: String { "\(message); \(hint)" }
}
