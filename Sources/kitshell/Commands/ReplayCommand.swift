// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PlayerKit

/// `kitshell replay`.
struct ReplayCommand {
    private let options: ReplayOptions

    init(_ options: ReplayOptions) {
        self.options = options
    }

    /// - Throws: `UsageError` or `PlayerError` if nothing ran.
    func run() throws -> ExitStatus {
        options.output.configureLog()
        let installation = try Installation()
        let outputs = try ReportOutputs(
            options.output, sparing: [options.log] + options.strategies.plugins.map(\.path))
        let log = try InputFile(path: options.log)
        let run: ReplayRun
        do throws(SelectionError) {
            run = try installation.makeReplayRun(options.strategies)
        } catch {
            throw UsageError(error)
        }
        let interrupts = InterruptWatcher { run.interrupt() }
        let outcome = run.run(descriptor: log.descriptor, keepGoing: options.keepsGoing)
        if let failure = outcome.failure {
            StandardStreams.complain("\(options.log):\(failure.line): \(failure.message)\n  \(failure.hint)")
            return .usage
        }
        let report = outcome.report.json
        let isWritten = outputs.write(report)
        if options.output.reports.isEmpty { outcome.report.strategyFailures.forEach(StandardStreams.complain) }
        if outcome.skippedLines > 0 {
            let lines = TextFormat.count(Int(clamping: outcome.skippedLines), "malformed line")
            StandardStreams.complain("\(options.log): skipped \(lines)")
        }
        if interrupts.hasFired { return .interrupted }
        // What failed in the recorded run is no failure of this one.
        let isMet = options.output.meetsExpectations(report)
        return ExitStatus.success.or(.strategyFailed, if: outcome.report.strategies.contains(where: \.isUnhealthy))
            .or(.sourceFailed, if: !isWritten).or(.expectationFailed, if: !isMet)
    }
}
