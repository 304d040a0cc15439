// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerEngine
import Testing

@Suite struct SeekTests {
    /// Containers that are seeked each in its own way.
    static let containers = [
        "long.mp4", "long.mkv", "long.ts", "long.flv", "long-fragmented.mp4", "long-no-cues.mkv", "video-only.mp4",
        "open-gop.mp4",
    ]
    static let targets: [Int64] = [0, 90_000, 1_000_000, 1_990_000, 2_000_000, 3_410_000]

    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var target: MediaTime
        var mode: SeekMode
        var testDescription: String { "\(name) \(target.milliseconds) \(mode.rawValue)" }
    }

    /// libav's H.264 decoder drops what it drains behind a keyframe that does not close its group, so such a file is left alone near its end.
    static let cases = containers.flatMap { name in
        targets.filter { name != "open-gop.mp4" || $0 < 1_900_000 }.flatMap { target in
            SeekMode.allCases.map { Case(name: name, target: MediaTime(microseconds: target), mode: $0) }
        }
    }

    /// All pictures of a file, and the end of its last.
    private static func reference(_ name: String) throws -> [MediaTime] {
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        try run.playToEnd(Fixture.path(name))
        #expect(run.states.last == .completed)
        return log.pictures
    }

    /// What is shown after a seek: for a keyframe seek the keyframes are every so many pictures.
    private static func expected(_ all: [MediaTime], _ seek: Case) -> [MediaTime] {
        let tolerance: Int64 = 600
        let from = MediaTime(microseconds: seek.target.microseconds - tolerance)
        let exact = Array(all.drop { $0 < from })
        if seek.mode == .exact { return exact.isEmpty ? Array(all.suffix(1)) : exact }
        let group = ["video-only.mp4": 25, "open-gop.mp4": 12][seek.name] ?? 50
        let limit = MediaTime(microseconds: seek.target.microseconds + tolerance)
        let key = all.indices.last { $0 % group == 0 && all[$0] <= limit } ?? 0
        return Array(all[key...])
    }

    @Test(arguments: [MediaTime(microseconds: .max), MediaTime(microseconds: .min)], [0.5, 1, 2])
    func aTimeBeyondAllMediaIsAPlaceLikeAnyOther(_ time: MediaTime, _ rate: Double) throws {
        let run = PlayerRun()
        var settings = run.player.settings
        settings.set(rate: rate)
        run.player.apply(settings)
        try run.set(.url(Fixture.path("clip.mp4"))) { model in
            model.startTime = time
            model.endTime = MediaTime(microseconds: .max)
        }
        run.player.prepare()
        run.player.seek(to: time, mode: .exact)
        run.player.start()
        run.waitForEnd()
        #expect(run.states.last == .completed)
        #expect(run.failures.isEmpty)
        #expect(run.count(.seekEnd) == 1)
    }

    @Test(arguments: cases)
    func aSeekWhilePlayingGoesOnAtItsTarget(_ seek: Case) throws {
        let all = try SeekTests.reference(seek.name)
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        let player = run.player
        log.atPicture(7) { player.seek(to: seek.target, mode: seek.mode) }
        try run.playToEnd(Fixture.path(seek.name))
        let after = SeekTests.expected(all, seek)
        #expect(log.pictures == Array(all.prefix(7)) + after)
        #expect(run.seeks == [.seekBegin, .seekEnd])
        let end = run.events.first { $0.type == .seekEnd }
        #expect(end?.value(0) == after.first?.microseconds)
        #expect(run.states == [.preparing, .prepared, .playing, .completed])
        #expect(run.count(.firstVideoFrame) == 1)
        #expect(run.count(.loadingBegin) == 0)
        #expect(run.counts.decoded == run.counts.presented + run.counts.skipped)
        #expect(run.counts.presented == Int64(log.pictures.count))
    }

    @Test(arguments: cases)
    func aSeekWhilePausedShowsItsTargetAndStands(_ seek: Case) throws {
        let all = try SeekTests.reference(seek.name)
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        let player = run.player
        log.atPicture(7) {
            player.pause()
            player.seek(to: seek.target, mode: seek.mode)
        }
        try run.play(Fixture.path(seek.name))
        run.wait("the end of the seek") { $0.type == .seekEnd }
        let after = SeekTests.expected(all, seek)
        #expect(log.pictures == Array(all.prefix(7)) + Array(after.prefix(1)))
        #expect(run.player.state == .paused)
        player.start()
        run.waitForEnd()
        #expect(log.pictures == Array(all.prefix(7)) + after)
        #expect(run.states == [.preparing, .prepared, .playing, .paused, .playing, .completed])
        #expect(run.count(.firstVideoFrame) == 1)
    }

    @Test(arguments: cases)
    func aSeekBeforeItIsPreparedIsWherePlaybackStarts(_ seek: Case) throws {
        let all = try SeekTests.reference(seek.name)
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        try run.set(.url(Fixture.path(seek.name)))
        run.player.seek(to: seek.target, mode: seek.mode)
        run.player.prepare()
        run.player.start()
        run.waitForEnd()
        #expect(log.pictures == SeekTests.expected(all, seek))
        #expect(run.seeks == [.seekBegin, .seekEnd])
        #expect(run.count(.firstVideoFrame) == 1)
    }

    @Test(arguments: cases.filter { $0.mode == .exact })
    func aStartTimeIsAnExactSeekWithoutEvents(_ seek: Case) throws {
        let all = try SeekTests.reference(seek.name)
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        try run.playToEnd(Fixture.path(seek.name)) { $0.startTime = seek.target }
        let isPastEnd = all.last.map { $0 < seek.target } ?? true
        #expect(log.pictures == (isPastEnd ? [] : SeekTests.expected(all, seek)))
        #expect(run.seeks.isEmpty)
        #expect(run.states.last == .completed)
    }
}

extension PlayerRun {
    /// The types of all seek events in their order.
    var seeks: [EventType] {
        events.map(\.type).filter { [.seekBegin, .seekEnd, .seekSuperseded, .seekFailed].contains($0) }
    }
}
