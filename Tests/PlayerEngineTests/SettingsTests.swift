// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// Rate, mute and volume, and where playback ends.
@Suite struct SettingsTests {
    private static func settings(rate: Double) -> PlaybackSettings {
        var settings = PlaybackSettings()
        settings.set(rate: rate)
        return settings
    }

    @Test(arguments: [(0.5, 4_000_000), (1, 2_000_000), (1.25, 1_600_000), (2, 1_000_000)])
    func mediaTakesItsDurationOverTheRate(_ rate: Double, _ expected: Int64) throws {
        let clock = HandClock()
        let run = PlayerRun(clock: clock)
        run.player.apply(SettingsTests.settings(rate: rate))
        try run.play(Fixture.path("video-only.mp4"))
        run.drive(clock)
        #expect(run.elapsed == expected)
        #expect(run.counts.presented == 50)
        let told = run.events.filter { $0.type == .rate }.map { $0.value(0) }
        #expect(told == (rate == 1 ? [] : [Int64(rate * 1000)]))
    }

    @Test func aChangeOfRateKeepsThePosition() throws {
        let clock = HandClock()
        let log = FrameLog()
        let run = PlayerRun(clock: clock, sinks: log.sinks)
        let player = run.player
        log.atPicture(26) { player.apply(SettingsTests.settings(rate: 2)) }
        try run.play(Fixture.path("video-only.mp4"))
        run.drive(clock)
        #expect(run.elapsed == 1_500_000)
        let change = run.events.first { $0.type == .rate }
        #expect(change?.position?.microseconds == 1_000_000)
    }

    @Test func muteAndVolumeReachTheSound() throws {
        let log = FrameLog()
        let run = PlayerRun(.max, sinks: log.sinks)
        let player = run.player
        var settings = PlaybackSettings()
        settings.set(volume: 0.5)
        player.apply(settings)
        settings.isMuted = true
        let muted = settings
        log.atPicture(20) { player.apply(muted) }
        try run.playToEnd(Fixture.path("clip.mp4"))
        let gains = log.sounds.map(\.gain)
        #expect(gains.first == 0.5 && gains.last == 0)
        #expect(gains == gains.sorted(by: >))
        #expect(run.events.filter { $0.type == .mute }.map { [$0.values[0], $0.values[1]] } == [[0, 500], [1, 500]])
    }

    struct End: Sendable {
        var start: Int64?
        var end: Int64?
        var preview: Int64?
        var pictures: Range<Int>
        var reason: StopReason?
    }

    @Test(arguments: [
        End(end: 1_000_000, pictures: 0..<25, reason: .until),
        End(preview: 400_000, pictures: 0..<10, reason: .previewEnd),
        End(end: 1_000_000, preview: 400_000, pictures: 0..<10, reason: .previewEnd),
        End(end: 400_000, preview: 1_000_000, pictures: 0..<10, reason: .until),
        End(start: 1_000_000, end: 1_400_000, pictures: 25..<35, reason: .until),
        End(start: 1_000_000, end: 500_000, pictures: 0..<0, reason: .until),
        End(end: 10_000_000, pictures: 0..<50),
        End(start: 10_000_000, pictures: 0..<0),
    ])
    func playbackEndsWhereItsModelSays(_ end: End) throws {
        let clock = HandClock()
        let log = FrameLog()
        let run = PlayerRun(clock: clock, sinks: log.sinks)
        try run.play(Fixture.path("video-only.mp4")) { model in
            model.startTime = end.start.map(MediaTime.init(microseconds:))
            model.endTime = end.end.map(MediaTime.init(microseconds:))
            model.configuration.previewTime = end.preview.map { .microseconds($0) }
        }
        run.drive(clock)
        #expect(log.pictures == end.pictures.map { MediaTime(microseconds: Int64($0) * 40_000) })
        #expect(run.events.first { $0.type == .stop }?.stopReason == end.reason)
        #expect(run.states.last == (end.reason == nil ? .completed : .stopped))
        #expect(run.player.state == run.states.last)
        if let reason = end.reason {
            let limit = reason == .until ? end.end : end.preview
            let last = run.events.last { $0.type == .position }
            #expect(last?.value(0) == limit)
        }
        run.player.start()
        #expect(run.player.state == run.states.last)
    }
}
