// SPDX-License-Identifier: Apache-2.0

/// What a command takes: the one table from which it is parsed and from which its help is printed.
package struct CommandTable<Options: CommandOptions>: Sendable {
    /// As it is typed: `play`, `plugin inspect`.
    package var name: String
    /// How help shows the operands: `[SOURCE…]`.
    package var operands: String
    /// One sentence, no full stop.
    package var summary: String
    /// What comes after `kitshell ` in the example.
    package var example: String
    package var groups: [OptionGroup<Options>]

    /// All options in the order of help.
    package var rows: [OptionRow<Options>] { groups.flatMap(\.rows) }

    /// Reads the arguments that follow the command's name; nil if they ask for help.
    package func parse(_ arguments: [String]) throws(UsageError) -> Options? {
        let rows = rows
        let found = OptionScanner.scan(arguments, for: rows.map(\.pattern) + [GlobalOption.help])
        if found.contains(where: { if case .option(rows.count, _) = $0 { true } else { false } }) { return nil }

        var options = Options()
        var operands: [Operand] = []
        var given: Set<Int> = []
        for argument in found {
            switch argument {
            case .option(let index, let value):
                let row = rows[index]
                guard given.insert(index).inserted || row.isRepeatable else {
                    throw UsageError("option --\(row.long) is given twice", hint: "give it once")
                }
                try row.apply(&options, value)
            case .operand(let text, let isLiteral):
                operands.append(Operand(text: text, isLiteral: isLiteral))
            case .unknown(let written):
                throw unknown(written)
            case .missingValue(let index):
                throw UsageError(
                    "option --\(rows[index].long) needs a value",
                    hint: "write --\(rows[index].long) \(rows[index].valueName ?? "")")
            case .unexpectedValue(let index):
                let long = index < rows.count ? rows[index].long : GlobalOption.help.long
                throw UsageError("option --\(long) takes no value", hint: "write --\(long) alone")
            }
        }
        try options.finish(operands)
        return options
    }

    private func unknown(_ written: String) -> UsageError {
        let names = rows.map(\.long) + [GlobalOption.help.long]
        let help = "'kitshell \(name) --help' lists the options"
        let nearest = written.hasPrefix("--") ? NearestWord.find(for: String(written.dropFirst(2)), in: names) : nil
        return UsageError(
            "unknown option '\(written)' of kitshell \(name)",
            hint: nearest.map { "did you mean '--\($0)'? \(help)" } ?? help)
    }

    /// The command's help, at most 80 columns wide.
    package var help: String {
        return HelpText.paragraph("usage: kitshell \(name) [OPTION…]\(operands.isEmpty ? "" : " ")\(operands)")
            + "\n" + HelpText.paragraph(summary.prefix(1).uppercased() + summary.dropFirst() + ".")
            + "\n" + options
            + "\nExample:\n  kitshell \(example)\n"
    }
}

extension CommandTable {
    private var options: String {
        var sections = groups.map { group in
            (title: group.title, rows: group.rows.map { (HelpText.option($0.long, $0.short, $0.valueName), $0.help) })
        }
        sections[sections.count - 1].rows.append((HelpText.option("help", "h", nil), "print this text"))
        return sections.map { ($0.title.map { "\($0):\n" } ?? "") + HelpText.columns($0.rows) }.joined(separator: "\n")
    }
}

/// What a table fills.
package protocol CommandOptions: Sendable {
    init()
    /// Takes the operands, checks their number, and what options demand of one another.
    mutating func finish(_ operands: [Operand]) throws(UsageError)
}

/// An argument that is no option.
package struct Operand: Hashable, Sendable {
    package var text: String
    /// Came after `--`.
    package var isLiteral: Bool

    package init(text: String, isLiteral: Bool = false) {
        self.text = text
        self.isLiteral = isLiteral
    }
}

extension [Operand] {
    /// Refuses them, for a command that takes none.
    func none(of command: String, hint: String) throws(UsageError) {
        guard let first else { return }
        throw UsageError("kitshell \(command) takes no operand, here is '\(first.text)'", hint: hint)
    }

    /// The one operand of a command that takes one.
    ///
    /// - Parameters:
    ///   - what: the operand, as in `list`.
    ///   - example: the command with it.
    ///   - several: what to do about a second one.
    func only(of command: String, _ what: String, example: String, several: String) throws(UsageError) -> String {
        guard let first, !first.text.isEmpty else {
            throw UsageError("kitshell \(command) needs a \(what)", hint: "write \(example); '-' reads standard input")
        }
        guard count == 1 else {
            throw UsageError(
                "kitshell \(command) takes one \(what), here is a second: '\(self[1].text)'", hint: several)
        }
        return first.text
    }
}

/// Options that every command has.
package enum GlobalOption {
    package static let help = ScannedArgument.Pattern(long: "help", short: "h", takesValue: false)
}
