// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerKit

/// A player of the kit without a controller, and the events that it posts.
final class BarePlayer {
    let player: any MediaPlayer
    private let queue: EventQueue
    private let clock = MonotonicClock()
    private var drained = EventQueue.Drained()

    /// Every wait ends here.
    private static let patience = Duration.seconds(60)

    /// - Parameter queue: may be shared by players that play one after the other.
    init(queue: EventQueue = EventQueue()) throws {
        self.queue = queue
        player = try PlayerKit.playerFactory.makePlayer()
    }

    /// Prepares a file and plays it.
    func play(_ path: String, _ configuration: PlayerConfiguration = PlayerConfiguration()) throws {
        let output = EventOutput(
            controller: ControllerID(rawValue: 1), session: SessionID(rawValue: 1), clock: clock, queue: queue)
        var model = PlayerModel(videoSource: .url(path))
        model.configuration = configuration
        try player.setDataSource(model, output: output)
        player.prepare()
        player.start()
    }

    /// Takes events until one is of a type, which is returned; the others go to `body`.
    func wait(for type: EventType, _ body: (PlayerEvent) -> Void = { _ in }) throws -> PlayerEvent {
        try wait { event in
            if event.type != type { body(event) }
            return event.type == type
        }
    }

    /// Takes events until one fits, which is returned. Those that came with it and after it are dropped.
    func wait(_ isMet: (PlayerEvent) -> Bool) throws -> PlayerEvent {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < BarePlayer.patience {
            queue.drain(into: &drained, waitingUpTo: 100)
            for event in drained.events {
                if isMet(event) { return event }
                if let (error, isFatal) = event.failure, isFatal { throw error }
            }
        }
        throw Failure("waited in vain for an event")
    }
}
