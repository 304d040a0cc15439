// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaCore
import PlayerEngine
import Testing

/// Commands at random from several threads at once, and what must hold of the events all the same.
@Suite struct StormTests {
    private static let rounds = 3

    @Test(arguments: ["long.mp4", "long.mkv", "long.ts", "long.flv", "languages.mkv", "open-gop.mp4", "audio-only.m4a"])
    func whateverIsCommandedTheEventsAddUp(_ name: String) throws {
        for round in 0..<StormTests.rounds {
            try storm(name, seed: UInt64(round + 1), speed: round % 2 == 0 ? .max : .realTime)
        }
    }

    private func storm(_ name: String, seed: UInt64, speed: PlayerRun.Speed) throws {
        let comment = Comment(rawValue: "\(name), seed \(seed)")
        let run = PlayerRun(speed)
        try run.play(Fixture.path(name)) { model in
            model.configuration.startBuffer = .milliseconds(100)
            model.configuration.maxBuffer = .milliseconds(500)
        }
        let player = run.player
        let threads = try (0..<3).map { index in
            try MediaThread("test-storm") {
                var random = Seeded(seed: seed &* 31 &+ UInt64(index))
                for _ in 0..<150 {
                    StormTests.command(player, &random)
                    sched_yield()
                }
            }
        }
        for thread in threads {
            thread.join()
            run.collect()
        }
        player.stop()
        run.collect()
        #expect(player.state == .stopped || player.state == .completed || player.state == .error, comment)
        let begun = run.count(.seekBegin)
        let answered = run.count(.seekEnd) + run.count(.seekFailed) + run.count(.seekSuperseded)
        #expect((0...1).contains(begun - answered), comment)
        #expect((0...1).contains(run.count(.loadingBegin) - run.count(.loadingEnd)), comment)
        #expect(run.count(.firstVideoFrame) <= 1, comment)
        #expect(run.count(.firstAudio) <= 1, comment)
        #expect(run.failures.filter(\.isFatal).isEmpty, comment)
        for frames in run.events.compactMap(\.frameCounts) {
            #expect(frames.decoded >= frames.presented + frames.droppedLate, comment)
        }
    }

    private static func command(_ player: any MediaPlayer, _ random: inout Seeded) {
        switch random.next() % 12 {
        case 0, 1, 2: player.seek(to: MediaTime(microseconds: Int64(random.next() % 6_000_000)), mode: .exact)
        case 3: player.seek(to: MediaTime(microseconds: Int64(random.next() % 6_000_000)), mode: .keyframe)
        case 4: player.seek(to: MediaTime(microseconds: .max), mode: .exact)
        case 5: player.pause()
        case 6, 7: player.start()
        case 8: player.selectTrack(Int(random.next() % 5))
        case 9, 10:
            var settings = player.settings
            _ = settings.set(rate: 0.5 + Double(random.next() % 16) / 10)
            settings.isMuted.toggle()
            player.apply(settings)
        default:
            var settings = player.settings
            settings.loop = random.next() % 2 == 0 ? .forever : .off
            player.apply(settings)
        }
    }
}

private struct Seeded {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
