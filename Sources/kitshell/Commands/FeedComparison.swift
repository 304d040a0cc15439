// SPDX-License-Identifier: Apache-2.0

package import PlayerKit
internal import Synchronization

/// A feed played under several strategies, one after the other, each in a process of its own: so the peak of its memory and what
/// it has warmed up are its own.
final class FeedComparison: Sendable {
    /// Why a strategy has no run.
    struct Failure: Error {
        var strategy: String
        /// One sentence without a full stop.
        var message: String
        var hint: String
    }

    private struct State {
        var current: ChildRun?
        var isInterrupted = false
    }

    private let options: FeedOptions
    private let selections: [StrategySelection]
    private let list: FeedList
    private let state = Mutex(State())

    /// - Parameter selections: one for each strategy.
    init(_ options: FeedOptions, _ selections: [StrategySelection], _ list: FeedList) {
        self.options = options
        self.selections = selections
        self.list = list
    }

    /// Ends the strategy that plays, with what it has seen so far, and lets none begin that has not. Thread: any.
    func interrupt() {
        let current = state.withLock { state in
            state.isInterrupted = true
            return state.current
        }
        current?.interrupt()
    }

    /// Plays the feed under each strategy.
    ///
    /// - Returns: an element of a document's `runs` for each that has one, why others have none, and the status of them all.
    func run() -> (runs: [JSONValue], failures: [Failure], status: ExitStatus) {
        // So that the first strategy does not read from the disk what later ones find in memory.
        FileCache.warm(list.sources.compactMap { VideoSource.url($0).filePath }) { state.withLock { $0.isInterrupted } }
        var (runs, failures, status) = ([JSONValue](), [Failure](), ExitStatus.success)
        for selection in selections {
            if state.withLock({ $0.isInterrupted }) { break }
            switch play(selection) {
            case .success(let (run, own)):
                runs.append(run)
                status = own == .success ? status : status.or(own, if: true)
            case .failure(let failure):
                StandardStreams.complain("\(failure.strategy): \(failure.message)" + HelpText.hint(failure.hint))
                failures.append(failure)
                status = status.or(.sourceFailed, if: true)
            }
        }
        return (runs, failures, status)
    }

    private func play(_ selection: StrategySelection) -> Result<(run: JSONValue, status: ExitStatus), Failure> {
        let name = selection.lifecycle ?? ""
        let child: ChildRun
        do throws(PlayerError) {
            child = try ChildRun(arguments: options.arguments(for: selection), input: list.text)
        } catch {
            return .failure(Failure(strategy: name, message: error.message, hint: error.hint))
        }
        let isInterrupted = state.withLock { state in
            state.current = child
            return state.isInterrupted
        }
        if isInterrupted { child.interrupt() }
        let ending = child.finish()
        state.withLock { $0.current = nil }
        let document = try? JSONReader().read(String(decoding: ending.output, as: UTF8.self))
        guard let run = document?["runs"]?.array?.first else {
            let how =
                ending.signal.map { "signal \($0)" } ?? "exit status \(ending.status.map(String.init) ?? "unknown")"
            return .failure(
                Failure(
                    strategy: name, message: "the run ended without a report, with \(how)",
                    hint: "Run it by itself, with --lifecycle \(name), to see why."))
        }
        return .success((run, ending.status.flatMap(ExitStatus.init) ?? .sourceFailed))
    }
}

extension FeedOptions {
    /// The arguments with which a process plays the feed under one strategy, its list on standard input.
    package func arguments(for selection: StrategySelection) -> [String] {
        var arguments = ["feed", "--report=json", "--window=\(window)"]
        func add(_ option: String, _ value: String?) {
            if let value { arguments.append("--\(option)=\(value)") }
        }
        add("swipe-every", milliseconds)
        add("swipes", swipes.map(String.init))
        add("lifecycle", selection.lifecycle)
        for plugin in selection.plugins { add("plugin", (plugin.name.map { $0 + "=" } ?? "") + plugin.path) }
        if let monitors = selection.monitors {
            add("monitor", "none")
            for monitor in monitors { add("monitor", monitor) }
        }
        for setting in selection.settings { add("set", "\(setting.strategy).\(setting.key)=\(setting.text)") }
        for grant in selection.grants { add("grant", "\(grant.strategy):\(grant.capability)") }
        add("isolation", selection.isolation?.word)
        // A usual one is found by the other process as it was by this.
        add("config", configFile)
        add("state-dir", stateDirectory)
        if selection.allowsInsecurePaths { arguments.append("--insecure-path") }
        if !hasVideo { arguments.append("--no-video") }
        if !hasAudio { arguments.append("--no-audio") }
        add("network", network?.word)
        add("log-level", output.logLevel?.name)
        return arguments + ["-"]
    }

    /// The time between swipes with its decimals, which are three at most.
    private var milliseconds: String {
        let (whole, rest) = swipeEvery.microseconds.quotientAndRemainder(dividingBy: 1000)
        return "\(whole)." + String(String(rest + 1000).dropFirst())
    }
}
