// SPDX-License-Identifier: Apache-2.0

internal import PlayerKit

/// `kitshell plugin …`.
enum PluginCommand {
    static func list(_ options: PluginListOptions) throws -> ExitStatus {
        let paths = options.strategies.plugins.map(\.path)
        let outputs = try ReportOutputs(options.output, sparing: paths, text: PluginText.list)
        return write(
            try Installation().listPlugins(
                paths: paths, allowsInsecurePaths: options.strategies.allowsInsecurePaths),
            to: outputs)
    }

    static func inspect(_ options: PluginInspectOptions) throws -> ExitStatus {
        let outputs = try ReportOutputs(options.output, sparing: options.paths, text: PluginText.details)
        return write(
            PluginDocument.inspect(paths: options.paths, allowsInsecurePaths: options.allowsInsecurePaths),
            to: outputs)
    }

    private static func write(_ document: PluginDocument, to outputs: borrowing ReportOutputs) -> ExitStatus {
        let isWritten = outputs.write(document.json)
        return document.isAllAccepted ? (isWritten ? .success : .sourceFailed) : .strategyFailed
    }
}
