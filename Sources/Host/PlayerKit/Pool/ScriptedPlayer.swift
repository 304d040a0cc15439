// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// A player without media: it does nothing but play or not.
final class ScriptedPlayer: MediaPlayer {
    let playerID: Int64
    private let current = Mutex(PlayerState.idle)

    init(playerID: Int64) {
        self.playerID = playerID
    }

    var state: PlayerState { current.withLock { $0 } }
    var currentPosition: MediaTime { .zero }
    var duration: MediaTime? { nil }
    var bufferedPosition: MediaTime? { nil }
    var tracks: [TrackInfo] { [] }
    var settings: PlaybackSettings { PlaybackSettings() }
    var wantsPlay: Bool { state == .playing }
    var session: SessionID? { nil }
    var model: PlayerModel? { nil }

    func setDataSource(_ model: PlayerModel, output: EventOutput) throws(PlayerError) {}
    func prepare() {}
    func preview() {}
    func attach(to output: EventOutput, farewell: PlayerEvent) -> Bool { false }
    func start() { current.withLock { $0 = .playing } }
    func pause() { current.withLock { $0 = .paused } }
    func seek(to target: MediaTime, mode: SeekMode) {}
    func apply(_ settings: PlaybackSettings) {}
    func selectTrack(_ index: Int) {}
    func stop() { current.withLock { $0 = .stopped } }
    func reset() { current.withLock { $0 = .idle } }
    func destroy() { stop() }
}

/// Numbers its players from 1, and fails when it is told to.
final class ScriptedFactory: PlayerFactory {
    private let state = Mutex((made: Int64(0), limit: Int64.max))

    /// Fails from the player after the `count`th on.
    func fail(after count: Int64) {
        state.withLock { $0.limit = count }
    }

    func makePlayer() throws(PlayerError) -> any MediaPlayer {
        let number = state.withLock { state -> Int64? in
            guard state.made < state.limit else { return nil }
            state.made += 1
            return state.made
        }
        guard let number else {
            throw PlayerError(
                .factoryFailed, "the factory fails as the script says", hint: "Look at fail-factory-after.")
        }
        return ScriptedPlayer(playerID: number)
    }
}

/// Event time as a log tells it.
final class ScriptedClock: EventClock {
    private let time = Mutex(EventTime.zero)

    func now() -> EventTime { time.withLock { $0 } }

    /// A time that goes back stays where it was.
    func advance(to moment: EventTime) {
        time.withLock { $0 = max($0, moment) }
    }
}
