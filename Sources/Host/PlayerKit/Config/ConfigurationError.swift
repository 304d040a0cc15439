// SPDX-License-Identifier: Apache-2.0

/// A configuration file that cannot be put in force: nothing of it is.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One thing that is wrong, and where.
    public struct Problem: Error, Hashable, Sendable {
        /// Counts from 1; nil if it is the file as a whole. The same holds for `column`, in characters.
        public var line: Int?
        public var column: Int?
        /// The path of the key, as in `monitors[0].options.every`; empty if it has none.
        public var key: String
        /// What is wrong, one sentence without a full stop.
        public var message: String
        /// What would be valid, without a full stop.
        public var hint: String
        /// The word that was not understood and those that would have been; for "did you mean".
        public var unknown: String?
        public var valid: [String]

        init(
            line: Int? = nil, column: Int? = nil, key: String = "", _ message: String, hint: String,
            unknown: String? = nil, valid: [String] = []
        ) {
            self.line = line
            self.column = column
            self.key = key
            self.message = message
            self.hint = hint
            self.unknown = unknown
            self.valid = valid
        }

        /// One line: `FILE:LINE:COLUMN: key.path: what is wrong; what would be valid`.
        ///
        /// - Parameter nearest: the word that was meant, if there is one.
        public func text(in file: String, nearest: String? = nil) -> String {
            let meant = nearest.map { "did you mean '\($0)'? " } ?? ""
            return statement(in: file) + "; " + (meant + hint).escapingControls
        }

        /// The line without what would be valid.
        func statement(in file: String) -> String {
            let place = [file, line.map { "\($0)" }, column.map { "\($0)" }].compactMap { $0 }.joined(separator: ":")
            return [place, key, message].filter { !$0.isEmpty }.joined(separator: ": ").escapingControls
        }
    }

    /// As it was given.
    public var file: String
    /// In the order of the file; at least one.
    public var problems: [Problem]

    /// A line for each problem.
    public var description: String { problems.map { $0.text(in: file) }.joined(separator: "\n") }
}
