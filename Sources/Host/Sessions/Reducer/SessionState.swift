// SPDX-License-Identifier: Apache-2.0

/// What a session is doing: exactly one of these at any time. The numbers are those of the plugin ABI (`KIT_SESSION_*`).
public enum SessionState: Int32, Sendable, CaseIterable {
    /// Nothing was requested.
    case idle = 0
    /// A source is being prepared for no foreground owner.
    case preloading = 1
    /// Prepared, without a foreground owner.
    case preparedInBackground = 2
    /// Wanted, and never ready and rendered yet.
    case joining = 3
    /// Requested, not wanted yet: the wait of autoplay off.
    case joinPaused = 4
    case playing = 5
    case paused = 6
    case pausedBuffering = 7
    /// From a seek's request to its first presented frame.
    case seeking = 8
    /// Wanted and joined, and the buffer ran dry.
    case stalled = 9
    /// Wanted, but something outside forbids it.
    case suppressed = 10
    case suppressedBuffering = 11
    case background = 12
    /// The machine slept.
    case suspended = 13

    /// Played to the end.
    case ended = 32
    case stopped = 33
    case failed = 34
    /// The player was taken away or given another source.
    case abandoned = 35

    /// How many states have a duration; their numbers count from 0.
    static let durationCount = 14

    /// Whether it ends the session.
    public var isTerminal: Bool { rawValue >= 32 }

    /// The spelling of logs and reports.
    public var name: String {
        switch self {
        case .idle: "idle"
        case .preloading: "preloading"
        case .preparedInBackground: "prepared_bg"
        case .joining: "joining"
        case .joinPaused: "join_paused"
        case .playing: "playing"
        case .paused: "paused"
        case .pausedBuffering: "paused_buffering"
        case .seeking: "seeking"
        case .stalled: "stalled"
        case .suppressed: "suppressed"
        case .suppressedBuffering: "suppressed_buffering"
        case .background: "background"
        case .suspended: "suspended"
        case .ended: "ended"
        case .stopped: "stopped"
        case .failed: "failed"
        case .abandoned: "abandoned"
        }
    }
}
