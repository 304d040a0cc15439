// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerEngine
import Testing

@Suite struct CommandTests {
    @Test func withoutStartNothingIsShown() throws {
        let run = PlayerRun()
        try run.prepare(.url(Fixture.path("clip.mp4")))
        run.wait("the whole source to be read ahead") { $0.type == .demuxEOF }
        #expect(run.player.state == .prepared)
        #expect(run.count(.firstVideoFrame) == 0)
        #expect(run.count(.firstAudio) == 0)
        run.player.start()
        run.wait("the end") { $0.playerState == .completed }
        #expect(run.counts.presented == 50)
        #expect(run.states == [.preparing, .prepared, .playing, .completed])
    }

    @Test func preparedPrecedesTheFirstPicture() throws {
        let run = PlayerRun()
        try run.playToEnd(Fixture.path("clip.mp4"))
        let prepared = run.events.firstIndex { $0.type == .prepared } ?? .max
        let picture = run.events.firstIndex { $0.type == .firstVideoFrame } ?? -1
        #expect(prepared < picture)
        #expect(run.count(.firstVideoFrame) == 1)
        // A session may end at the first picture; it has been counted by then.
        #expect(run.events[..<max(picture, 0)].last { $0.type == .frames }?.frameCounts?.presented == 1)
    }

    @Test func aPausedPlayerShowsNothingAndGoesOnWhereItWas() throws {
        let run = PlayerRun(.realTime)
        try run.play(Fixture.path("clip.mp4"))
        run.wait("the first picture") { $0.type == .firstVideoFrame }
        run.player.pause()
        run.wait("the pause") { $0.playerState == .paused }
        let paused = run.events.count
        let shown = run.counts.presented
        run.player.start()
        run.wait("playing") { $0.playerState == .playing }
        let resumed = run.events.lastIndex { $0.playerState == .playing } ?? paused
        #expect(run.events[paused..<resumed].allSatisfy { ($0.frameCounts?.presented ?? shown) == shown })
        run.wait("the end") { $0.playerState == .completed }
        #expect(run.counts.presented + run.counts.droppedLate == 50)
        #expect(run.states == [.preparing, .prepared, .playing, .paused, .playing, .completed])
        #expect(run.count(.firstVideoFrame) == 1)
    }

    @Test func inItsOwnTimeAPlaybackTakesItsTime() throws {
        let run = PlayerRun(.realTime)
        try run.playToEnd(Fixture.path("video-only.mp4"))
        let picture = run.events.first { $0.type == .firstVideoFrame }?.time ?? .zero
        let end = run.events.first { $0.type == .completed }?.time ?? .zero
        #expect(end - picture >= 2_000_000)
        #expect(run.counts.presented + run.counts.droppedLate == 50)
        #expect(run.count(.loadingBegin) == 0)
    }

    @Test func atFullSpeedWaitsAreSkipped() throws {
        let run = PlayerRun(.max)
        let before = run.timeSkipped
        try run.playToEnd(Fixture.path("video-only.mp4"))
        #expect(run.timeSkipped > before)
        let picture = run.events.first { $0.type == .firstVideoFrame }?.time ?? .zero
        let end = run.events.first { $0.type == .completed }?.time ?? .zero
        #expect(end - picture >= 2_000_000)
    }

    @Test func positionsRiseAndEndWithTheMedia() throws {
        let run = PlayerRun()
        try run.playToEnd(Fixture.path("clip.ts"))
        let positions = run.events.filter { $0.type == .position }.map { $0.values[0] }
        #expect(positions == positions.sorted())
        #expect(positions.first == 0)
        #expect(positions.last == 1_160_000)
        #expect(
            run.events.lastIndex { $0.type == .frames } ?? .max < run.events.firstIndex { $0.type == .completed } ?? -1)
    }

    @Test func stoppingInTheMiddleEndsThePlayback() throws {
        let run = PlayerRun(.realTime)
        try run.play(Fixture.path("clip.mp4"))
        run.wait("the first picture") { $0.type == .firstVideoFrame }
        run.player.stop()
        run.collect()
        #expect(run.player.state == .stopped)
        #expect(run.states.last == .stopped)
        #expect(run.events.last?.playerState == .stopped)
        #expect(run.player.currentPosition == .zero)
        run.expectNothingParked()
    }

    @Test func aStoppedPlayerPlaysAnotherSource() throws {
        let run = PlayerRun()
        try run.play(Fixture.path("clip.mp4"))
        run.wait("the first picture") { $0.type == .firstVideoFrame }
        run.player.stop()
        try run.playToEnd(Fixture.path("clip.ts"))
        let second = run.events.filter { $0.session == SessionID(rawValue: 2) }
        #expect(second.last { $0.type == .frames }?.frameCounts?.presented == 27)
        #expect(second.contains { $0.type == .completed })
        #expect(run.events.filter { $0.session == SessionID(rawValue: 1) }.last?.playerState == .stopped)
    }

    @Test func aCompletedPlayerPlaysAgain() throws {
        let run = PlayerRun()
        for _ in 0..<3 { try run.playToEnd(Fixture.path("clip.mp4")) }
        #expect(run.count(.completed) == 3)
        #expect(run.count(.firstVideoFrame) == 3)
    }

    @Test func aSourceIsOnlyTakenAtRest() throws {
        let run = PlayerRun()
        try run.prepare(.url(Fixture.path("clip.mp4")))
        run.wait("prepared") { $0.playerState == .prepared }
        #expect(throws: PlayerError.self) { try run.prepare(.url(Fixture.path("clip.ts"))) }
        #expect(run.player.state == .prepared)
        run.player.stop()
    }

    @Test func resetMakesAPlayerLikeNew() throws {
        let run = PlayerRun()
        try run.playToEnd(Fixture.path("clip.mp4"))
        run.player.reset()
        #expect(run.player.state == .idle)
        #expect(run.player.duration == nil)
        #expect(run.player.currentPosition == .zero)
        run.collect()
        let count = run.events.count
        run.player.prepare()
        run.player.start()
        run.collect()
        #expect(run.events.count == count)
    }

    @Test func aDestroyedPlayerDoesNothing() throws {
        let run = PlayerRun()
        run.player.destroy()
        run.player.prepare()
        run.player.start()
        run.player.pause()
        run.player.stop()
        run.player.reset()
        #expect(throws: PlayerError.self) { try run.prepare(.url(Fixture.path("clip.mp4"))) }
        #expect(run.player.state == .idle)
        run.collect()
        #expect(run.events.isEmpty)
    }

    @Test func playersAreNumbered() {
        let first = PlayerRun().player.playerID
        #expect(PlayerRun().player.playerID > first)
        #expect(first > 0)
    }
}
