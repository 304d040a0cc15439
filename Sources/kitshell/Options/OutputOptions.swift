// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// Where results go and how much is said besides.
package struct OutputOptions: Hashable, Sendable {
    /// A form in which results are written.
    package enum Format: String, WordChoice {
        case text
        case json
        /// Lines of JSON as things happen.
        case jsonl
        case openmetrics
        case html
    }

    /// One form of the results and where it goes.
    package struct Report: Hashable, Sendable {
        package var format: Format
        /// nil: standard output.
        package var file: String?

        package init(_ format: Format, file: String? = nil) {
            self.format = format
            self.file = file
        }
    }

    /// When text is coloured.
    package enum Color: String, WordChoice {
        case auto
        case always
        case never
    }

    /// Complete once parsed: the text on standard output unless another was asked for or all is to be quiet.
    package var reports: [Report] = []
    /// What every session of the report must meet.
    package var expectations: [Expectation] = []
    package var color = Color.auto
    /// nil: what the product has by default.
    package var logLevel: LogLevel?

    fileprivate var isQuiet = false

    package init() {}

    /// What stands for standard output where a file is asked for.
    package static let standardOutput = "-"

    /// - Parameter isStandardOutputTaken: whether something else is written there; the report then only goes where it was asked for.
    mutating func finish(isStandardOutputTaken: Bool = false) {
        if reports.isEmpty, !isQuiet, !isStandardOutputTaken { reports = [Report(.text)] }
        if isQuiet, logLevel == nil { logLevel = .error }
    }
}

/// A command that prints results.
package protocol PrintsResults: CommandOptions {
    /// The forms in which it can.
    static var formats: [OutputOptions.Format] { get }
    var output: OutputOptions { get set }
}

extension RunsStrategies where Self: PrintsResults {
    package var logLevel: LogLevel? { output.logLevel }
}

extension PrintsResults {
    package static var formats: [OutputOptions.Format] { [.text, .json] }

    static var reportRow: OptionRow<Self> {
        .text(
            "report", "FORM[=FILE]", isRepeatable: true,
            help: "the form of the report and a file to write it to; repeatable; forms: "
                + formats.map(\.word).joined(separator: ", ")
                + (formats.contains(.jsonl)
                    ? " (default text, if nothing else goes to standard output)" : " (default text)")
        ) { (options, value) throws(UsageError) in
            let report = try OutputOptions.Report(argument: value, forms: formats)
            if options.output.reports.contains(where: { $0.file == report.file }) {
                let place = report.file.map { "to '\($0)'" } ?? "to standard output"
                throw UsageError(
                    "option --report: two reports would go \(place)",
                    hint: "write one of them elsewhere, as --report \(report.format.word)=FILE")
            }
            options.output.reports.append(report)
        }
    }

    static var expectRow: OptionRow<Self> {
        .text(
            "expect", "EXPR", isRepeatable: true,
            help: "exit with 4 unless every session of the report meets it, as 'first_frame.total_ms < 800'; repeatable"
        ) { (options, value) throws(UsageError) in
            options.output.expectations.append(try Expectation(value))
        }
    }

    static var colorRow: OptionRow<Self> {
        .choice(
            "color", OutputOptions.Color.self, help: "colour the text (default auto: on a terminal, without NO_COLOR)"
        ) {
            $0.output.color = $1
        }
    }

    static var logLevelRow: OptionRow<Self> {
        .text("log-level", "LEVEL", help: "least severe message to show: verbose, debug, info, warn, error, none") {
            (options, value) throws(UsageError) in
            guard let level = LogLevel(value) else {
                throw UsageError(unknown: "value of --log-level", value, valid: LogLevel.allCases.map(\.name))
            }
            options.output.logLevel = level
        }
    }

    static var quietRow: OptionRow<Self> {
        .flag("quiet", short: "q", help: "no report unless one is asked for, no messages but errors") {
            $0.output.isQuiet = true
        }
    }
}

extension OutputOptions.Report {
    /// Reads `FORMAT[=FILE]`.
    init(argument: String, forms: [OutputOptions.Format]) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let word = String(parts[0])
        guard let format = forms.first(where: { $0.word == word }) else {
            throw UsageError(unknown: "value of --report", word, valid: forms.map(\.word))
        }
        guard parts.count == 2 else {
            self.init(format)
            return
        }
        guard !parts[1].isEmpty else {
            throw UsageError(
                "option --report: no file after '\(argument)'", hint: "write --report \(format.word)=FILE")
        }
        self.init(format, file: parts[1] == OutputOptions.standardOutput ? nil : String(parts[1]))
    }
}
