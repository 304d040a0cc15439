// SPDX-License-Identifier: Apache-2.0

/// The options that a plugin's option note declares: what may be set, and what it is created with if nothing is.
package struct OptionTable: Hashable, Sendable {
    /// What a value is.
    package enum ValueType: String, CaseIterable, Sendable {
        case int
        case double
        case string
        case flag
        case duration
    }

    /// One declared option.
    package struct Option: Hashable, Sendable {
        /// `[a-z][a-z0-9_]*`, at most 64 bytes.
        package var key: String
        package var type: ValueType
        /// Whether it holds any number of values.
        package var isList: Bool
        /// What it is when nothing is set; nil if it is then left out. One value unless it is a list.
        package var defaults: [PluginOption.Value]?
        /// Inclusive bounds; nil is unbounded.
        package var minimum: PluginOption.Value?
        package var maximum: PluginOption.Value?
        /// The only values allowed; empty if any is.
        package var choices: [PluginOption.Value]
        /// One line for people; may be empty.
        package var help: String
    }

    /// In the order of the note.
    package var options: [Option] = []
    /// Members of descriptions that this host does not know and ignores, as in `every.unit`.
    package var unknownMembers: [String] = []

    /// A table without options.
    package init() {}

    package subscript(key: String) -> Option? {
        options.first { $0.key == key }
    }
}

extension OptionTable.Option {
    /// Says what is wrong with one value; nil if it is allowed. The value has this option's type.
    func objection(to value: PluginOption.Value) -> String? {
        if !choices.isEmpty, !choices.contains(value) {
            return "it must be one of \(choices.map(\.text).joined(separator: ", "))"
        }
        if let minimum, value.isLess(than: minimum) { return "the least is \(minimum.text)" }
        if let maximum, maximum.isLess(than: value) { return "the most is \(maximum.text)" }
        return nil
    }
}

extension PluginOption.Value {
    /// As a user writes it; durations in milliseconds.
    package var text: String {
        switch self {
        case .int(let value): String(value)
        case .double(let value): String(value)
        case .string(let value): value
        case .flag(let value): String(value)
        case .duration(let value): milliseconds(value)
        }
    }

    /// Whether both are numbers of one type and this one is smaller.
    fileprivate func isLess(than other: PluginOption.Value) -> Bool {
        switch (self, other) {
        case (.int(let left), .int(let right)), (.duration(let left), .duration(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        default: false
        }
    }

    private func milliseconds(_ microseconds: Int64) -> String {
        let (whole, part) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        var text = "\(microseconds < 0 ? "-" : "")\(whole)"
        if part != 0 {
            var digits = String(part + 1000).dropFirst()
            while digits.last == "0" { digits.removeLast() }
            text += "." + digits
        }
        return text
    }
}
