// SPDX-License-Identifier: Apache-2.0

package import PlayerKit

/// `kitshell plugin list`.
package struct PluginListOptions: RunsStrategies, PrintsResults, Hashable {
    /// Only the plugin files to list besides the built-in ones are used.
    package var strategies = StrategySelection()
    package var configFile: String?
    package var stateDirectory: String?
    package var output = OutputOptions()

    package init() {}

    package mutating func finish(_ operands: [Operand]) throws(UsageError) {
        try operands.none(of: Self.table.name, hint: "kitshell plugin inspect PATH looks at one file")
        output.finish()
    }

    package static let table = CommandTable<PluginListOptions>(
        name: "plugin list", operands: "",
        summary: "lists every plugin that is found, and why a bad one is bad",
        example: "plugin list --report json",
        groups: [
            OptionGroup(rows: [
                pluginRow(help: "list this file too, without running any of it; repeatable"),
                .flag("insecure-path", help: "accept files that others may write to") {
                    $0.strategies.allowsInsecurePaths = true
                },
                configRow,
                stateDirectoryRow,
                reportRow,
                colorRow,
            ])
        ])
}

/// `kitshell plugin inspect PATH…`.
package struct PluginInspectOptions: PrintsResults, Hashable {
    package var paths: [String] = []
    package var output = OutputOptions()
    /// Says nothing of files that others could have changed.
    package var allowsInsecurePaths = false

    package init() {}

    package mutating func finish(_ operands: [Operand]) throws(UsageError) {
        guard !operands.isEmpty, operands.allSatisfy({ !$0.text.isEmpty }) else {
            throw UsageError(
                "kitshell plugin inspect needs a file", hint: "write kitshell plugin inspect PATH")
        }
        paths = operands.map(\.text)
        output.finish()
    }

    package static let table = CommandTable<PluginInspectOptions>(
        name: "plugin inspect", operands: "PATH…",
        summary: "reads plugin files without running any of them: notes, options, exports, imports, needs, verdict",
        example: "plugin inspect ./libcounter.so",
        groups: [
            OptionGroup(rows: [
                .flag("insecure-path", help: "accept files that others may write to") { $0.allowsInsecurePaths = true },
                reportRow,
                colorRow,
            ])
        ])
}

/// `kitshell plugin retry ID…`.
package struct PluginRetryOptions: KeepsState, Hashable {
    package var ids: [String] = []
    package var stateDirectory: String?

    package init() {}

    package mutating func finish(_ operands: [Operand]) throws(UsageError) {
        guard !operands.isEmpty, operands.allSatisfy({ !$0.text.isEmpty }) else {
            throw UsageError(
                "kitshell plugin retry needs the id of a plugin",
                hint: "write kitshell plugin retry ID; kitshell doctor lists the quarantined ones")
        }
        ids = operands.map(\.text)
    }

    package static let table = CommandTable<PluginRetryOptions>(
        name: "plugin retry", operands: "ID…",
        summary: "has a plugin run again that was quarantined because it kept failing",
        example: "plugin retry com.example.counter",
        groups: [OptionGroup(rows: [stateDirectoryRow])])
}
