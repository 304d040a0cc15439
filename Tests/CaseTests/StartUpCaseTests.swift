// SPDX-License-Identifier: Apache-2.0

import JSONText
import MediaCore
import PlayerRuntime
import TestSupport
import Testing

/// Public bug cases about the first frame and the way to it.
@Suite struct StartUpCaseTests {
    private static let long = Media.path("long.mp4")

    @Test("B01: the user's wait before play is told apart from the player's time")
    func userWait() throws {
        let stage = try LiveStage()
        stage.configure(Self.long, autoPlay: false)
        stage.wait(for: .prepared)
        stage.pass(3000)
        stage.controller.play()
        stage.wait(for: .firstVideoFrame)
        stage.play(200)
        let session = try #require(try stage.end().first)
        #expect(session["first_frame"]?["total_ms"] == 3000)
        #expect(session["first_frame"]?["user_wait_ms"] == 3000)
        #expect(session["first_frame"]?["effective_ms"] == 0)
        #expect(session["join_ms"] == 0)
        #expect(session["states_ms"]?["join_paused"] == 3000)
    }

    @Test("B02: a seek before play makes the join no figure, and the total counts from preparing")
    func seekBeforePlay() throws {
        let stage = try LiveStage()
        stage.configure(Self.long, autoPlay: false)
        stage.wait(for: .prepared)
        stage.pass(500)
        stage.seek(to: 5000)
        stage.pass(500)
        stage.controller.play()
        stage.wait(for: .firstVideoFrame)
        stage.play(200)
        let session = try #require(try stage.end().first)
        #expect(session["join_ms"] == .null)
        #expect(session["join_invalid"] == "seek")
        #expect(session["first_frame"]?["total_ms"] == 1000)
        #expect(stage.events.first { $0.type == .firstVideoFrame }?.values[0] == 5_000_000)
    }

    @Test("B05: time in the background before the first frame is no start-up time")
    func startInBackground() throws {
        let stage = try LiveStage()
        stage.configure(Self.long)
        stage.controller.onPause()
        stage.wait(for: .prepared)
        stage.pass(4000)
        #expect(stage.count(.firstVideoFrame) == 0)
        stage.controller.onResume()
        stage.wait(for: .firstVideoFrame)
        stage.play(200)
        let session = try #require(try stage.end().first)
        #expect(session["states_ms"]?["background"] == 4000)
        #expect(session["join_ms"] == 0)
        #expect(session["watched_ms"] == 200)
    }

    @Test("B06: the first frame is told once, whatever is sought, looped, paused or switched to")
    func firstFrameOnce() throws {
        let stage = try LiveStage()
        stage.controller.setLoop(.times(1))
        stage.configure(Media.path("languages.mp4"))
        stage.wait(for: .firstVideoFrame)
        for target: Int64 in [1000, 0, 1500, 400] {
            stage.seek(to: target)
            stage.wait(for: .seekEnd)
            stage.play(100)
        }
        stage.controller.pause()
        stage.seek(to: 1200)
        stage.wait(for: .seekEnd)
        stage.controller.play()
        let other = try #require(stage.controller.tracks.last { $0.kind == .audio })
        stage.controller.selectTrack(other.index)
        stage.wait(for: .trackChanged)
        stage.play(until: .loop)
        stage.play(until: .completed)
        #expect(stage.count(.firstVideoFrame) == 1)
        #expect(stage.count(.firstAudio) == 1)
        let session = try #require(try stage.end().first)
        #expect(session["seeks"]?["completed"] == 5)
        #expect(session["loop_count"] == 1)
    }

