// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerKit

/// `kitshell feed`.
enum FeedCommand {
    /// - Throws: `UsageError` or `PlayerError` if nothing ran.
    static func run(_ options: FeedOptions) throws -> ExitStatus {
        try options.withInstallation { try play(options.list, options, $0) }
    }

    /// Plays the feed that ships with the product.
    static func playDemo(_ options: FeedOptions, _ installation: Installation) throws -> ExitStatus {
        try play(try installation.demoFeed(), options, installation)
    }

    private static func play(
        _ path: String, _ options: FeedOptions, _ installation: Installation
    ) throws -> ExitStatus {
        let input = try InputFile(path: path, hint: "Name a list of sources, or '-' for standard input.")
        let list: FeedList
        do throws(InputFailure) {
            list = try FeedList(descriptor: input.descriptor, path: path == "-" ? nil : path)
        } catch {
            StandardStreams.complain("\(input.name):\(error.line): \(error.message)" + HelpText.hint(error.hint))
            return .usage
        }
        return try FeedPlayback(options, list, named: input.name, installation).run()
    }
}

/// A feed whose list has been read.
struct FeedPlayback {
    private let options: FeedOptions
    private let list: FeedList
    private let name: String
    private let settings: FeedSettings
    private let installation: Installation

    /// - Parameter name: what people call the list.
    init(_ options: FeedOptions, _ list: FeedList, named name: String, _ installation: Installation) {
        self.options = options
        self.list = list
        self.name = name
        self.installation = installation
        var settings = FeedSettings(
            models: list.sources.map { source in
                var model = options.model(of: source)
                model.sceneType = .videoList
                return model
            })
        settings.strategies = options.strategies
        settings.swipeEvery = .microseconds(options.swipeEvery.microseconds)
        settings.swipes = options.swipes
        settings.window = options.window
        settings.network = options.network
        self.settings = settings
    }

    /// - Throws: `UsageError` or `PlayerError` if nothing ran.
    func run() throws -> ExitStatus {
        let inputs =
            [name] + settings.models.compactMap(\.videoSource.filePath) + options.strategies.plugins.map(\.path)
            + installation.configuration.files
        let outputs = try ReportOutputs(options.output, sparing: inputs)
        return options.compared.isEmpty ? try play(outputs, sparing: inputs) : try compare(outputs)
    }

    private func play(_ outputs: borrowing ReportOutputs, sparing inputs: [String]) throws -> ExitStatus {
        var settings = settings
        let record = try options.recordFile.map { path throws(PlayerError) in
            try OutputFile(
                path: path, for: "--record", sparing: inputs + options.output.reports.compactMap(\.file))
        }
        settings.record = record?.output
        let progress = Progress(isWanted: Terminal.isInteractive && options.output.showsProgress)
        if let progress { LogHub.shared.console = { progress.log($0) } }
        let run = try makeRun(settings) { progress?.show($0) }
        record?.clear()
        let interrupts = InterruptWatcher { run.interrupt() }
        let result = run.run()
        progress?.clear()
        let isWritten = write(FeedReport.document(settings, list: name, runs: [result.report.json]), to: outputs)
        for failure in result.outputFailures { StandardStreams.complain("\(failure)") }
        return interrupts.status
            ?? ExitStatus(of: result.report.playback)
            .or(
                .sourceFailed,
                if: result.report.hasUnreachedSource || !result.outputFailures.isEmpty || !isWritten)
    }

    private func compare(_ outputs: borrowing ReportOutputs) throws -> ExitStatus {
        let selections = installation.selections(comparing: options.compared, in: options.strategies)
        // A strategy that cannot be had is found before the first one plays.
        for selection in selections {
            var settings = settings
            settings.strategies = selection
            _ = try makeRun(settings)
        }
        let comparison = FeedComparison(options, selections, list)
        let interrupts = InterruptWatcher { comparison.interrupt() }
        let result = comparison.run()
        let document = FeedReport.document(
            settings, list: name, runs: result.runs, isComparison: true,
            failures: result.failures.map { ($0.strategy, $0.message) })
        let isWritten = write(document, to: outputs)
        return interrupts.status ?? result.status.or(.sourceFailed, if: !isWritten)
    }

    private func makeRun(
        _ settings: FeedSettings, onItem: (@Sendable (FeedRun.Progress) -> Void)? = nil
    ) throws(UsageError) -> FeedRun {
        do throws(SelectionError) {
            return try installation.makeFeedRun(settings, onItem: onItem)
        } catch {
            throw UsageError(error)
        }
    }

    /// Writes every report; who wants none hears of what went wrong.
    ///
    /// - Returns: false if one could not be written; it has then been said.
    private func write(_ document: JSONValue, to outputs: borrowing ReportOutputs) -> Bool {
        if options.output.reports.isEmpty { FeedText.troubles(document).forEach(StandardStreams.complain) }
        return outputs.write { format, isColored in
            format == .json
                ? JSONWriter.text(document, style: .pretty) + "\n" : FeedText.render(document, isColored: isColored)
        }
    }
}
