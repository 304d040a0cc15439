// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PlayerKit
internal import Synchronization

/// `kitshell replay`.
struct ReplayCommand {
    /// What came of one log.
    private enum Result {
        case replayed(ReplayRun.Outcome)
        /// It is no log or ends in the middle; that has been said.
        case malformed
    }

    private let options: ReplayOptions
    private let current = CurrentRun()

    init(_ options: ReplayOptions) {
        self.options = options
    }

    /// - Throws: `UsageError` or `PlayerError` if nothing ran.
    func run() throws -> ExitStatus {
        try options.withInstallation(run)
    }

    private func run(_ installation: Installation) throws -> ExitStatus {
        let outputs = try ReportOutputs(
            options.output,
            sparing: options.logs + options.strategies.plugins.map(\.path) + installation.configuration.files)
        let logs = try options.logs.map { try InputFile(path: $0) }
        let runs = try logs.map { _ in try makeRun(installation) }
        let interrupts = InterruptWatcher { [current] in current.interrupt() }
        return options.isSummary
            ? summarize(logs, runs, outputs, interrupts) : replay(logs[0], runs[0], outputs, interrupts)
    }

    private func makeRun(_ installation: Installation) throws(UsageError) -> ReplayRun {
        do throws(SelectionError) {
            return try installation.makeReplayRun(options.strategies)
        } catch {
            throw UsageError(error)
        }
    }

    private func replay(
        _ log: InputFile, _ run: ReplayRun, _ outputs: borrowing ReportOutputs, _ interrupts: InterruptWatcher
    ) -> ExitStatus {
        let lines = outputs.beginLines(isLossless: true)
        guard case .replayed(let outcome) = read(log, run, observer: lines) else {
            _ = outputs.finish(lines)
            return .usage
        }
        let report = outcome.report.json
        let isWritten = outputs.write(outcome.report, report, lines: lines)
        if options.output.reports.isEmpty { outcome.report.strategyFailures.forEach(StandardStreams.complain) }
        if let status = interrupts.status { return status }
        // What failed in the recorded run is no failure of this one.
        let isMet = options.output.meetsExpectations(report)
        return ExitStatus.success.or(.strategyFailed, if: outcome.report.strategies.contains(where: \.isUnhealthy))
            .or(.sourceFailed, if: !isWritten).or(.expectationFailed, if: !isMet)
    }

    private func summarize(
        _ logs: [InputFile], _ runs: [ReplayRun], _ outputs: borrowing ReportOutputs, _ interrupts: InterruptWatcher
    ) -> ExitStatus {
        var summary = SessionSummary()
        var metrics = MetricsReport()
        var status = ExitStatus.success
        for (log, run) in zip(logs, runs) where interrupts.status == nil {
            guard case .replayed(let outcome) = read(log, run, observer: nil) else { return .usage }
            let report = outcome.report.json
            for session in report["sessions"]?.array ?? [] { summary.add(session) }
            metrics.add(report)
            outcome.report.strategyFailures.forEach { StandardStreams.complain("\(log.name): \($0)") }
            status = status.or(.strategyFailed, if: outcome.report.strategies.contains(where: \.isUnhealthy))
                .or(.expectationFailed, if: !options.output.meetsExpectations(report, of: log.name))
        }
        let document = summary.json
        let isWritten = outputs.write { format, isColored in
            switch format {
            case .text: TextSummary.render(document, isColored: isColored)
            case .openmetrics: metrics.text
            default: JSONWriter.text(document, style: .pretty) + "\n"
            }
        }
        return interrupts.status ?? status.or(.sourceFailed, if: !isWritten)
    }

    /// Replays a log and says what was wrong with it.
    private func read(_ log: InputFile, _ run: ReplayRun, observer: (any RunObserver)?) -> Result {
        current.set(run)
        let outcome = run.run(
            descriptor: log.descriptor, keepGoing: options.keepsGoing, observer: observer,
            keepsTraces: options.output.needsTraces)
        if let failure = outcome.failure {
            StandardStreams.complain("\(log.name):\(failure.line): \(failure.message)" + HelpText.hint(failure.hint))
            return .malformed
        }
        let losses = LossesText.sentence(outcome.report.losses.json)
        if !losses.isEmpty { StandardStreams.complain("\(log.name): \(losses)") }
        return .replayed(outcome)
    }
}

/// The replay that an interrupt ends; one that begins later ends at once.
private final class CurrentRun: Sendable {
    private let state = Mutex<(run: ReplayRun?, isInterrupted: Bool)>((nil, false))

    func set(_ run: ReplayRun) {
        let isInterrupted = state.withLock { state in
            state.run = run
            return state.isInterrupted
        }
        if isInterrupted { run.interrupt() }
    }

    func interrupt() {
        let run = state.withLock { state in
            state.isInterrupted = true
            return state.run
        }
        run?.interrupt()
    }
}
