// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// A player that stays in its pool and is to be brought to rest.
struct RestingPlayer {
    var player: any MediaPlayer
    /// As it is from the moment on in which it was taken from whoever had it: what happens to it later is not this one's.
    var handle: PlayerHandle
    /// What is made ready in it, which ends.
    var preparation: PlayerPreparation?
    /// Whether the commands of whoever had it are over.
    var isLetGo = true
    /// That waits for it; nil if none does.
    var lease: PlayerLease?

    /// Whether it does nothing that would have to end.
    var isAtRest: Bool { preparation == nil && player.state == .idle }
}

/// What came of a player that was to be brought to rest.
enum RestOutcome {
    /// It may be used again.
    case kept
    /// It did not come to rest in time, or is not as good as new. It is destroyed.
    case failed
    /// Another operation gave it up meanwhile.
    case gone
}

/// What came of several, by their places.
final class RestOutcomes: Sendable {
    private let outcomes = Mutex<[Int: RestOutcome]>([:])

    subscript(place: Int) -> RestOutcome? { outcomes.withLock { $0[place] } }

    func note(_ outcome: RestOutcome, at place: Int) {
        outcomes.withLock { $0[place] = outcome }
    }
}
