// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import PlayerKit

/// `kitshell config …`.
enum ConfigCommand {
    static func check(_ options: ConfigCheckOptions) -> ExitStatus {
        guard let place = ConfigurationPlace.find(given: options.file) else {
            let places = ConfigurationPlace.usualPaths.map(TextFormat.clean).joined(separator: " and ")
            return say("no configuration is in force; usual places are \(places)")
        }
        do throws(ConfigurationError) {
            let configuration = try Configuration(
                path: place.path, allowsInsecurePaths: options.allowsInsecurePaths)
            let notes = configuration.notes.map { $0.text(in: place.path) + "\n" }.joined()
            StandardStreams.write(notes, to: StandardStreams.error)
            return say("\(TextFormat.clean(place.path)): \(summary(configuration))")
        } catch {
            StandardStreams.write(error.lines.map { $0 + "\n" }.joined(), to: StandardStreams.error)
            return .usage
        }
    }

    /// - Throws: as `withInstallation`, and `UsageError` if the strategies cannot be had.
    static func show(_ options: ConfigShowOptions) throws -> ExitStatus {
        try options.withInstallation { installation in
            let inputs = installation.configuration.files + options.strategies.plugins.map(\.path)
            let outputs = try ReportOutputs(options.output, sparing: inputs)
            let settings: SettingsInForce
            do throws(SelectionError) {
                settings = try installation.settingsInForce(
                    options.strategies,
                    SettingsInForce.Arguments(
                        configuration: options.configFile, stateDirectory: options.stateDirectory,
                        logLevel: options.logLevel))
            } catch {
                throw UsageError(error)
            }
            let isWritten = outputs.write { format, isColored in
                format == .text
                    ? ConfigText.render(settings.json, isColored: isColored)
                    : JSONWriter.text(settings.json, style: .pretty) + "\n"
            }
            for refusal in settings.refusals {
                StandardStreams.complain(
                    TextFormat.clean(refusal.message) + HelpText.hint(TextFormat.clean(refusal.hint)))
            }
            if !isWritten { return .sourceFailed }
            return settings.refusals.isEmpty ? .success : .strategyFailed
        }
    }

    /// What a file that is right says, in a few words.
    private static func summary(_ configuration: Configuration) -> String {
        let lifecycle = configuration.lifecycle.map { "lifecycle \($0.name)" }
        let monitors = configuration.monitors.map { monitors in
            monitors.isEmpty ? "no monitors" : "monitors \(monitors.map(\.name).joined(separator: ", "))"
        }
        let parts = [lifecycle, monitors].compactMap { $0 }
        return "good" + (parts.isEmpty ? "" : "; ") + parts.joined(separator: "; ")
    }

    private static func say(_ line: String) -> ExitStatus {
        if StandardStreams.write(line + "\n") { return .success }
        StandardStreams.complain("standard output could not be written: \(SystemReason.last)")
        return .sourceFailed
    }
}
