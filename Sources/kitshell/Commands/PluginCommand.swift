// SPDX-License-Identifier: Apache-2.0

internal import PlayerKit

/// `kitshell plugin …`.
enum PluginCommand {
    static func list(_ options: PluginListOptions) throws -> ExitStatus {
        let paths = options.strategies.plugins.map(\.path)
        let outputs = try ReportOutputs(options.output, sparing: paths)
        return write(
            try Installation().listPlugins(
                paths: paths, allowsInsecurePaths: options.strategies.allowsInsecurePaths),
            to: outputs, text: PluginText.list)
    }

    static func inspect(_ options: PluginInspectOptions) throws -> ExitStatus {
        let outputs = try ReportOutputs(options.output, sparing: options.paths)
        return write(
            PluginDocument.inspect(paths: options.paths, allowsInsecurePaths: options.allowsInsecurePaths),
            to: outputs, text: PluginText.details)
    }

    private static func write(
        _ document: PluginDocument, to outputs: borrowing ReportOutputs, text: (JSONValue, _ isColored: Bool) -> String
    ) -> ExitStatus {
        let isWritten = outputs.write { format, isColored in
            format == .text ? text(document.json, isColored) : JSONWriter.text(document.json, style: .pretty) + "\n"
        }
        return document.isAllAccepted ? (isWritten ? .success : .sourceFailed) : .strategyFailed
    }
}
