// SPDX-License-Identifier: Apache-2.0

/// What a player is doing. The numbers are those of the plugin ABI.
public enum PlayerState: Int32, Sendable, CaseIterable {
    /// No source.
    case idle = 0
    /// Opens the source.
    case preparing = 1
    /// Can play, was not told to yet.
    case prepared = 2
    /// Plays, or waits for data to play.
    case playing = 3
    /// Could play, and was told not to.
    case paused = 4
    /// Played to the end.
    case completed = 5
    /// Ended before the end; nothing is open.
    case stopped = 6
    /// Failed; nothing is open.
    case error = 7

    /// Whether a playback is under way.
    package var isActive: Bool {
        switch self {
        case .preparing, .prepared, .playing, .paused: true
        case .idle, .completed, .stopped, .error: false
        }
    }
}
