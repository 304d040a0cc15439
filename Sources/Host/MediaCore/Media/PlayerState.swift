// SPDX-License-Identifier: Apache-2.0

/// What a player is doing. The numbers are those of the plugin ABI.
public enum PlayerState: Int32, Sendable, CaseIterable {
    case idle = 0
    case preparing = 1
    case prepared = 2
    case playing = 3
    case paused = 4
    case completed = 5
    case stopped = 6
    case error = 7
}
