// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// What the engine tells of what it delivers: runs of late pictures, pictures in a second, sound beside them, gaps of loops, bytes.
@Suite struct DeliveryTests {
    private static func looped(_ count: Int) -> PlaybackSettings {
        var settings = PlaybackSettings()
        settings.loop = .times(count)
        return settings
    }

    /// Plays on a clock that an output moves while it is given pictures, as one does that takes its time.
    ///
    /// - Parameter delays: the milliseconds that a picture takes, by its number from 1.
    private static func play(
        _ name: String, delays: [Int: Int64], loops: Int = 0
    ) throws -> (run: PlayerRun, pictures: [Int64]) {
        let clock = HandClock()
        let log = FrameLog()
        for (number, delay) in delays { log.atPicture(number) { clock.advance(milliseconds: delay) } }
        let run = PlayerRun(clock: clock, sinks: log.sinks)
        run.player.apply(looped(loops))
        try run.play(Fixture.path(name))
        run.drive(clock)
        return (run, log.pictures.map(\.microseconds))
    }

    @Test func theLongestRunOfLatePicturesIsTold() throws {
        let (run, pictures) = try DeliveryTests.play("video-only.mp4", delays: [10: 400, 18: 160])
        // 25 pictures a second: what is missing between two that were shown was left out.
        let runs = zip(pictures, pictures.dropFirst()).map { ($1 - $0) / 40_000 - 1 }
        #expect(runs.filter { $0 > 0 }.count > 1)
        #expect(run.counts.droppedLate == runs.reduce(0, +))
        #expect(run.counts.maxConsecutiveDropped == runs.max())
        let once = try DeliveryTests.play("video-only.mp4", delays: [:]).run
        #expect(once.counts.maxConsecutiveDropped == 0)
    }

    @Test func eachFullSecondOfPlayingTellsItsPictures() throws {
        let run = try DeliveryTests.play("video-only.mp4", delays: [:], loops: 2).run
        #expect(run.rates == Array(repeating: [25, 1], count: 6))
        let told = run.events.filter { $0.type == .frameRate }.map { $0.time - run.events[0].time }
        #expect(zip(told, told.dropFirst()).allSatisfy { $1 - $0 == 1_000_000 })
        #expect(try DeliveryTests.play("audio-only.m4a", delays: [:]).run.rates.isEmpty)
    }

    @Test func secondsWithoutAPictureAreTold() throws {
        // The 11th picture takes 2.2 s: ten and it in the first second, none in the next, and what is left in the third.
        let run = try DeliveryTests.play("long.mp4", delays: [11: 2200]).run
        #expect(run.rates.starts(with: [[11, 1], [0, 1]]))
    }

    @Test func aPauseIsNoPartOfASecond() throws {
        let clock = HandClock()
        let log = FrameLog()
        let run = PlayerRun(clock: clock, sinks: log.sinks)
        let player = run.player
        log.atPicture(14) { player.pause() }
        try run.play(Fixture.path("video-only.mp4"))
        run.drive(clock) { $0.states.last == .paused }
        clock.advance(milliseconds: 3300)
        // Shown in the pause, each in place of the one before.
        for second in [1, 0, 1] {
            run.player.seek(to: MediaTime(microseconds: Int64(second) * 1_000_000), mode: .exact)
            run.wait("the seek's end") { $0.type == .seekEnd }
        }
        run.player.start()
        run.drive(clock)
        // 14 pictures until 520 ms, then those from 1 s on, until 1480: 12 of them.
        #expect(run.rates == [[26, 1]])
    }

    @Test func soundIsAheadOfALatePicture() throws {
        let run = try DeliveryTests.play("clip.mp4", delays: [10: 70]).run
        // 360 + 70 ms: the next picture, of 400, comes 30 late.
        #expect(Set(run.offsets) == [0, 30_000])
        #expect(run.offsets.count > 10)
        #expect(try DeliveryTests.play("video-only.mp4", delays: [10: 70]).run.offsets.isEmpty)
        // Lateness says nothing where time waits for nobody.
        let fast = PlayerRun(.max)
        try fast.playToEnd(Fixture.path("clip.mp4"))
        #expect(fast.offsets.isEmpty)
    }

    @Test func aWrapTellsItsGap() throws {
        let run = try DeliveryTests.play("video-only.mp4", delays: [:], loops: 2).run
        #expect(run.gaps == [0, 0])
        #expect(run.count(.loadingBegin) == 0)
        // The last picture is on until 2 s, and was begun at 1.96: shown for 30 ms more, for 1.96 s more.
        let short = try DeliveryTests.play("video-only.mp4", delays: [50: 70], loops: 1).run
        #expect(short.gaps == [30_000])
        #expect(short.count(.loadingBegin) == 0)
        let long = try DeliveryTests.play("video-only.mp4", delays: [50: 2000], loops: 1).run
        #expect(long.gaps == [1_960_000])
        let begin = try #require(long.events.first { $0.type == .loadingBegin })
        #expect(begin.value(0) == Int64(LoadingCause.loop.rawValue))
        #expect(begin.value(1).map { begin.time.microseconds - $0 } == 1_960_000)
        #expect(long.count(.loadingEnd) == 1)
        #expect(long.states.last == .completed)
    }

