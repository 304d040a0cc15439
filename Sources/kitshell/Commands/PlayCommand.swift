// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PlayerKit

/// `kitshell [play]`.
struct PlayCommand {
    private let options: PlayOptions

    init(_ options: PlayOptions) {
        self.options = options
    }

    /// - Throws: `UsageError` or `PlayerError` if nothing ran.
    func run() throws -> ExitStatus {
        try options.withInstallation(run)
    }

    private func run(_ installation: Installation) throws -> ExitStatus {
        if options.sources.isEmpty, try hasLifecycleStrategy(installation) {
            return try FeedCommand.playDemo(try options.demoFeed(), installation)
        }
        let sources = try options.sources.isEmpty ? [installation.demoClip()] : options.sources
        var settings = PlaySettings(models: sources.map(model))
        settings.strategies = options.strategies
        settings.isVirtualTime = options.speed == .max
        settings.until = until
        settings.playback = options.playback
        settings.network = options.network
        let inputs = sources + options.strategies.plugins.map(\.path) + installation.configuration.files
        let reports = try ReportOutputs(options.output, sparing: inputs)
        let files = try PlayFiles(options, sparing: inputs + options.output.reports.compactMap(\.file))
        settings.record = files.record?.output
        settings.pictures = files.pictures?.output
        settings.sound = files.sound?.output
        settings.frameHashes = files.frameHashes?.output
        settings.keepsTraces = options.output.needsTraces

        let progress = Progress(isWanted: Terminal.isInteractive && options.output.showsProgress, sources: sources)
        var onEvent: (@Sendable (PlayerEvent) -> Void)?
        if let progress {
            onEvent = { progress.show($0) }
            LogHub.shared.console = { progress.log($0) }
        }
        let run: PlayRun
        do throws(SelectionError) {
            run = try installation.makePlayRun(settings, onEvent: onEvent)
        } catch {
            throw UsageError(error)
        }
        files.clear()
        let interrupts = InterruptWatcher { run.interrupt() }
        let lines = reports.beginLines(isLossless: settings.isVirtualTime)
        let result = run.run(observer: lines)
        progress?.clear()
        let report = result.report.json
        let isWritten = reports.write(result.report, report, lines: lines)
        if options.output.reports.isEmpty { result.report.failures.forEach(StandardStreams.complain) }
        for failure in result.outputFailures { StandardStreams.complain("\(failure)") }
        if let status = interrupts.status { return status }
        let isMet = options.output.meetsExpectations(report)
        return ExitStatus(of: result.report)
            .or(.sourceFailed, if: !result.outputFailures.isEmpty || !isWritten).or(.expectationFailed, if: !isMet)
    }

    private func hasLifecycleStrategy(_ installation: Installation) throws(UsageError) -> Bool {
        do throws(SelectionError) {
            return try installation.hasLifecycleStrategy(options.strategies)
        } catch {
            throw UsageError(error)
        }
    }

    private func model(of source: String) -> PlayerModel {
        var model = options.model(of: source)
        model.autoPlay = options.autoplay
        model.startTime = options.start
        model.endTime = options.duration.map { duration in
            MediaTime(microseconds: (options.start ?? .zero).microseconds + duration.microseconds)
        }
        return model
    }

    /// Without autoplay nobody here would ever press play: being prepared is the end.
    private var until: PlaySettings.Until {
        switch options.until {
        case .end: options.autoplay ? .end : .prepared
        case .firstFrame: options.autoplay ? .firstFrame : .prepared
        case .prepared: .prepared
        }
    }
}
