// SPDX-License-Identifier: Apache-2.0

internal import PlayerKit

// From what the kit says to what a person at a terminal is told.

extension UsageError {
    init(_ error: SelectionError) {
        let nearest = error.unknown.flatMap { NearestWord.find(for: $0, in: error.valid) }
        self.init(error.message, hint: nearest.map { "Did you mean '\($0)'? \(error.hint)" } ?? error.hint)
    }
}

extension OutputOptions {
    func configureLog() {
        if let logLevel { LogHub.shared.logLevel = logLevel }
    }

    /// Whether a form is wanted that shows sessions over time.
    var needsTraces: Bool { reports.contains { $0.format == .html } }

    /// A report on the terminal wants no lines drawn over it.
    var showsProgress: Bool { logLevel == nil || logLevel == .warn || logLevel == .error }
}

extension OutputOptions {
    /// Whether every session meets every expectation; what does not is said on stderr.
    ///
    /// - Parameter log: where the sessions come from, if that is not clear.
    func meetsExpectations(_ report: JSONValue, of log: String? = nil) -> Bool {
        let sessions = report["sessions"]?.array ?? []
        var isMet = true
        for expectation in expectations {
            let failures = expectation.failures(in: sessions)
            if failures.isEmpty { continue }
            isMet = false
            let place = log.map { "\($0): " } ?? ""
            StandardStreams.complain(
                place + "expectation '\(expectation.text)' does not hold\n  " + failures.joined(separator: "\n  "))
        }
        return isMet
    }
}

extension ExitStatus {
    /// What a run's report says to the caller.
    init(of report: PlaybackReport) {
        if report.sessions.contains(where: { $0.record.errors.contains(where: \.isFatal) }) {
            self = .sourceFailed
        } else if report.strategies.contains(where: \.isUnhealthy) {
            self = .strategyFailed
        } else {
            self = .success
        }
    }
}

extension PlaybackReport {
    /// What failed, a text each, for who gets no report.
    var failures: [String] {
        sessions.flatMap(\.record.errors).filter(\.isFatal)
            .map { TextFormat.clean($0.message) + HelpText.hint(TextFormat.clean($0.hint)) } + strategyFailures
    }

    /// The first fault of each strategy that is not healthy.
    var strategyFailures: [String] {
        strategies.filter(\.isUnhealthy).map {
            "strategy " + TextFormat.clean("\($0.name): \($0.faults.first?.detail ?? $0.health.rawValue)")
        }
    }
}

extension StrategyStatus {
    /// Refused, failed, or no longer running.
    var isUnhealthy: Bool { health != .running || !faults.isEmpty }
}
