// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// A playback that goes on under another session, and one that is shown before it is played.
@Suite struct HandoverTests {
    private static let farewell = PlayerEvent.takenOver

    /// The events of one session.
    private func events(of session: UInt32, in run: PlayerRun) -> [PlayerEvent] {
        run.events.filter { $0.session == SessionID(rawValue: session) }
    }

    private func presented(in events: [PlayerEvent]) -> Int64? {
        events.last { $0.type == .frames }?.frameCounts?.presented
    }

    @Test func whatIsPreparedShowsItsFirstPictureAndGoesNoFurther() throws {
        let log = FrameLog()
        let run = PlayerRun(sinks: log.sinks)
        try run.prepare(.url(Fixture.path("clip.mp4")))
        run.player.preview()
        run.wait("a preview") { $0.type == .firstVideoFrame && $0.values[1] == 1 }
        #expect(log.pictures == [.zero])
        #expect(run.player.state == .prepared)
        run.player.start()
        run.waitForEnd()
        // The picture is the viewer's now, and is not shown twice.
        #expect(run.events.count { $0.type == .firstVideoFrame && $0.values[1] == 0 } == 1)
        #expect(log.pictures.count == 50)
        #expect(Set(log.pictures).count == 50)
        #expect(run.counts.presented == 50)
    }

    @Test func aPreviewThatIsAskedForBeforeItIsPreparedIsShown() throws {
        let log = FrameLog()
        let run = PlayerRun(sinks: log.sinks)
        try run.prepare(.url(Fixture.path("clip.mp4")))
        run.player.preview()
        run.wait("a preview") { $0.type == .firstVideoFrame }
        run.player.destroy()
        #expect(log.pictures == [.zero])
        #expect(log.sounds.isEmpty)
    }

    @Test func aPlaybackGoesOnUnderAnotherSession() throws {
        let log = FrameLog()
        let run = PlayerRun(sinks: log.sinks)
        let second = run.makeOutput(2)
        log.atPicture(20) { [player = run.player] in _ = player.attach(to: second, farewell: HandoverTests.farewell) }
        try run.playToEnd(Fixture.path("clip.mp4"))
        let (former, next) = (events(of: 1, in: run), events(of: 2, in: run))
        // Nothing is opened again, nothing is shown twice or left out.
        #expect(run.count(.opened) == 1)
        #expect(log.pictures.count == 50 && Set(log.pictures).count == 50)
        #expect(former.last?.type == .takenOver)
        #expect(presented(in: former) == 20)
        #expect(presented(in: next) == 30)
        let types = next.map(\.type)
        #expect(
            types.starts(with: [.trackReady, .rendition, .prepared, .state, .videoSize, .firstVideoFrame, .position]))
        #expect(types.count { $0 == .firstVideoFrame } == 1)
        #expect(types.contains(.firstAudio))
        #expect(types.suffix(2) == [.completed, .state])
        #expect(next.compactMap(\.playerState) == [.playing, .completed])
    }

    @Test func aSessionThatTakesOverHearsHowItIsPlayed() throws {
        let log = FrameLog()
        let run = PlayerRun(sinks: log.sinks)
        var settings = PlaybackSettings()
        _ = settings.set(rate: 1.5)
        settings.isMuted = true
        run.player.apply(settings)
        let second = run.makeOutput(2)
        log.atPicture(20) { [player = run.player] in _ = player.attach(to: second, farewell: HandoverTests.farewell) }
        try run.playToEnd(Fixture.path("clip.mp4"))
        let next = events(of: 2, in: run)
        #expect(next.first { $0.type == .rate }?.values[0] == 1500)
        #expect(next.contains { $0.type == .mute })
    }

    @Test func aPausedPlaybackStaysPaused() throws {
        let log = FrameLog()
        let run = PlayerRun(sinks: log.sinks)
        log.atPicture(10) { [player = run.player] in player.pause() }
        try run.play(Fixture.path("clip.mp4"))
        run.wait("the pause") { $0.playerState == .paused }
        #expect(run.player.attach(to: run.makeOutput(2), farewell: HandoverTests.farewell))
        run.wait("the other session") { $0.session == SessionID(rawValue: 2) && $0.type == .position }
        #expect(events(of: 2, in: run).compactMap(\.playerState) == [.paused])
        #expect(log.pictures.count == 10)
        run.player.start()
        run.waitForEnd()
        #expect(log.pictures.count == 50)
    }

    @Test func whatIsStillBeingPreparedIsHandedOver() throws {
        let server = try SilentServer()
        let run = PlayerRun(.realTime)
        try run.prepare(.url("http://127.0.0.1:\(server.port)/clip.mp4"))
        run.wait("preparing") { $0.playerState == .preparing }
        #expect(run.player.attach(to: run.makeOutput(2), farewell: HandoverTests.farewell))
        run.player.stop()
        run.collect()
        #expect(events(of: 1, in: run).last?.type == .takenOver)
        #expect(events(of: 2, in: run).compactMap(\.playerState) == [.preparing, .stopped])
    }

    @Test func anErrorIsTheNewSessions() throws {
        let run = PlayerRun(.realTime)
        let server = try SilentServer()
        try run.prepare(.url("http://127.0.0.1:\(server.port)/clip.mp4"))
        run.wait("preparing") { $0.playerState == .preparing }
        #expect(run.player.attach(to: run.makeOutput(2), farewell: HandoverTests.farewell))
        server.acceptOne(answering: "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        run.waitForEnd()
        #expect(events(of: 1, in: run).last?.type == .takenOver)
        #expect(events(of: 2, in: run).contains { $0.failure?.isFatal == true })
    }

    @Test func whatIsOverIsNotHandedOver() throws {
        let run = PlayerRun()
        #expect(!run.player.attach(to: run.makeOutput(2), farewell: HandoverTests.farewell))
        try run.playToEnd(Fixture.path("clip.mp4"))
        #expect(!run.player.attach(to: run.makeOutput(2), farewell: HandoverTests.farewell))
        run.collect()
        #expect(events(of: 2, in: run).isEmpty)
        #expect(!events(of: 1, in: run).contains { $0.type == .takenOver })
    }

    /// Whenever it comes, both sessions hear how theirs ends.
    @Test func itMayComeAtTheEnd() throws {
        for picture in 45...50 {
            let log = FrameLog()
            let run = PlayerRun(sinks: log.sinks)
            let second = run.makeOutput(2)
            log.atPicture(picture) { [player = run.player] in
                _ = player.attach(to: second, farewell: HandoverTests.farewell)
            }
            try run.playToEnd(Fixture.path("video-only.mp4"))
            #expect(events(of: 1, in: run).last?.type == .takenOver)
            #expect(events(of: 2, in: run).contains { $0.type == .completed })
            #expect(presented(in: events(of: 1, in: run)) == Int64(picture))
        }
    }
}
