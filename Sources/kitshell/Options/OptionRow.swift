// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// One option of a command: how it is written, what it takes, what it is for, and where its value goes.
package struct OptionRow<Options>: Sendable {
    /// Without dashes.
    package var long: String
    package var short: Character?
    /// How help shows the value; nil for an option that takes none. Made only when help is shown: listing the words of a choice takes
    /// longer than reading a command line.
    private var makeValueName: (@Sendable () -> String)?
    /// Whether it may be given more than once.
    package var isRepeatable: Bool
    package var help: String
    /// Puts the value (empty for an option that takes none) into the options.
    package var apply: @Sendable (inout Options, String) throws(UsageError) -> Void

    /// An option that takes no value.
    package static func flag(
        _ long: String, short: Character? = nil, help: String, _ apply: @escaping @Sendable (inout Options) -> Void
    ) -> OptionRow {
        OptionRow(long: long, short: short, makeValueName: nil, isRepeatable: true, help: help) {
            (options, _) throws(UsageError) in apply(&options)
        }
    }

    /// An option whose value is any text but the empty one.
    package static func text(
        _ long: String, _ valueName: @autoclosure @escaping @Sendable () -> String, isRepeatable: Bool = false,
        help: String,
        _ apply: @escaping @Sendable (inout Options, String) throws(UsageError) -> Void
    ) -> OptionRow {
        OptionRow(long: long, short: nil, makeValueName: valueName, isRepeatable: isRepeatable, help: help) {
            (options, value) throws(UsageError) in
            guard !value.isEmpty else {
                throw UsageError("option --\(long) got an empty value", hint: "write --\(long) \(valueName())")
            }
            try apply(&options, value)
        }
    }

    /// An option whose value is one of a few words.
    package static func choice<Value: WordChoice>(
        _ long: String, _ type: Value.Type, help: String, _ apply: @escaping @Sendable (inout Options, Value) -> Void
    ) -> OptionRow {
        text(long, type.allCases.map(\.word).joined(separator: "|"), help: help) {
            (options, word) throws(UsageError) in apply(&options, try type.parse(word, of: "value of --\(long)"))
        }
    }

    package var valueName: String? { makeValueName?() }

    package var pattern: ScannedArgument.Pattern {
        ScannedArgument.Pattern(long: long, short: short, takesValue: makeValueName != nil)
    }
}

/// A value of an option that is one of a few words.
package protocol WordChoice: CaseIterable, Sendable {
    var word: String { get }
}

extension WordChoice {
    /// The case that `word` names.
    package static func parse(_ word: String, of what: String) throws(UsageError) -> Self {
        guard let value = allCases.first(where: { $0.word == word }) else {
            throw UsageError(unknown: what, word, valid: allCases.map(\.word))
        }
        return value
    }
}

extension WordChoice where Self: RawRepresentable<String> {
    package var word: String { rawValue }
}

extension NetworkType: WordChoice {
    package var word: String { "\(self)" }
}
