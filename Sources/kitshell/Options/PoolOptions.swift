// SPDX-License-Identifier: Apache-2.0

package import PlayerKit

/// `kitshell pool`.
package struct PoolOptions: RunsStrategies, Hashable {
    package var strategies = StrategySelection()
    package var configFile: String?
    package var stateDirectory: String?
    /// A pool script or an event log; `-` is standard input.
    package var script = ""

    package init() {}

    package mutating func finish(_ operands: [Operand]) throws(UsageError) {
        script = try operands.only(
            of: "pool", "script", example: "kitshell pool SCRIPT", several: "run them one after the other")
    }

    package static let table = CommandTable<PoolOptions>(
        name: "pool", operands: "SCRIPT",
        summary:
            "runs a pool script against a lifecycle strategy, no media involved, and answers each command with a line of "
            + "JSON; an event log shows what that strategy would have decided; '-' reads standard input",
        example: "pool --lifecycle id-scoped-pool --set id-scoped-pool.max_pool_size=5 swipes.pool",
        groups: [
            OptionGroup(rows: [
                lifecycleRow,
                pluginRow,
                setRow,
                isolationRow,
                insecurePathRow,
                configRow,
                stateDirectoryRow,
            ])
        ])
}
