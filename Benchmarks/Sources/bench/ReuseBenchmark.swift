// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaCore
import PlayerKit

/// What the next source costs on the player of the last one, beside a new player for each.
enum ReuseBenchmark {
    /// Until a player that is paused has decoded all that it will.
    private static let restMicroseconds: UInt32 = 60_000

    /// From giving up the former source to the first picture of the next one.
    static func run(_ arguments: Arguments) throws -> Comparison {
        // The one that is used again is idle before each of its turns, as the new one's predecessor is.
        let (kept, queue) = (try BarePlayer(), EventQueue())
        var former = try BarePlayer(queue: queue)
        defer {
            kept.player.destroy()
            former.player.destroy()
        }
        return try Comparison(runs: arguments.runs, promised: "below 1") {
            try time(arguments.clip, kept) {
                kept.player.stop()
                kept.player.reset()
                return kept
            }
        } baseline: {
            try time(arguments.clip, former) {
                former.player.destroy()
                former = try BarePlayer(queue: queue)
                return former
            }
        }
    }

    /// Has a player play, then measures what follows in milliseconds.
    private static func time(_ clip: String, _ playing: BarePlayer, _ next: () throws -> BarePlayer) throws -> Double {
        if playing.player.state == .idle {
            try playing.play(clip)
            _ = try playing.wait(for: .firstVideoFrame)
        }
        let start = MonotonicClock().now()
        let player = try next()
        try player.play(clip)
        let picture = try player.wait(for: .firstVideoFrame).time
        player.player.pause()
        usleep(restMicroseconds)
        return Double(picture - start) / 1000
    }
}
