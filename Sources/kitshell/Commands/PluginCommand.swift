// SPDX-License-Identifier: Apache-2.0

internal import PlayerKit

/// `kitshell plugin …`.
enum PluginCommand {
    static func list(_ options: PluginListOptions) throws -> ExitStatus {
        try options.withInstallation { installation in
            let paths = options.strategies.plugins.map(\.path)
            let outputs = try ReportOutputs(options.output, sparing: paths + installation.configuration.files)
            let document = installation.listPlugins(
                paths: paths, allowsInsecurePaths: options.strategies.allowsInsecurePaths)
            return write(document, to: outputs, text: PluginText.list)
        }
    }

    /// - Throws: `UsageError` for a plugin that is not quarantined, and then lifts none.
    static func retry(_ options: PluginRetryOptions) throws -> ExitStatus {
        guard let directory = options.chosenStateDirectory else {
            throw UsageError(
                "there is no home directory in which anything could be remembered", hint: "give --state-dir")
        }
        let known = Set(PluginQuarantine.all(in: directory).map(\.id)).sorted()
        if let id = options.ids.first(where: { !known.contains($0) }) {
            guard known.isEmpty else {
                throw UsageError(unknown: "quarantined plugin", TextFormat.clean(id), valid: known)
            }
            throw UsageError(
                "plugin '\(TextFormat.clean(id))' is not quarantined, and no other is",
                hint: "kitshell doctor shows where quarantines are kept")
        }
        var text = ""
        for id in options.ids {
            for lifted in try PluginQuarantine.lift(id, in: directory) {
                let signal = lifted.fault.signal.map { ", \($0)" } ?? ""
                let kind = lifted.fault.kind.rawValue.replacing("_", with: " ")
                text +=
                    TextFormat.clean(
                        "\(id) \(lifted.version) runs again; it was kept from it since \(lifted.since) (\(kind) in \(lifted.fault.during)\(signal))"
                    )
                    + "\n"
            }
        }
        return StandardStreams.write(text) ? .success : .sourceFailed
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
