// SPDX-License-Identifier: Apache-2.0

package import MediaCore
internal import Sessions
internal import Synchronization

/// A source that is made ready in a player that nobody holds yet.
///
/// It has a session of its own, under a controller of its own, which is detached from the start: what is read for it is told apart from what is
/// played. That session ends with `taken_over` when somebody plays on, else with `evict` or `destroy`.
///
/// Thread: any.
public final class PlayerPreparation: EventSink {
    package let interest = EventMask(.prepared, .firstVideoFrame, .takenOver)
    private let model: PlayerModel
    private let player: any MediaPlayer
    private let output: EventOutput
    private let dispatcher: EventDispatcher
    private let source: (name: String, uniqueID: String)
    private let onReached = Mutex<(@Sendable (PoolRequest.Stage) -> Void)?>(nil)

    /// - Parameter source: how the session names it.
    init(
        of model: PlayerModel, source: (name: String, uniqueID: String), in player: any MediaPlayer,
        environment: PlayerEnvironment
    ) {
        self.model = model.asPlayed
        self.source = source
        self.player = player
        dispatcher = environment.dispatcher
        output = EventOutput(
            controller: environment.nextController(), session: environment.numbering.next(), clock: environment.clock,
            queue: environment.queue)
    }

    var uniqueID: String { source.uniqueID }

    /// The session that whoever plays on continues.
    var session: SessionID { output.session }

    /// Whether the player still has it.
    var isRunning: Bool { player.state.isActive }

    /// Whether who plays `other` may go on with it: the player was given the same.
    func serves(_ other: PlayerModel) -> Bool {
        let other = other.asPlayed
        return model.videoSource == other.videoSource && model.configuration == other.configuration
            && model.startTime == other.startTime && model.endTime == other.endTime
            && model.endsAtFirstFrame == other.endsAtFirstFrame && model.traceID == other.traceID
    }

    /// Opens the session and has the player prepare. Returns at once.
    ///
    /// - Parameter onReached: is told how far the player has come, on the dispatcher's thread.
    func begin(to stage: PoolRequest.Stage, onReached: @escaping @Sendable (PoolRequest.Stage) -> Void) {
        self.onReached.withLock { $0 = onReached }
        dispatcher.attach(self, stage: .state, to: output.controller)
        output.post(
            .request(
                source: source.name, uniqueID: source.uniqueID, player: player.playerID, instance: .unknown,
                continuedFrom: nil))
        output.post(.detach(player: player.playerID))
        do {
            try player.setDataSource(model, output: output)
        } catch {
            return output.post(.error(error, isFatal: true))
        }
        model.onPlayerConfig?(player)
        player.prepare()
        proceed(to: stage)
    }

    /// Goes on to a further stage.
    func proceed(to stage: PoolRequest.Stage) {
        if stage == .firstFrame { player.preview() }
    }

    /// Has the player go on under another session.
    ///
    /// - Returns: false if it is over; this session then is too, and the player free for a new source.
    func handOver(to successor: EventOutput) -> Bool {
        let isTaken = player.attach(to: successor, farewell: .takenOver)
        if !isTaken { close() }
        return isTaken
    }

    /// Stops the player and ends the session. Blocks as long as the player's `stop` does.
    func cancel(with event: PlayerEvent = .evict) {
        let wasRunning = isRunning
        output.end()
        player.stop()
        if wasRunning { output.post(event) }
        close()
    }

    /// Ends the session and leaves the player alone: it is another's by now.
    func abandon() {
        output.end()
        output.post(.evict)
        close()
    }

    private func close() {
        dispatcher.detach(self, from: output.controller)
        dispatcher.release(output.controller)
    }

    package func receive(_ events: [PlayerEvent]) {
        let onReached = onReached.withLock { $0 }
        for event in events {
            switch event.type {
            case .prepared: onReached?(.prepared)
            case .firstVideoFrame: onReached?(.firstFrame)
            // The last that the player posts here once another session has it.
            default: close()
            }
        }
    }
}
