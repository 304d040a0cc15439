// SPDX-License-Identifier: Apache-2.0

package import PlayerKit

/// `kitshell replay EVENTS.jsonl…`.
package struct ReplayOptions: RunsStrategies, PrintsResults, Hashable {
    /// Paths, or `-` for standard input. Several only for a summary.
    package var logs: [String] = []
    /// All sessions of the logs are summed up.
    package var isSummary = false
    package var strategies = StrategySelection()
    package var configFile: String?
    package var stateDirectory: String?
    package var output = OutputOptions()
    /// Counts malformed lines and goes on.
    package var keepsGoing = false

    package init() {}

    package static var formats: [OutputOptions.Format] { OutputOptions.Format.allCases }

    package mutating func finish(_ operands: [Operand]) throws(UsageError) {
        guard !operands.isEmpty, operands.allSatisfy({ !$0.text.isEmpty }) else {
            throw UsageError(
                "kitshell replay needs an event log",
                hint: "write kitshell replay EVENTS.jsonl, or '-' for standard input")
        }
        guard operands.count == 1 || isSummary else {
            throw UsageError(
                "kitshell replay takes one event log, \(operands.count) are given",
                hint: "write --summary to sum up the sessions of several logs")
        }
        logs = operands.map(\.text)
        guard logs.count(where: { $0 == "-" }) < 2 else {
            throw UsageError("standard input is given twice", hint: "give '-' once")
        }
        if isSummary, let other = output.reports.first(where: { !ReplayOptions.summaryForms.contains($0.format) }) {
            let forms = ReplayOptions.summaryForms.map(\.word).joined(separator: ", ")
            throw UsageError(
                "option --report: a summary has no form \(other.format.word)", hint: "valid with --summary: \(forms)")
        }
        output.finish()
    }

    private static let summaryForms: [OutputOptions.Format] = [.text, .json, .openmetrics]

    package static let table = CommandTable<ReplayOptions>(
        name: "replay", operands: "EVENTS.jsonl…",
        summary: "runs monitoring strategies over a recorded event log and prints the same report as play did; "
            + "'-' reads standard input",
        example: "replay --summary *.jsonl --expect 'stalls.ratio < 0.01'",
        groups: [
            OptionGroup(rows: [
                pluginRow,
                monitorRow,
                setRow,
                grantRow(),
                isolationRow,
                insecurePathRow,
                configRow,
                stateDirectoryRow,
                .flag("summary", help: "sum up the sessions of any number of logs: percentiles of every figure") {
                    $0.isSummary = true
                },
                .flag("keep-going", help: "count malformed lines and skip them") { $0.keepsGoing = true },
                reportRow,
                expectRow,
                colorRow,
                logLevelRow,
                quietRow,
            ])
        ])
}
