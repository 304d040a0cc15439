// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// Tracks that are selected where it is not simple.
@Suite struct TrackSwitchTests {
    @Test func whereASourceCannotGoBackNothingChanges() throws {
        let reference = FrameLog()
        try PlayerRun(.max, sinks: reference.sinks).playToEnd(Fixture.path("languages.mkv"))
        let directory = try TemporaryDirectory()
        let writer = try PipeWriter(directory.file("pipe"))
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        let player = run.player
        log.atPicture(5) { player.selectTrack(1) }
        try run.play(writer.path)
        writer.open()
        let bytes = try Fixture.bytes("languages.mkv")
        writer.write(bytes[..<(bytes.count / 2)])
        while log.pictures.count < 5 { run.collect() }
        writer.write(bytes[(bytes.count / 2)...])
        writer.close()
        run.waitForEnd()
        #expect(run.failures.map(\.error.code) == [.notSeekable])
        #expect(run.failures.allSatisfy { !$0.isFatal })
        #expect(log.pictures == reference.pictures)
        #expect(log.sounds == reference.sounds)
        #expect(run.count(.trackChanged) == 0)
        #expect(run.states.last == .completed)
    }

    @Test func aTrackSelectedBeforeTheSourceIsPreparedIsToldWhenItIsPlayed() throws {
        let run = PlayerRun()
        try run.set(.url(Fixture.path("languages.mkv")))
        run.player.selectTrack(1)
        run.player.prepare()
        run.player.start()
        run.waitForEnd()
        #expect(run.events.filter { $0.type == .trackChanged }.map { $0.value(0) } == [1])
        #expect(run.events.filter { $0.type == .rendition }.map { $0.value(1) } == [120, 60])
        #expect(run.events.filter { $0.type == .videoSize }.map { $0.value(0) } == [80])
        #expect(run.counts.presented == 50)
    }

    @Test func aPreparedPlayerStaysAtItsStartWhenATrackIsSelected() throws {
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        let start = MediaTime(microseconds: 1_000_000)
        try run.prepare(.url(Fixture.path("languages.mkv"))) { $0.startTime = start }
        run.wait("all to be read") { $0.type == .demuxEOF }
        #expect(run.player.currentPosition == start)
        run.player.selectTrack(1)
        run.wait("the other track") { $0.type == .trackChanged }
        run.player.start()
        run.waitForEnd()
        #expect(log.pictures.count == 25)
        #expect(log.pictures.allSatisfy { $0 >= start })
    }

    @Test func aTrackSelectedAndTakenBackIsNoChange() throws {
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        let player = run.player
        log.atPicture(10) {
            player.selectTrack(3)
            player.selectTrack(2)
        }
        try run.playToEnd(Fixture.path("languages.mkv"))
        #expect(run.count(.trackChanged) == 0)
        #expect(log.pictures == log.pictures.sorted())
        #expect((50...51).contains(log.pictures.count))
    }
}
