// SPDX-License-Identifier: Apache-2.0

/// One thing found on a command line, in the order in which it was written.
package enum ScannedArgument: Hashable, Sendable {
    /// The option at `index` of the list that was scanned for; `value` is empty for one that takes none.
    case option(index: Int, value: String)
    /// Not an option. `isLiteral` after `--`, where nothing is one.
    case operand(String, isLiteral: Bool)
    /// Written like an option, known by no name. As written, without `=value`.
    case unknown(String)
    case missingValue(index: Int)
    case unexpectedValue(index: Int)

    /// What the scanner has to know of an option.
    package struct Pattern: Hashable, Sendable {
        /// Without dashes.
        package var long: String
        package var short: Character?
        package var takesValue: Bool

        package init(long: String, short: Character? = nil, takesValue: Bool) {
            self.long = long
            self.short = short
            self.takesValue = takesValue
        }
    }
}
