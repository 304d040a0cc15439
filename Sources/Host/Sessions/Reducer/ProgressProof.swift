// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Whether playback really moves once its first picture or, without video, its first sound is there.
struct ProgressProof {
    /// The media position from which on movement counts, microseconds; nil until something is presented and while a seek goes on.
    private var origin: Int64?
    private var isPresented: Bool
    private var isSeeking = false
    /// nil as long as nothing was presented, or no position was told since.
    private(set) var isConfirmed: Bool?

    /// - Parameter continuing: whether what is played is presented from the start, by the session before.
    init(continuing: Bool) {
        isPresented = continuing
    }

    /// Takes the next event, until it is confirmed.
    ///
    /// - Parameter countsSound: whether no picture is to come.
    mutating func accept(_ event: PlayerEvent, media: MediaDescription?, countsSound: Bool) {
        switch event.type {
        case .firstVideoFrame where event.values[1] == 0: begin(at: event.value(0))
        case .firstAudio where countsSound: begin(at: event.value(0))
        case .seekBegin: isSeeking = true
        case .seekFailed: isSeeking = false
        case .seekEnd:
            isSeeking = false
            origin = event.value(0)
        case .loop: origin = isPresented ? 0 : nil
        case .position where isPresented && !isSeeking:
            guard let position = event.value(0) else { return }
            let start = origin ?? position
            origin = start
            isConfirmed = position - start >= ProgressProof.shortestMove(media)
        default: break
        }
    }

    private mutating func begin(at position: Int64?) {
        isPresented = true
        origin = origin ?? position
    }

    /// One picture's duration; any movement where that is not known.
    private static func shortestMove(_ media: MediaDescription?) -> Int64 {
        guard let rate = media?.video?.framesPer1000Seconds, rate > 0 else { return 1 }
        return max(1, 1_000_000_000 / rate)
    }
}
