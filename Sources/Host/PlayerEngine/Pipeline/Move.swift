// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// What a user asked for that makes playback go on elsewhere or otherwise.
enum MoveRequest: Sendable {
    case seek(to: MediaTime, mode: SeekMode)
    /// Another track in place of the one of its kind, from where playback is.
    case track(index: Int)
}

/// What the demuxer is to do about the requests so far: the newest target with every track asked for on the way.
struct Move: Sendable {
    /// Rises with every move of a playback.
    var serial: Int
    var target: MediaTime
    var mode: SeekMode
    /// Whether a seek is part of it, and it is to be told how it ended.
    var isSeek: Bool
    /// Tracks to play from there on.
    var tracks: [Int]
}