    @Test("A wrap that waits for its source tells for how long it was wanted", arguments: [false, true])
    func aWrapThatWaits(isPaused: Bool) throws {
        let content = (0..<25).reduce(into: Matroska.head) { $0 += Matroska.cluster($1, hasSound: true) }
        let valve = Valve(openTo: 0)
        let server = try ScriptedServer { index, request in
            ScriptedServer.answer(request, with: content, through: index == 0 ? nil : valve)
        }
        defer { server.end() }
        let clock = HandClock()
        let run = PlayerRun(clock: clock)
        func step(until isDone: () -> Bool) {
            for _ in 0..<1000 where !isDone() {
                clock.settles(besidesFirst: true)
                clock.advance(milliseconds: 5)
                clock.settles(besidesFirst: true)
                run.collect(waitingUpTo: 0)
            }
            if !isDone() { Issue.record("played in vain; got \(run.names)") }
        }
        run.player.apply(DeliveryTests.looped(1))
        try run.play(server.url("/clip.mkv"))
        run.wait("the first picture") { $0.type == .firstVideoFrame }
        #expect(valve.holds())
        step { run.count(.loop) == 1 && run.events.contains { $0.loadingCause == .loop } }
        let wrapped = try #require(run.events.last { $0.type == .loop }).time
        var pause: Int64 = 0
        if isPaused {
            run.player.pause()
            run.wait("the pause") { $0.playerState == .paused }
            pause = 1_000_000
            clock.advance(milliseconds: 1000)
            run.player.start()
            run.wait("the end of the pause") { $0.playerState == .playing }
        }
        clock.advance(milliseconds: 500)
        valve.open()
        run.wait("the next pass") { $0.type == .loopGap }
        #expect(run.gaps == [clock.now() - wrapped - pause])
        #expect(run.gaps[0] >= 500_000)
        step { run.isOver }
        #expect(run.states.last == .completed)
    }

    @Test func whatIsReadToPrepareIsToldBeforeThat() throws {
        let directory = try TemporaryDirectory()
        let content = (0..<25).reduce(into: Matroska.head) { $0 += Matroska.cluster($1, hasSound: true) }
        let run = PlayerRun()
        try run.prepare(.url(try directory.write(content, to: "clip.mkv")))
        run.wait("all to be read") { $0.type == .demuxEOF }
        let prepared = try #require(run.events.firstIndex { $0.type == .prepared })
        let before = run.events[..<prepared].compactMap(\.bytesRead)
        let after = run.events[prepared...].compactMap(\.bytesRead)
        #expect(before.count == 1 && before[0] > 0)
        // Nothing was presented, and yet it is known what was read.
        #expect(after.last.map { $0 > before[0] } == true)
        #expect(run.count(.position) == 0)
        // What a file gives comes over no network.
        #expect(run.events.allSatisfy { $0.type != .bytes || $0.value(1) == nil && $0.value(2) == nil })
    }

    @Test func whatComesWhileReadingWaitsForItIsTold() throws {
        let content = try Fixture.bytes("long.mp4")
        let (first, slow) = (content.count / 2, 12)
        let server = try ScriptedServer { _, request in
            guard request.rangeStart ?? 0 == 0 else { return ScriptedServer.answer(request, with: content) }
            var steps = ScriptedServer.answer(request, with: content, until: first)
            steps.append(.drip(Array(content[first..<first + slow])))
            steps.append(.bytes(Array(content[(first + slow)...])))
            return steps
        }
        defer { server.end() }
        let run = PlayerRun()
        try run.prepare(.url(server.url("/long.mp4")))
        run.wait("all to be read") { $0.type == .demuxEOF }
        let last = try #require(run.events.last { $0.type == .bytes })
        let (arrived, duration) = (try #require(last.value(1)), try #require(last.value(2)))
        // Twelve bytes, a tenth of a second after each; a busy machine may have come late to some.
        #expect(duration > 500_000)
        #expect(arrived >= slow && arrived <= Int64(content.count))
        let read = try #require(last.bytesRead)
        #expect(read >= Int64(content.count) * 9 / 10)
    }
}

extension PlayerRun {
    /// Pictures and of how many seconds in a row that is the count.
    fileprivate var rates: [[Int64]] {
        events.filter { $0.type == .frameRate }.map { [$0.values[0], $0.values[1]] }
    }

    fileprivate var offsets: [Int64] { events.filter { $0.type == .position }.compactMap { $0.value(2) } }
    fileprivate var gaps: [Int64] { events.filter { $0.type == .loopGap }.map { $0.values[0] } }
}

extension PlayerEvent {
    fileprivate var bytesRead: Int64? { type == .bytes ? value(0) : nil }

    fileprivate var loadingCause: LoadingCause? {
        type == .loadingBegin ? LoadingCause(rawValue: Int32(values[0])) : nil
    }
}
