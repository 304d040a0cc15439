// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PluginHost

/// What a value of a configuration file may be. Files are checked against `root`, and their JSON Schema is made of it.
indirect enum ConfigurationShape: Sendable {
    /// Not empty, of at most 4,096 bytes.
    case text
    /// A SHA-256 in hexadecimal.
    case hash
    /// One of these.
    case word([String])
    /// A whole number; what it counts, as in `milliseconds`, may be empty.
    case number(ClosedRange<Int>, of: String)
    case list(of: ConfigurationShape, counts: ClosedRange<Int>)
    case object([Key])
    /// A text that is the value of the key `name`, or an object.
    case nameOr([Key])
    /// An object of any keys with texts, numbers, truth values and lists of them: the options of a strategy.
    case options

    /// A key of an object.
    struct Key: Sendable {
        var name: String
        /// One sentence.
        var help: String
        var shape: ConfigurationShape
        var isRequired = false
        /// What is in force where it is left out, as a person reads it; nil if there is nothing to tell.
        var usual: String?
    }

    static let longestText = 4096
}

extension ConfigurationShape {
    /// The whole file.
    static var root: [Key] {
        [
            Key(name: "$schema", help: "The JSON Schema of this file, for editors; it has no effect.", shape: .text),
            Key(
                name: "pluginPath",
                help:
                    "Directories in which plugins are looked up by their ids; ~ is the home directory, and what is not absolute counts from the directory of this file.",
                shape: .list(of: .text, counts: 0...64)),
            Key(
                name: "lifecycle", help: "The lifecycle strategy that decides on players: a name, or an object.",
                shape: .nameOr(entry)),
            Key(
                name: "monitors",
                help:
                    "The monitoring strategies, in place of the usual ones: names, or objects. An empty list runs none.",
                shape: .list(of: .nameOr(entry), counts: 0...64)),
            Key(name: "player", help: "How sources are buffered and fetched.", shape: .object(player)),
            Key(
                name: "workers", help: "How plugins in workers are held to time and started again.",
                shape: .object(workers)),
            Key(name: "log", help: "What is said on standard error.", shape: .object(log)),
        ]
    }

    /// A strategy.
    static var entry: [Key] {
        [
            Key(
                name: "name",
                help:
                    "What the strategy is called here; without a path also the id to look for, among those of the product and in pluginPath.",
                shape: .text, isRequired: true),
            Key(name: "path", help: "The plugin's file.", shape: .text),
            Key(name: "sha256", help: "The SHA-256 that the plugin's file must have.", shape: .hash),
            Key(
                name: "isolation", help: "Where a plugin of a third party runs.",
                shape: .word(StrategySelection.Isolation.allCases.map(\.rawValue)),
                usual: StrategySelection.Isolation.worker.rawValue),
            Key(
                name: "grant",
                help:
                    "What a plugin may do beyond computing: actions, network, threads, read_paths=PATH, write_paths=PATH, or all.",
                shape: .list(of: .text, counts: 0...64)),
            Key(name: "options", help: "Values of its options; kitshell plugin inspect lists them.", shape: .options),
        ]
    }

    private static var player: [Key] {
        let usual = PlayerConfiguration().effective
        return [
            milliseconds(
                "startBufferMs", "Media buffered before playback begins, at most highBufferMs.",
                PlayerConfiguration.Limits.buffer, usual.startBuffer),
            milliseconds(
                "highBufferMs", "Media buffered before a loading ends, at most maxBufferMs.",
                PlayerConfiguration.Limits.buffer, usual.highBuffer),
            milliseconds(
                "maxBufferMs", "Media read ahead at most.", PlayerConfiguration.Limits.maxBuffer, usual.maxBuffer),
            milliseconds(
                "networkTimeoutMs", "The longest that one network operation may take.",
                PlayerConfiguration.Limits.networkTimeout, usual.networkTimeout),
            Key(
                name: "networkRetryCount", help: "How often a network operation that failed is tried again.",
                shape: .number(PlayerConfiguration.Limits.networkRetryCount, of: ""),
                usual: "\(usual.networkRetryCount)"),
        ]
    }

    private static var workers: [Key] {
        let (deadlines, restarts) = (CallDeadlines(), RestartPolicy())
        return [
            Key(
                name: "decisionDeadlineMs",
                help: "How long a decision of a lifecycle strategy may take before the default one is taken.",
                shape: .number(CallDeadlines.decisions, of: "milliseconds"), usual: "\(deadlines.decide)"),
            Key(
                name: "restart", help: "When a worker that failed is started again.",
                shape: .object([
                    Key(
                        name: "backoffMs",
                        help:
                            "After how long: after the first failure, the second, and so on; the last one from then on.",
                        shape: .list(
                            of: .number(RestartPolicy.delayLengths, of: "milliseconds"),
                            counts: RestartPolicy.delayCounts),
                        usual: restarts.delays.map(String.init).joined(separator: ", ")),
                    Key(
                        name: "limit", help: "Failures within the window after which it is not started again.",
                        shape: .number(RestartPolicy.limits, of: ""), usual: "\(restarts.limit)"),
                    Key(
                        name: "windowMs", help: "Running that long makes up for everything before.",
                        shape: .number(RestartPolicy.windows, of: "milliseconds"), usual: "\(restarts.window)"),
                ])),
        ]
    }

    private static var log: [Key] {
        [
            Key(
                name: "level", help: "The least severe message to show.",
                shape: .word(LogLevel.allCases.map(\.name)), usual: LogLevel.info.name),
            Key(
                name: "format", help: "The form of a line.",
                shape: .word(Configuration.LogFormat.allCases.map(\.rawValue)),
                usual: Configuration.LogFormat.text.rawValue),
        ]
    }

    private static func milliseconds(
        _ name: String, _ help: String, _ range: ClosedRange<Duration>, _ usual: Duration
    ) -> Key {
        let bounds = range.lowerBound.wholeMilliseconds...range.upperBound.wholeMilliseconds
        return Key(
            name: name, help: help, shape: .number(bounds, of: "milliseconds"), usual: "\(usual.wholeMilliseconds)")
    }
}
