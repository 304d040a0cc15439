// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerEngine
import Testing

@Suite(.serialized) struct TrackTests {
    static let files = ["languages.mkv", "languages.mp4"]

    @Test(arguments: files)
    func aPreparedPlayerListsItsTracks(_ name: String) throws {
        let run = PlayerRun()
        try run.prepare(.url(Fixture.path(name)))
        run.wait("prepared") { $0.playerState == .prepared }
        let tracks = run.player.tracks
        #expect(tracks.map(\.index) == [0, 1, 2, 3])
        #expect(tracks.map(\.kind) == [.video, .video, .audio, .audio])
        #expect(tracks.map(\.height) == [120, 60, nil, nil])
        let languages = tracks.map { $0.language?.prefix(2) }
        #expect(languages[2] == "en" && languages[3] == "de")
        let told = run.events.first { $0.type == .trackReady }
        #expect(told?.tracks == tracks)
        run.player.stop()
        #expect(run.player.tracks.isEmpty)
    }

    @Test(arguments: files)
    func preferencesChooseAmongTracks(_ name: String) throws {
        let run = PlayerRun()
        try run.playToEnd(Fixture.path(name)) { model in
            model.configuration.preferredTracks.maxHeight = 100
            model.configuration.preferredTracks.language = "de"
        }
        #expect(run.media?.video?.height == 60)
        #expect(run.events.first { $0.type == .rendition }?.value(1) == 60)
        #expect(run.events.filter { $0.type == .videoSize }.map { $0.value(0) } == [80])
        #expect(run.counts.presented == 50)
    }

    @Test(arguments: [true, false])
    func aKindThatIsDisabledIsLeftOut(_ isVideo: Bool) throws {
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        try run.playToEnd(Fixture.path("clip.mp4")) { model in
            model.configuration.isVideoDisabled = isVideo
            model.configuration.isAudioDisabled = !isVideo
        }
        #expect(log.pictures.isEmpty == isVideo)
        #expect(log.sounds.isEmpty != isVideo)
        #expect((run.media?.video == nil) == isVideo)
        #expect(run.states.last == .completed)
    }

    @Test(arguments: files, [true, false])
    func anotherTrackTakesOverWhereTheFormerWas(_ name: String, _ isPaused: Bool) throws {
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        let player = run.player
        log.atPicture(20) {
            if isPaused { player.pause() }
            player.selectTrack(1)
            player.selectTrack(3)
        }
        try run.play(Fixture.path(name))
        if isPaused {
            run.wait("the other track") { $0.type == .videoSize && $0.value(0) == 80 }
            #expect(player.state == .paused)
            player.start()
        }
        run.waitForEnd()
        #expect(log.pictures == log.pictures.sorted())
        #expect((50...51).contains(log.pictures.count))
        let changes = run.events.filter { $0.type == .trackChanged }.map { $0.value(0) }
        #expect(changes == [1, 3])
        #expect(run.events.filter { $0.type == .rendition }.map { $0.value(1) } == [120, 60])
        #expect(run.events.filter { $0.type == .videoSize }.map { $0.value(0) } == [160, 80])
        #expect(run.count(.opened) == 1)
        #expect(run.count(.firstVideoFrame) == 1)
        #expect(run.seeks.isEmpty)
        // Sound goes on without a gap and without a repetition.
        for (former, next) in zip(log.sounds, log.sounds.dropFirst()) {
            #expect(abs(next.time.microseconds - former.end.microseconds) < 45_000)
        }
    }

    @Test func aVariantOfAPlaylistTakesOver() throws {
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        let player = run.player
        log.atPicture(30) { player.selectTrack(1) }
        try run.playToEnd(Fixture.path("variants.m3u8"))
        #expect(run.events.first { $0.type == .trackReady }?.tracks?.map(\.height) == [120, 60])
        #expect(log.pictures == log.pictures.sorted())
        #expect((50...51).contains(log.pictures.count))
        #expect(run.events.filter { $0.type == .rendition }.map { $0.value(1) } == [120, 60])
        #expect(run.events.filter { $0.type == .videoSize }.map { $0.value(0) } == [160, 80])
        #expect(run.count(.opened) == 1)
        #expect(run.failures.isEmpty)
    }

    @Test(arguments: [-1, 0, 4, 99])
    func whatIsNoOtherTrackChangesNothing(_ index: Int) throws {
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        let player = run.player
        log.atPicture(10) { player.selectTrack(index) }
        try run.playToEnd(Fixture.path("languages.mkv"))
        #expect(log.pictures.count == 50)
        #expect(run.count(.trackChanged) == 0)
        #expect(run.failures.isEmpty)
    }
}
