// SPDX-License-Identifier: Apache-2.0

package import PlayerKit

/// `kitshell replay EVENTS.jsonl`.
package struct ReplayOptions: RunsStrategies, PrintsResults, Hashable {
    /// A path, or `-` for standard input.
    package var log = ""
    package var strategies = StrategySelection()
    package var output = OutputOptions()
    /// Counts malformed lines and goes on.
    package var keepsGoing = false

    package init() {}

    package mutating func finish(_ operands: [Operand]) throws(UsageError) {
        guard operands.count == 1, !operands[0].text.isEmpty else {
            throw UsageError(
                operands.count > 1
                    ? "kitshell replay takes one event log, \(operands.count) are given"
                    : "kitshell replay needs an event log",
                hint: "write kitshell replay EVENTS.jsonl, or '-' for standard input")
        }
        log = operands[0].text
        output.finish()
    }

    package static let table = CommandTable<ReplayOptions>(
        name: "replay", operands: "EVENTS.jsonl",
        summary: "runs monitoring strategies over a recorded event log and prints the same report as play did; "
            + "'-' reads standard input",
        example: "replay events.jsonl --monitor first-frame --report json",
        groups: [
            OptionGroup(rows: [
                pluginRow,
                monitorRow,
                setRow,
                isolationRow,
                insecurePathRow,
                .flag("keep-going", help: "count malformed lines and skip them") { $0.keepsGoing = true },
                reportRow,
                expectRow,
                colorRow,
                logLevelRow,
                quietRow,
            ])
        ])
}
