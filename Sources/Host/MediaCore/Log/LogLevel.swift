// SPDX-License-Identifier: Apache-2.0

/// How much a log line matters. A hub shows the lines at its level and above.
public enum LogLevel: Int32, Sendable, CaseIterable, Comparable {
    /// Every step, for whoever debugs the host.
    case verbose = 0
    /// What explains a decision.
    case debug = 1
    /// What an operator wants to see in normal running.
    case info = 2
    /// Something was wrong and was dealt with.
    case warn = 3
    /// Something was lost: a source, a strategy, a report.
    case error = 4
    /// Not the level of any line: as a hub's level it silences everything.
    case none = 100

    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

    /// One of V, D, I, W, E, N.
    public var letter: String {
        switch self {
        case .verbose: "V"
        case .debug: "D"
        case .info: "I"
        case .warn: "W"
        case .error: "E"
        case .none: "N"
        }
    }

    /// The name as options and config have it: `verbose`, `debug` …
    public var name: String {
        switch self {
        case .verbose: "verbose"
        case .debug: "debug"
        case .info: "info"
        case .warn: "warn"
        case .error: "error"
        case .none: "none"
        }
    }

    /// From a name or a letter, in any case; nil if it is neither.
    public init?(_ text: String) {
        let text = text.lowercased()
        guard let level = LogLevel.allCases.first(where: { $0.name == text || $0.letter.lowercased() == text }) else {
            return nil
        }
        self = level
    }
}
