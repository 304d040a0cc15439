// SPDX-License-Identifier: Apache-2.0

package import PlayerKit

/// `kitshell config check [FILE]`.
package struct ConfigCheckOptions: CommandOptions, Hashable {
    /// nil: the one that is in force.
    package var file: String?
    /// Takes plugin files that others could have changed.
    package var allowsInsecurePaths = false

    package init() {}

    package mutating func finish(_ operands: [Operand]) throws(UsageError) {
        guard operands.count < 2, operands.allSatisfy({ !$0.text.isEmpty }) else {
            throw UsageError("kitshell config check takes one file", hint: "write kitshell config check FILE")
        }
        file = operands.first?.text
    }

    package static let table = CommandTable<ConfigCheckOptions>(
        name: "config check", operands: "[FILE]",
        summary:
            "checks a configuration file, or the one in force, with the plugins that it names, and runs none of them; tells "
            + "everything that is wrong and exits with 2 then",
        example: "config check ~/.config/kitshell/config.json",
        groups: [
            OptionGroup(rows: [
                .flag("insecure-path", help: "accept plugin files that others may write to") {
                    $0.allowsInsecurePaths = true
                }
            ])
        ])
}

/// `kitshell config schema`.
package struct ConfigSchemaOptions: CommandOptions, Hashable {
    package init() {}

    package mutating func finish(_ operands: [Operand]) throws(UsageError) {
        try operands.none(of: Self.table.name, hint: "kitshell config check FILE checks a file")
    }

    package static let table = CommandTable<ConfigSchemaOptions>(
        name: "config schema", operands: "",
        summary: "prints the JSON Schema of configuration files, for editors",
        example: "config schema > config.schema.json",
        groups: [OptionGroup(rows: [])])
}

/// `kitshell config show`.
package struct ConfigShowOptions: RunsStrategies, PrintsResults, Hashable {
    package var strategies = StrategySelection()
    package var configFile: String?
    package var stateDirectory: String?
    package var output = OutputOptions()

    package init() {}

    package mutating func finish(_ operands: [Operand]) throws(UsageError) {
        try operands.none(of: Self.table.name, hint: "a file is given with --config")
        output.finish()
    }

    package static let table = CommandTable<ConfigShowOptions>(
        name: "config show", operands: "",
        summary:
            "prints what would be in force, value by value, and who says so: the command line, the environment, a line of "
            + "the configuration file, or the defaults",
        example: "config show --lifecycle reuse-pool --set reuse-pool.max_pool_size=5",
        groups: [
            OptionGroup(rows: [
                configRow,
                pluginRow,
                lifecycleRow,
                monitorRow,
                setRow,
                grantRow(),
                isolationRow,
                insecurePathRow,
                stateDirectoryRow,
                reportRow,
                colorRow,
                logLevelRow,
            ])
        ])
}
