// SPDX-License-Identifier: Apache-2.0

/// `kitshell doctor`.
package struct DoctorOptions: KeepsState, PrintsResults, Hashable {
    package var stateDirectory: String?
    package var output = OutputOptions()

    package init() {}

    package mutating func finish(_ operands: [Operand]) throws(UsageError) {
        try operands.none(of: Self.table.name, hint: "kitshell plugin inspect PATH looks at a plugin")
        output.finish()
    }

    package static let table = CommandTable<DoctorOptions>(
        name: "doctor", operands: "",
        summary: "tells what this machine offers and what is wrong with it; exits with 1 if something is",
        example: "doctor --report json",
        groups: [OptionGroup(rows: [stateDirectoryRow, reportRow, colorRow])])
}
