// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerEngine
import TestSupport
import Testing

@Suite struct LoopTests {
    private static func settings(_ loop: PlaybackSettings.Loop) -> PlaybackSettings {
        var settings = PlaybackSettings()
        settings.loop = loop
        return settings
    }

    @Test(
        arguments: [
            "clip.mp4", "clip.mkv", "clip.ts", "video-only.mp4", "audio-only.m4a", "trimmed.mp4", "long.flv",
            "long-fragmented.mp4", "long-no-cues.mkv", "open-gop.mp4",
        ])
    func everyPassGivesEveryFrame(_ name: String) throws {
        let once = FrameLog()
        try PlayerRun(.max, sinks: once.sinks).playToEnd(Fixture.path(name))
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        run.player.apply(LoopTests.settings(.times(2)))
        try run.playToEnd(Fixture.path(name))
        #expect(log.pictures == once.pictures + once.pictures + once.pictures)
        #expect(log.sampleCount == 3 * once.sampleCount)
        #expect(run.events.filter { $0.type == .loop }.map { $0.value(0) } == [1, 2])
        #expect(run.count(.completed) == 1)
        #expect(run.count(.opened) == 1)
        #expect(run.count(.firstVideoFrame) == (once.pictures.isEmpty ? 0 : 1))
        #expect(run.seeks.isEmpty)
        #expect(run.count(.loadingBegin) == 0)
    }

    @Test func aWrapTakesNoTime() throws {
        let clock = HandClock()
        let run = PlayerRun(clock: clock)
        run.player.apply(LoopTests.settings(.times(2)))
        try run.play(Fixture.path("video-only.mp4"))
        run.drive(clock)
        #expect(run.elapsed == 6_000_000)
        #expect(run.counts.presented == 150)
    }

    @Test func aLoopThatIsTurnedOffEndsWithItsPass() throws {
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        run.player.apply(LoopTests.settings(.forever))
        let player = run.player
        log.atPicture(60) { player.apply(LoopTests.settings(.off)) }
        try run.playToEnd(Fixture.path("video-only.mp4"))
        #expect(log.pictures.count == 100)
        #expect(run.count(.loop) == 1)
    }

    @Test func aLoopThatIsTurnedOnAfterAllIsReadPlaysAgain() throws {
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        let player = run.player
        log.atPicture(45) { player.apply(LoopTests.settings(.times(1))) }
        try run.playToEnd(Fixture.path("video-only.mp4"))
        #expect(log.pictures.count == 100)
        #expect(run.count(.loop) == 1)
    }

    @Test func aSeekInALaterPassStaysInIt() throws {
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        run.player.apply(LoopTests.settings(.times(2)))
        let player = run.player
        log.atPicture(60) { player.seek(to: MediaTime(microseconds: 1_000_000), mode: .exact) }
        try run.playToEnd(Fixture.path("video-only.mp4"))
        // A pass and ten pictures, the second half of the second pass, the third pass.
        #expect(log.pictures.count == 60 + 25 + 50)
        #expect(run.events.filter { $0.type == .loop }.map { $0.value(0) } == [1, 2])
        #expect(run.seeks == [.seekBegin, .seekEnd])
    }

    @Test func whatCannotGoBackPlaysOnce() throws {
        let directory = try TemporaryDirectory()
        let writer = try PipeWriter(directory.file("pipe"))
        let run = PlayerRun(.max)
        run.player.apply(LoopTests.settings(.forever))
        try run.play(writer.path)
        writer.open()
        writer.write(try Fixture.bytes("clip.mkv"))
        writer.close()
        run.waitForEnd()
        #expect(run.states.last == .completed)
        #expect(run.count(.loop) == 0)
    }
}

extension PlayerRun {
    /// Microseconds of event time from the first frame to the end.
    var elapsed: Int64? {
        let first = events.first { $0.type == .firstVideoFrame || $0.type == .firstAudio }
        guard let first, let end = events.last(where: { $0.type == .completed || $0.type == .stop }) else { return nil }
        return end.time - first.time
    }
}
