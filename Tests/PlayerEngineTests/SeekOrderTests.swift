// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// Seeks that meet each other, the beginning, the end, and sources that cannot be seeked.
@Suite struct SeekOrderTests {
    @Test func aNewerSeekSupersedes() throws {
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        let player = run.player
        log.atPicture(5) {
            for target in [3_000_000, 1_000_000, 5_000_000] {
                player.seek(to: MediaTime(microseconds: Int64(target)), mode: .exact)
            }
        }
        try run.playToEnd(Fixture.path("long.mp4"))
        #expect(run.seeks == [.seekBegin, .seekSuperseded, .seekBegin, .seekSuperseded, .seekBegin, .seekEnd])
        #expect(log.pictures.count == 5 + 25)
    }

    @Test(arguments: ["long.mp4", "long.mkv", "long.ts"])
    func seeksFromSeveralThreadsEndInOnePlace(_ name: String) throws {
        let log = FrameLog()
        let run = PlayerRun(.realTime, sinks: log.sinks)
        try run.play(Fixture.path(name))
        let player = run.player
        let threads = try (0..<4).map { thread in
            try MediaThread("test-seek") {
                for index in 0..<25 {
                    let target = Int64((thread * 7 + index * 13) % 45) * 100_000
                    player.seek(to: MediaTime(microseconds: target), mode: index % 2 == 0 ? .exact : .keyframe)
                }
            }
        }
        for thread in threads { thread.join() }
        player.seek(to: MediaTime(microseconds: 4_000_000), mode: .exact)
        run.waitForEnd()
        // Every seek is ended by its picture or by the next one.
        var isUnderWay = false
        for type in run.seeks {
            #expect(isUnderWay == (type != .seekBegin))
            isUnderWay = type == .seekBegin
        }
        #expect(!isUnderWay)
        #expect(run.seeks.count { $0 == .seekBegin } == 101)
        let last = run.events.last { $0.type == .seekEnd }
        let landed = try #require(last?.value(0))
        #expect((4_000_000..<4_040_000).contains(landed))
        #expect(run.count(.firstVideoFrame) <= 1)
        #expect(run.states.last == .completed)
    }

    @Test(arguments: SeekTests.containers.filter { $0 != "open-gop.mp4" })
    func pastTheEndTheLastPictureIsShown(_ name: String) throws {
        let once = FrameLog()
        try PlayerRun(.max, sinks: once.sinks).playToEnd(Fixture.path(name))
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        let player = run.player
        log.atPicture(5) { player.seek(to: MediaTime(microseconds: 3_600_000_000), mode: .exact) }
        try run.playToEnd(Fixture.path(name))
        #expect(log.pictures == Array(once.pictures.prefix(5)) + Array(once.pictures.suffix(1)))
        #expect(run.seeks == [.seekBegin, .seekEnd])
        #expect(run.states.last == .completed)
    }

    @Test func pastTheEndASoundCompletes() throws {
        let run = PlayerRun()
        try run.prepare(.url(Fixture.path("audio-only.m4a")))
        run.player.seek(to: MediaTime(microseconds: 60_000_000), mode: .exact)
        run.player.start()
        run.waitForEnd()
        #expect(run.seeks == [.seekBegin, .seekEnd])
        #expect(run.states.last == .completed)
    }

    @Test(arguments: [0, 10_000, 500_000, 1_234_567, 1_990_000])
    func soundBeginsWithTheFirstSampleAtTheTarget(_ target: Int64) throws {
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        try run.set(.url(Fixture.path("audio-only.m4a")))
        run.player.seek(to: MediaTime(microseconds: target), mode: .exact)
        run.player.prepare()
        run.player.start()
        run.waitForEnd()
        let first = try #require(log.sounds.first)
        // A sample of 48 kHz lasts 21 µs.
        #expect(abs(first.time.microseconds - target) <= 21)
        let rest = 2_005_333 - target
        #expect(abs(Int64(log.sampleCount) * 1000 / 48 - rest) < 100)
        #expect(run.seeks == [.seekBegin, .seekEnd])
    }

    @Test func aSourceThatCannotBeSeekedGoesOnWhereItWas() throws {
        let directory = try TemporaryDirectory()
        let writer = try PipeWriter(directory.file("pipe"))
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        let player = run.player
        log.atPicture(5) { player.seek(to: MediaTime(microseconds: 1_000_000), mode: .exact) }
        try run.play(writer.path)
        writer.open()
        writer.write(try Fixture.bytes("clip.mkv"))
        writer.close()
        run.waitForEnd()
        #expect(run.seeks == [.seekBegin, .seekFailed])
        #expect(run.events.first { $0.type == .seekFailed }?.text.isEmpty == false)
        #expect(log.pictures.count == 50)
        #expect(run.states.last == .completed)
    }

    @Test func aSourceThatCannotBeSeekedIsReadUpToItsStart() throws {
        let directory = try TemporaryDirectory()
        let writer = try PipeWriter(directory.file("pipe"))
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        try run.play(writer.path) { $0.startTime = MediaTime(microseconds: 1_000_000) }
        writer.open()
        writer.write(try Fixture.bytes("clip.mkv"))
        writer.close()
        run.waitForEnd()
        #expect(log.pictures.first?.microseconds == 1_021_000)
        #expect(log.pictures.count == 25)
    }

    @Test func aSeekAfterTheEndIsNothing() throws {
        let run = PlayerRun()
        try run.playToEnd(Fixture.path("clip.mp4"))
        let count = run.events.count
        run.player.seek(to: .zero, mode: .exact)
        run.player.selectTrack(0)
        run.collect()
        #expect(run.events.count == count)
        #expect(run.player.state == .completed)
    }

    @Test func aSeekOfAPreparedPlayerShowsNothingBeforeItIsStarted() throws {
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        try run.prepare(.url(Fixture.path("long.mp4")))
        run.wait("all to be read") { $0.type == .demuxEOF }
        run.player.seek(to: MediaTime(microseconds: 5_000_000), mode: .exact)
        run.wait("the seek to begin") { $0.type == .seekBegin }
        #expect(log.pictures.isEmpty)
        run.player.start()
        run.waitForEnd()
        #expect(log.pictures.count == 25)
        #expect(run.seeks == [.seekBegin, .seekEnd])
    }
}
