// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// Every command of a player in every state it can be in.
@Suite struct CommandTableTests {
    enum Place: String, CaseIterable, Sendable {
        case idle, sourceSet, preparing, prepared, playing, paused, completed, stopped, error, destroyed
    }

    enum Command: String, CaseIterable, Sendable {
        case setDataSource, prepare, start, pause, seek, apply, selectTrack, stop, reset, destroy
    }

    /// The state that a command leads to; what is missing stays as it is.
    private static let table: [Place: [Command: PlayerState]] = [
        .idle: [:],
        .sourceSet: [.prepare: .prepared],
        .preparing: [.stop: .stopped, .reset: .idle, .destroy: .idle],
        .prepared: [.start: .playing, .stop: .stopped, .reset: .idle, .destroy: .idle],
        .playing: [.pause: .paused, .stop: .stopped, .reset: .idle, .destroy: .idle],
        .paused: [.start: .playing, .stop: .stopped, .reset: .idle, .destroy: .idle],
        .completed: [.prepare: .prepared, .stop: .stopped, .reset: .idle, .destroy: .idle],
        .stopped: [.prepare: .prepared, .reset: .idle, .destroy: .idle],
        .error: [.prepare: .error, .stop: .stopped, .reset: .idle, .destroy: .idle],
        .destroyed: [:],
    ]

    @Test(arguments: Place.allCases, Command.allCases)
    func aCommandDoesWhatTheTableSays(_ place: Place, _ command: Command) throws {
        // What plays stands at its first picture, since time does not move.
        let run = PlayerRun(clock: HandClock())
        let directory = try TemporaryDirectory()
        let writer = try PipeWriter(directory.file("pipe"))
        let before = try bring(run, to: place, writer.path)
        let isTaken = [.idle, .sourceSet, .completed, .stopped, .error].contains(place)
        switch command {
        case .setDataSource:
            if isTaken {
                try run.set(.url(Fixture.path("clip.mp4")))
            } else {
                #expect(throws: PlayerError.self) { try run.set(.url(Fixture.path("clip.mp4"))) }
            }
        case .prepare: run.player.prepare()
        case .start: run.player.start()
        case .pause: run.player.pause()
        case .seek: run.player.seek(to: MediaTime(microseconds: 500_000), mode: .exact)
        case .apply: run.player.apply(PlaybackSettings())
        case .selectTrack: run.player.selectTrack(0)
        case .stop: run.player.stop()
        case .reset: run.player.reset()
        case .destroy: run.player.destroy()
        }
        let expected = CommandTableTests.table[place]?[command] ?? before
        while run.player.state != expected {
            run.collect()
            // A state that cannot be left any more will not become another.
            guard run.player.state != .error || expected == .error else { break }
        }
        #expect(run.player.state == expected)
        run.player.destroy()
        #expect(run.player.state == .idle)
        run.collect()
        // No state is told twice, and none out of order.
        #expect(zip(run.states, run.states.dropFirst()).allSatisfy { $0 != $1 })
    }

    /// - Returns: the state then.
    private func bring(_ run: PlayerRun, to place: Place, _ pipe: String) throws -> PlayerState {
        switch place {
        case .idle: return .idle
        case .sourceSet:
            try run.set(.url(Fixture.path("clip.mp4")))
            return .idle
        case .preparing:
            try run.prepare(.url(pipe))
            run.wait("preparing") { $0.playerState == .preparing }
            return .preparing
        case .prepared:
            try run.prepare(.url(Fixture.path("clip.mp4")))
            run.wait("prepared") { $0.playerState == .prepared }
            return .prepared
        case .playing, .paused:
            try run.play(Fixture.path("clip.mp4"))
            run.wait("the first picture") { $0.type == .firstVideoFrame }
            guard place == .paused else { return .playing }
            run.player.pause()
            run.wait("the pause") { $0.playerState == .paused }
            return .paused
        case .completed:
            try run.play(Fixture.path("clip.mp4")) { $0.startTime = MediaTime(microseconds: 60_000_000) }
            run.wait("the end") { $0.playerState == .completed }
            return .completed
        case .stopped:
            try run.prepare(.url(Fixture.path("clip.mp4")))
            run.player.stop()
            return .stopped
        case .error:
            try run.prepare(.url(Fixture.path("nothing-here.mp4")))
            run.wait("the error") { $0.playerState == .error }
            return .error
        case .destroyed:
            run.player.destroy()
            return .idle
        }
    }
}
