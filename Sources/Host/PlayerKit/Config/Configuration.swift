// SPDX-License-Identifier: Apache-2.0

public import MediaCore
internal import PluginHost

/// What a configuration file says, as far as it says it. One that was read from a file has been checked, plugin files included.
///
/// What is nil here is left to the defaults; what an application or a command line says beats all of it.
public struct Configuration: Hashable, Sendable {
    /// A strategy to run and what it is given.
    public struct Entry: Hashable, Sendable {
        /// Of the instance: letters, digits, `.`, `_` and `-`.
        public var name: String
        /// Of the plugin file; nil: a strategy of the product, or one in `pluginPath`, whose id is the name.
        public var path: String?
        /// That the file must have, in lower-case hexadecimal; nil: any.
        public var sha256: String?
        /// Where it runs; nil: in a worker.
        public var isolation: StrategySelection.Isolation?
        /// What it may do beyond computing, as `StrategySelection.Grant` has it, with absolute paths.
        public var grants: [String] = []
        /// Values of its options.
        public var options: [StrategySelection.Setting] = []

        public init(name: String, path: String? = nil) {
            self.name = name
            self.path = path
        }
    }

    /// How plugins that run in workers are held to time and started again. What is out of range (1 ms to 10 s for a decision, up to an hour
    /// for a delay, 1 to 1,000 failures, 1 ms to a day for the window) is brought into it.
    public struct Workers: Hashable, Sendable {
        /// How long a decision may take before the default one is taken.
        public var decisionDeadline: Duration?
        /// How long it takes until a worker that failed is started again: after the first failure, the second, and so on; the last
        /// one from then on.
        public var restartDelays: [Duration]?
        /// Failures within the window after which it is not started again.
        public var restartLimit: Int?
        /// Running that long makes up for everything before.
        public var restartWindow: Duration?

        public init() {}
    }

    /// The form of log lines.
    public enum LogFormat: String, Hashable, Sendable, CaseIterable {
        case text
    }

    /// Directories in which plugins are looked up by their ids, in this order; absolute.
    public var pluginPath: [String] = []
    /// nil: the host's own decisions.
    public var lifecycle: Entry?
    /// nil: the built-in monitors; empty: none.
    public var monitors: [Entry]?
    /// For sources that do not say it themselves.
    public var player = PlayerConfiguration()
    public var workers = Workers()
    public var logLevel: LogLevel?
    public var logFormat: LogFormat?
    /// The file that it was read from; nil if it was not.
    public internal(set) var file: String?
    /// What is allowed and worth knowing, in the order of the file.
    public internal(set) var notes: [ConfigurationError.Problem] = []
    /// The lines of the file in which values stand, by their keys, as `player.startBufferMs` and `monitors[0].options.every`.
    package internal(set) var lines: [String: Int] = [:]

    /// One that says nothing.
    public init() {}

    /// All strategies that it names.
    var entries: [Entry] { [lifecycle].compactMap { $0 } + (monitors ?? []) }
}

extension Configuration.Workers {
    var deadlines: CallDeadlines {
        var deadlines = CallDeadlines()
        if let decisionDeadline {
            deadlines.decide = decisionDeadline.wholeMilliseconds.brought(into: CallDeadlines.decisions)
        }
        return deadlines
    }

    var restarts: RestartPolicy {
        let usual = RestartPolicy()
        let delays = restartDelays?.map { $0.wholeMilliseconds.brought(into: RestartPolicy.delayLengths) } ?? []
        return RestartPolicy(
            limit: (restartLimit ?? usual.limit).brought(into: RestartPolicy.limits),
            delays: delays.isEmpty ? usual.delays : delays,
            window: (restartWindow?.wholeMilliseconds ?? usual.window).brought(into: RestartPolicy.windows))
    }
}

extension Int {
    fileprivate func brought(into range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension Duration {
    /// Cut to whole milliseconds.
    var wholeMilliseconds: Int { Int(wholeMicroseconds / 1000) }
}