    @Test("B07: who registers after the first frame is told of it, with its own time")
    func lateRegistration() throws {
        let stage = try LiveStage()
        stage.pass(700)
        stage.configure(Self.long, autoPlay: false)
        stage.wait(for: .prepared)
        stage.pass(300)
        stage.controller.play()
        stage.wait(for: .firstVideoFrame)
        stage.play(1000)
        let monitor = FakeMonitor("late")
        stage.controller.strategyManager.register(monitor)
        stage.controller.strategyManager.register(try LiveStage.monitor("first-frame", name: "late-first-frame"))
        stage.play(100)
        let frames = monitor.events.filter { $0.type == .firstVideoFrame }
        #expect(frames.map(\.time.microseconds) == [1_000_000])
        #expect(frames.allSatisfy { $0.flags.contains(.replayed) })
        let session = try #require(try stage.end().first)
        let late = session["plugins"]?["late-first-frame"]?["first_frame"]
        #expect(late?["render_ms"] == session["first_frame"]?["render_ms"])
        // It has not seen when preparing began, and does not make it up.
        #expect(late?["total_ms"] == .null)
        #expect(late?["partial"] == true)
        #expect(session["first_frame"]?["partial"] == nil)
    }

    @Test("B08: a source that is slow at its first byte joins at its first frame, not before")
    func slowSource() throws {
        let valve = Valve(openTo: 0)
        let server = try ScriptedServer(serving: try Array(contentsOf: Self.long), through: valve)
        defer { server.end() }
        let stage = try LiveStage()
        stage.configure(server.url())
        #expect(valve.holds())
        stage.pass(2000)
        #expect(try stage.open?["states_ms"]?["joining"] == 2000)
        #expect(try stage.open?["states_ms"]?["playing"] == 0)
        valve.open()
        stage.wait(for: .firstVideoFrame)
        stage.waitUntilReadOut()
        stage.play(200)
        let session = try #require(try stage.end().first)
        #expect(session["join_ms"] == 2000)
        #expect(session["states_ms"]?["playing"] == 200)
        #expect(session["stalls"]?["count"] == 0)
    }

    @Test("B09: sound alone has no first frame, and its play counts from the first sample")
    func soundAlone() throws {
        let stage = try LiveStage()
        stage.configure(Media.path("audio-only.m4a"), autoPlay: false)
        stage.wait(for: .prepared)
        stage.pass(300)
        stage.controller.play()
        stage.wait(for: .firstAudio)
        stage.play(until: .completed)
        #expect(stage.count(.firstVideoFrame) == 0)
        let session = try #require(try stage.end().first)
        #expect(session["outcome"] == "complete")
        #expect(session["first_frame"]?["first_audio_ms"] == 300)
        #expect(session["first_frame"]?["total_ms"] == .null)
        let elapsed = try #require(session["elapsed_ms"]?.number)
        #expect(session["stutter"]?["valid_play_ms"]?.number == elapsed - 300)
        #expect(session["errors"] == [])
    }

    enum StartUp: String, CaseIterable {
        case pause, seek, stop
    }

    @Test(
        "B11: what happens while it starts makes the join no figure, and says what it was", arguments: StartUp.allCases)
    func startUpInterfered(by action: StartUp) throws {
        let valve = Valve(openTo: 0)
        let server = try ScriptedServer(serving: try Array(contentsOf: Self.long), through: valve)
        defer { server.end() }
        let stage = try LiveStage()
        stage.configure(server.url())
        #expect(valve.holds())
        stage.pass(300)
        switch action {
        case .pause:
            stage.controller.pause()
            stage.pass(100)
            stage.controller.play()
        case .seek: stage.seek(to: 1000)
        case .stop: stage.controller.stop()
        }
        if action != .stop {
            valve.open()
            stage.wait(for: .firstVideoFrame)
            stage.play(100)
        }
        let session = try #require(try stage.end().first)
        #expect(session["join_ms"] == .null)
        #expect(session["join_invalid"]?.string == action.rawValue)
        #expect(session["outcome"] == (action == .stop ? "ebvs" : "partial"))
        #expect((session["click_to_frame_ms"] == .null) == (action == .stop))
    }
}
