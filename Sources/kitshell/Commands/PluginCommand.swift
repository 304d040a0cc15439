// SPDX-License-Identifier: Apache-2.0

internal import PlayerKit

/// `kitshell plugin …`.
enum PluginCommand {
    static func list(_ options: PluginListOptions) throws -> ExitStatus {
        let document = try Installation().listPlugins(
            paths: options.strategies.plugins.map(\.path),
            allowsInsecurePaths: options.strategies.allowsInsecurePaths)
        return try show(document, options.output, PluginText.list)
    }

    static func inspect(_ options: PluginInspectOptions) throws -> ExitStatus {
        let document = PluginDocument.inspect(paths: options.paths, allowsInsecurePaths: options.allowsInsecurePaths)
        return try show(document, options.output, PluginText.details)
    }

    private static func show(
        _ document: PluginDocument, _ output: OutputOptions, _ text: @escaping (JSONValue, Bool) -> String
    ) throws -> ExitStatus {
        let isWritten = try ReportOutputs(output, text: text).write(document.json)
        return document.isAllAccepted ? (isWritten ? .success : .sourceFailed) : .strategyFailed
    }
}
