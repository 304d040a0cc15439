// SPDX-License-Identifier: Apache-2.0

internal import PlayerKit

// From what the kit says to what a person at a terminal is told.

extension UsageError {
    init(_ error: SelectionError) {
        let nearest = error.unknown.flatMap { NearestWord.find(for: $0, in: error.valid) }
        self.init(error.message, hint: nearest.map { "Did you mean '\($0)'? \(error.hint)" } ?? error.hint)
    }
}

extension ConfigurationError {
    /// A line for each problem, with the word that was meant.
    var lines: [String] {
        problems.map { problem in
            problem.text(
                in: file, nearest: problem.unknown.flatMap { NearestWord.find(for: $0, in: problem.valid) })
        }
    }
}

extension RunsStrategies {
    /// Reads the configuration, finds the product, does something with both, and ends it.
    ///
    /// - Throws: `ConfigurationError` for a file that cannot be put in force, `PlayerError` if the product cannot be found, or what `body`
    ///   throws.
    func withInstallation<Result>(_ body: (Installation) throws -> Result) throws -> Result {
        if let logLevel { LogHub.shared.logLevel = logLevel }
        let configuration = try configuration()
        let installation = try Installation(stateDirectory: chosenStateDirectory, configuration: configuration)
        defer { installation.end() }
        return try body(installation)
    }

    private func configuration() throws(ConfigurationError) -> Configuration {
        guard let place = ConfigurationPlace.find(given: configFile) else { return Configuration() }
        let configuration = try Configuration(
            path: place.path, allowsInsecurePaths: strategies.allowsInsecurePaths)
        if let level = logLevel ?? configuration.logLevel { LogHub.shared.logLevel = level }
        for note in configuration.notes { LogHub.shared.w("Configuration", note.text(in: place.path)) }
        return configuration
    }
}

extension Configuration {
    /// What it was read from and what it names: a run must not write over them.
    var files: [String] {
        [file].compactMap { $0 } + ([lifecycle].compactMap { $0 } + (monitors ?? [])).compactMap(\.path)
    }
}

extension OutputOptions {
    /// Whether a form is wanted that shows sessions over time.
    var needsTraces: Bool { reports.contains { $0.format == .html } }

    /// A report on the terminal wants no lines drawn over it.
    var showsProgress: Bool {
        guard let logLevel else { return LogHub.shared.logLevel >= .info }
        return logLevel == .warn || logLevel == .error
    }
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
