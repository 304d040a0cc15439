// SPDX-License-Identifier: Apache-2.0

internal import PlayerKit

/// `kitshell doctor`.
enum DoctorCommand {
    static func run(_ options: DoctorOptions) throws -> ExitStatus {
        let outputs = try ReportOutputs(options.output, sparing: [])
        let report = DoctorReport.make(stateDirectory: options.chosenStateDirectory)
        let isWritten = outputs.write { format, isColored in
            format == .text
                ? DoctorText.render(report.json, isColored: isColored)
                : JSONWriter.text(report.json, style: .pretty) + "\n"
        }
        return report.isWell && isWritten ? .success : .sourceFailed
    }
}
