// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Synchronization

/// Makes players that play nothing and keep the event output of the newest session for the benchmark.
final class SilentPlayers: PlayerFactory {
    private let output = Mutex<EventOutput?>(nil)

    func makePlayer() throws(PlayerError) -> any MediaPlayer { SilentPlayer(self) }

    /// The output of the newest session.
    func newest() throws -> EventOutput {
        guard let output = output.withLock({ $0 }) else { throw Failure("the controller gave no player a source") }
        return output
    }

    fileprivate func keep(_ output: EventOutput) {
        self.output.withLock { $0 = output }
    }
}

private final class SilentPlayer: MediaPlayer {
    private let factory: SilentPlayers

    init(_ factory: SilentPlayers) { self.factory = factory }

    let playerID: Int64 = 1
    var state: PlayerState { .playing }
    var currentPosition: MediaTime { .zero }
    var duration: MediaTime? { nil }
    var bufferedPosition: MediaTime? { nil }
    var tracks: [TrackInfo] { [] }
    var settings: PlaybackSettings { PlaybackSettings() }
    var wantsPlay: Bool { false }
    var session: SessionID? { nil }
    var model: PlayerModel? { nil }

    func setDataSource(_ model: PlayerModel, output: EventOutput) throws(PlayerError) { factory.keep(output) }

    func prepare() {}
    func start() {}
    func preview() {}
    func attach(to output: EventOutput, farewell: PlayerEvent) -> Bool { false }
    func pause() {}
    func seek(to target: MediaTime, mode: SeekMode) {}
    func apply(_ settings: PlaybackSettings) {}
    func selectTrack(_ index: Int) {}
    func stop() {}
    func reset() {}
    func destroy() {}
}
