// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerKit

/// A player of the kit without a controller, and the events that it posts.
final class BarePlayer {
    let player: any MediaPlayer
    private let queue = EventQueue()
    private let clock = MonotonicClock()
    private var drained = EventQueue.Drained()

    /// Every wait ends here.
    private static let patience = Duration.seconds(60)

    init() throws {
        player = try PlayerKit.playerFactory.makePlayer()
    }

    /// Prepares a file and plays it.
    func play(_ path: String) throws {
        let output = EventOutput(
            controller: ControllerID(rawValue: 1), session: SessionID(rawValue: 1), clock: clock, queue: queue)
        try player.setDataSource(PlayerModel(videoSource: .url(path)), output: output)
        player.prepare()
        player.start()
    }

    /// Takes events until one fits, which is returned; the others go to `body`.
    func wait(for type: EventType, _ body: (PlayerEvent) -> Void = { _ in }) throws -> PlayerEvent {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < BarePlayer.patience {
            queue.drain(into: &drained, waitingUpTo: 100)
            for event in drained.events {
                if event.type == type { return event }
                if let (error, isFatal) = event.failure, isFatal { throw error }
                body(event)
            }
        }
        throw Failure("waited in vain for an event of type \(type.rawValue)")
    }
}
