// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

/// Public bug cases about what a player brings along from whoever had it before.
@Suite struct ResetCaseTests {
    /// A model in which nothing is as it is by default.
    private static func unusualModel() throws -> PlayerModel {
        var model = PlayerModel(videoSource: .url(Media.path("languages.mp4")))
        model.sceneType = .videoList
        model.coverURL = "cover.jpg"
        model.videoTitle = "title"
        model.autoPlay = false
        model.startTime = MediaTime(microseconds: 200_000)
        model.endTime = MediaTime(microseconds: 900_000)
        model.endsAtFirstFrame = true
        model.traceID = "trace"
        model.onPlayerConfig = { _ in }
        model.configuration.scene = .short
        model.configuration.startBuffer = .milliseconds(1)
        model.configuration.highBuffer = .milliseconds(2)
        model.configuration.maxBuffer = .milliseconds(3000)
        model.configuration.maxBufferBytes = 2 << 20
        model.configuration.networkTimeout = .milliseconds(4)
        model.configuration.networkRetryCount = 5
        model.configuration.networkRetryInterval = .milliseconds(6)
        model.configuration.referer = "https://example.com"
        model.configuration.userAgent = "agent"
        model.configuration.httpHeaders = [.init("Authorization", "secret")]
        model.configuration.isVideoDisabled = true
        model.configuration.isAudioDisabled = true
        model.configuration.previewTime = .milliseconds(800)
        model.configuration.decoderThreads = 3
        model.configuration.preferredTracks.language = "de"
        return model
    }

    private static func unusualSettings() -> PlaybackSettings {
        var settings = PlaybackSettings()
        settings.set(rate: 1.25)
        settings.set(volume: 0.25)
        settings.isMuted = true
        settings.loop = .times(3)
        return settings
    }

    /// The properties of a value that are as those of another.
    private func alike<Value>(_ value: Value, _ other: Value) -> [String] {
        zip(Mirror(reflecting: value).children, Mirror(reflecting: other).children)
            .filter { String(describing: $0.value) == String(describing: $1.value) }.compactMap(\.0.label)
    }

    @Test("B45: nothing that a use can set is there for the next: the player is as a new one")
    func asNew() throws {
        let live = try LiveStage(lifecycle: "reuse-pool")
        let new = try live.pool.acquirePlayer(uniqueID: "new")
        #expect(new.player.differencesFromNew == [])
        var model = try Self.unusualModel()
        let settings = Self.unusualSettings()
        // Whatever comes to be settable is set here as well.
        #expect(alike(model, PlayerModel(videoSource: .url(""))) == [])
        #expect(alike(model.configuration, PlayerConfiguration()) == [])
        #expect(alike(settings, PlaybackSettings()) == [])
        // It could not be prepared without any track, nor go anywhere if it ended at once.
        model.configuration.isVideoDisabled = false
        model.configuration.isAudioDisabled = false
        model.endsAtFirstFrame = false
        let output = EventOutput(
            controller: live.controller.id, session: SessionID(rawValue: 1000), clock: live.clock,
            queue: live.environment.queue)
        try new.player.setDataSource(model, output: output)
        new.player.apply(settings)
        new.player.prepare()
        new.player.start()
        #expect(Patience.wait { new.player.state == .playing && new.player.currentPosition > .zero })
        new.player.selectTrack(try #require(new.player.tracks.last { $0.kind == .audio }).index)
        let left = new.player.differencesFromNew.map { $0.prefix { $0 != " " } }
        #expect(
            left.filter { $0 != "buffered" } == [
                "state", "source", "session", "position", "duration", "4", "the", "rate", "loop", "muted", "volume",
            ])
        #expect(live.pool.recyclePlayer(new) == .pooled)
        let next = try live.pool.acquirePlayer(uniqueID: "next")
        #expect(next.origin == .reused && next.player === new.player)
        #expect(next.player.differencesFromNew == [])
        #expect(live.pool.counts.resetViolations == 0)
        live.pool.recyclePlayer(next, force: true)
        live.controller.destroy()
    }
}
