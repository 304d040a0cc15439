// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// Where playback ends, seen from the edges.
@Suite struct EndTests {
    @Test func whatIsDueBeforeTheEndIsPresentedHoweverLate() throws {
        let clock = HandClock()
        let run = PlayerRun(clock: clock)
        try run.play(Fixture.path("video-only.mp4")) { $0.endTime = MediaTime(microseconds: 1_000_000) }
        run.wait("the first picture") { $0.type == .firstVideoFrame }
        clock.settles()
        clock.advance(milliseconds: 5000)
        run.drive(clock)
        #expect(run.counts.presented + run.counts.droppedLate == 25)
        #expect(run.events.last { $0.type == .position }?.value(0) == 1_000_000)
        #expect(run.states.last == .stopped)
    }

    @Test func anEndTimeCountsOnThroughThePassesOfALoop() throws {
        var settings = PlaybackSettings()
        settings.loop = .forever
        let run = PlayerRun()
        run.player.apply(settings)
        try run.play(Fixture.path("video-only.mp4")) { $0.endTime = MediaTime(microseconds: 5_000_000) }
        run.wait("the stop") { $0.playerState == .stopped }
        #expect(run.events.last { $0.type == .stop }?.stopReason == .until)
        #expect(run.counts.presented == 125)
        #expect(run.count(.loop) == 2)
        #expect(run.events.last { $0.type == .position }?.value(0) == 1_000_000)
    }

    @Test(arguments: [("clip.mp4", 1), ("audio-only.m4a", 0)])
    func aPlaybackThatEndsAtItsFirstFramePresentsNoOther(_ name: String, pictures: Int64) throws {
        let run = PlayerRun()
        try run.play(Fixture.path(name)) { $0.endsAtFirstFrame = true }
        run.wait("the stop") { $0.playerState == .stopped }
        #expect(run.events.last { $0.type == .stop }?.stopReason == .until)
        #expect(run.counts.presented == pictures)
        #expect(run.counts.decoded == pictures)
        #expect(run.count(.firstVideoFrame) == pictures)
        #expect(run.states.last == .stopped)
    }

    @Test(arguments: ["clip.mp4", "audio-only.m4a", "long.ts"])
    func noPositionIsTooFar(_ name: String) throws {
        let run = PlayerRun()
        try run.set(.url(Fixture.path(name))) { $0.endTime = MediaTime(microseconds: .max) }
        run.player.seek(to: MediaTime(microseconds: .max), mode: .exact)
        run.player.prepare()
        run.player.seek(to: MediaTime(microseconds: .max), mode: .keyframe)
        run.player.start()
        run.waitForEnd()
        #expect(run.seeks.last == .seekEnd)
        #expect(run.states.last == .completed)
        #expect(run.player.duration.map { $0 < MediaTime(microseconds: 60_000_000) } ?? true)
    }

    @Test func aStartBeyondTheFarthestPlaysNothing() throws {
        let run = PlayerRun()
        try run.playToEnd(Fixture.path("clip.mp4")) { $0.startTime = MediaTime(microseconds: .max) }
        #expect(run.counts.presented == 0)
        #expect(run.states.last == .completed)
    }

    @Test func aSoundSoughtPastItsEndStaysThere() throws {
        let run = PlayerRun()
        try run.prepare(.url(Fixture.path("audio-only.m4a")))
        run.player.seek(to: MediaTime(microseconds: 60_000_000), mode: .exact)
        run.player.start()
        run.waitForEnd()
        let end = run.events.first { $0.type == .seekEnd }?.value(0)
        #expect(end != nil)
        #expect(run.events.last { $0.type == .position }?.value(0) == end)
    }

    @Test func aSeekThatFailsAfterAllWasReadChangesNothing() throws {
        var content = Matroska.head
        for index in 0..<30 { content += Matroska.cluster(index, hasSound: true) }
        let server = try ScriptedServer { [content] index, request in
            index == 0 ? ScriptedServer.answer(request, with: content) : ScriptedServer.status("404 Not Found")
        }
        defer { server.end() }
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        try run.prepare(.url(server.url("/long.mkv"))) { $0.configuration.networkRetryCount = 0 }
        run.wait("all to be read") { $0.type == .demuxEOF }
        run.player.seek(to: .zero, mode: .exact)
        run.wait("the seek to fail") { $0.type == .seekFailed }
        run.player.start()
        run.waitForEnd()
        #expect(run.seeks == [.seekBegin, .seekFailed])
        #expect(log.pictures.count == 30)
        #expect(run.states.last == .completed)
    }
}
