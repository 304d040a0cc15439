// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PlayerKit

/// `kitshell pool`.
enum PoolCommand {
    /// - Throws: `UsageError` or `PlayerError` if nothing ran.
    static func run(_ options: PoolOptions) throws -> ExitStatus {
        try options.withInstallation { try run(options, $0) }
    }

    private static func run(_ options: PoolOptions, _ installation: Installation) throws -> ExitStatus {
        // What the pool says of each command is in the answers.
        PlayerKit.isConsoleLogEnabled = false
        let script = try InputFile(
            path: options.script, hint: "Name a pool script or an event log, or '-' for standard input.")
        let run: PoolRun
        do throws(SelectionError) {
            run = try installation.makePoolRun(options.strategies)
        } catch {
            throw UsageError(error)
        }
        var isWritten = true
        let outcome = run.run(descriptor: script.descriptor) { answer in
            if StandardStreams.write(JSONWriter.text(answer) + "\n") { return true }
            isWritten = errno == EPIPE
            return false
        }
        if let failure = outcome.failure {
            let nearest = failure.unknown.flatMap { NearestWord.find(for: $0, in: failure.valid) }
            let hint = nearest.map { "did you mean '\($0)'? " } ?? ""
            StandardStreams.complain(
                "\(script.name):\(failure.line): \(failure.message)" + HelpText.hint(hint + failure.hint))
            return .usage
        }
        if !isWritten { StandardStreams.complain("standard output could not be written: \(SystemReason.last)") }
        let unhealthy = outcome.strategies.filter(\.isUnhealthy)
        for strategy in unhealthy {
            let detail = strategy.faults.first?.detail ?? "it is \(strategy.health.rawValue)"
            StandardStreams.complain("\(strategy.name): \(detail)")
        }
        return ExitStatus.success.or(.strategyFailed, if: !unhealthy.isEmpty).or(.sourceFailed, if: !isWritten)
    }
}
