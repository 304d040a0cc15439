// SPDX-License-Identifier: Apache-2.0

/// What a user set for an option of a strategy, as text: `--set NAME.KEY=TEXT`.
package struct OptionSetting: Hashable, Sendable {
    package var key: String
    package var text: String

    package init(key: String, text: String) {
        self.key = key
        self.text = text
    }
}

/// A setting that the plugin's option table does not allow.
package struct OptionError: Error, Hashable, Sendable {
    package var key: String
    /// One sentence without a full stop.
    package var message: String
    /// What would be valid.
    package var hint: String
}

extension OptionTable {
    /// The options to create an instance with: every setting checked and typed, every default filled in, in the order of the table.
    ///
    /// The last of several settings of one key wins. Values of a list are separated by commas; durations are milliseconds.
    package func values(for settings: [OptionSetting]) throws(OptionError) -> [PluginOption] {
        for setting in settings where self[setting.key] == nil {
            throw OptionError(
                key: setting.key, message: "there is no option \(setting.key)",
                hint: options.isEmpty
                    ? "This strategy has no options." : "Its options are \(options.map(\.key).joined(separator: ", "))."
            )
        }
        var result: [PluginOption] = []
        for option in options {
            let values =
                if let setting = settings.last(where: { $0.key == option.key }) {
                    try option.values(of: setting.text)
                } else {
                    option.defaults ?? []
                }
            result += values.map { PluginOption(option.key, $0) }
        }
        return result
    }
}

extension OptionTable.Option {
    fileprivate func values(of text: String) throws(OptionError) -> [PluginOption.Value] {
        let parts =
            isList
            ? text.split(separator: ",", omittingEmptySubsequences: type != .string || text.isEmpty).map(String.init)
            : [text]
        var values: [PluginOption.Value] = []
        for part in parts {
            guard let value = value(of: part) else {
                throw OptionError(key: key, message: "\"\(part)\" is no value of option \(key)", hint: expectation)
            }
            if let objection = objection(to: value) {
                throw OptionError(key: key, message: "option \(key) cannot be \(part): \(objection)", hint: expectation)
            }
            values.append(value)
        }
        return values
    }

    private func value(of text: String) -> PluginOption.Value? {
        switch type {
        case .int: Int64(text).map { .int($0) }
        case .double: Double(text).flatMap { $0.isFinite ? .double($0) : nil }
        case .string: .string(text)
        case .flag:
            switch text {
            case "true", "1": .flag(true)
            case "false", "0": .flag(false)
            default: nil
            }
        case .duration: Double(text).flatMap { PluginOption.Value(milliseconds: $0) }
        }
    }

    /// What would be valid, one sentence.
    fileprivate var expectation: String { expectation(listedAs: "values, each %, separated by commas") }

    /// What would be valid, one sentence.
    ///
    /// - Parameter lists: how a list is written, with `%` for what its values are.
    package func expectation(listedAs lists: String) -> String {
        let what =
            switch type {
            case .int: "a whole number"
            case .double: "a number"
            case .string: "text"
            case .flag: "true or false"
            case .duration: "milliseconds"
            }
        let kind = isList ? lists.replacing("%", with: what) : what
        let least = minimum.map { ", at least \($0.text)" } ?? ""
        let most = maximum.map { ", at most \($0.text)" } ?? ""
        let only = choices.isEmpty ? "" : ", one of \(choices.map(\.text).joined(separator: ", "))"
        return "It takes \(kind)\(least)\(most)\(only)."
    }
}

extension PluginOption.Value {
    /// A duration, cut to whole microseconds; nil if it is not finite or beyond what a double counts exactly.
    init?(milliseconds: Double) {
        let microseconds = (milliseconds * 1000).rounded()
        guard microseconds.magnitude < 9_007_199_254_740_992 else { return nil }
        self = .duration(Int64(microseconds))
    }
}
