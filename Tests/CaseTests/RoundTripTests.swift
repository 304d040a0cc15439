// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import TestSupport
import Testing

/// What was recorded of live sessions gives the same sessions when it is replayed, byte for byte.
@Suite struct RoundTripTests {
    enum Kind: String, CaseIterable {
        case seeks, stalls, pauses, switches, errors, loops, rate, background, network, leaving, actions
    }

    @Test("a recorded live session replays to the same bytes", arguments: Kind.allCases)
    func replaysToTheSame(_ kind: Kind) throws {
        let directory = try TemporaryDirectory()
        let log = directory.file("events.jsonl")
        let live = try LiveStage(lifecycle: kind == .switches ? "reuse-pool" : nil)
        try RoundTripTests.perform(kind, on: live)
        let count = try live.end().count
        #expect(count >= 1)
        try live.record(to: log)
        let replayed = try Kitshell.replay(log)
        #expect(replayed.sessions.count == count)
        #expect(replayed.sessionsText == live.sessionsText)
        #expect(replayed.status == 0)
    }

    private static func perform(_ kind: Kind, on live: LiveStage) throws {
        switch kind {
        case .seeks: seeks(live)
        case .stalls: try stalls(live)
        case .pauses: pauses(live)
        case .switches: switches(live)
        case .errors: try errors(live)
        case .loops:
            live.controller.setLoop(.times(2))
            live.configure(Media.short)
            live.play(until: .completed)
        case .rate: rate(live)
        case .background: background(live)
        case .network: network(live)
        case .leaving: try leaving(live)
        case .actions: actions(live)
        }
    }

    private static func begin(_ live: LiveStage, _ name: String = "long.mp4", autoPlay: Bool = true) {
        live.configure(Media.path(name), autoPlay: autoPlay)
        live.waitUntilReadOut()
        if autoPlay { live.wait(for: .firstVideoFrame) }
    }

    private static func seeks(_ live: LiveStage) {
        begin(live)
        live.play(330)
        live.seek(to: 4000)
        live.wait(for: .seekEnd)
        live.play(210)
        live.seek(to: 1000, mode: .keyframe)
        // It supersedes that one, unless that one has arrived.
        live.seek(to: 2500)
        live.wait(for: .seekEnd)
        live.controller.pause()
        live.seek(to: 60_000)
        live.wait(for: .seekEnd)
        live.pass(1234)
        live.controller.play()
        live.play(until: .completed)
        // Opens the next session, which continues this one.
        live.seek(to: 5000)
        live.wait(for: .seekEnd)
        live.play(until: .completed)
    }

    private static func stalls(_ live: LiveStage) throws {
        let content = try Array(contentsOf: Media.path("long.mp4"))
        let valve = Valve(openTo: content.count / 3)
        let server = try ScriptedServer(serving: content, through: valve)
        defer { server.end() }
        live.configure(server.url()) { $0.configuration.highBuffer = .milliseconds(500) }
        live.wait(for: .firstVideoFrame)
        for part in 2...3 {
            live.play(until: .demuxUnderrun)
            live.wait(for: .loadingBegin)
            live.pass(777)
            if part == 3 {
                live.controller.pause()
                live.pass(400)
                live.controller.play()
                live.pass(99)
            }
            valve.open(to: content.count * part / 3)
            live.play(until: .loadingEnd)
        }
        live.waitUntilReadOut()
        live.play(until: .completed)
    }

    private static func pauses(_ live: LiveStage) {
        begin(live, autoPlay: false)
        live.pass(1500)
        for _ in 0..<3 {
            live.controller.play()
            live.play(410)
            live.controller.pause()
            live.pass(290)
        }
        live.controller.toggle()
        live.controller.setMuted(true)
        live.controller.setVolume(0.25)
        live.play(300)
        live.controller.stop()
    }

    private static func switches(_ live: LiveStage) {
        for name in ["long.mp4", "clip.mkv", "audio-only.m4a"] {
            begin(live, name, autoPlay: name != "audio-only.m4a")
            live.controller.play()
            live.play(360)
        }
        begin(live, "languages.mp4")
        live.controller.selectTrack(live.controller.tracks.last { $0.kind == .audio }?.index ?? 0)
        live.wait(for: .trackChanged)
        live.play(until: .completed)
        live.controller.replay()
        live.wait(for: .firstVideoFrame)
        live.play(120)
    }

    private static func errors(_ live: LiveStage) throws {
        let content = try Array(contentsOf: Media.path("long.mp4"))
        let server = try ScriptedServer { (index, request) -> [ScriptedServer.Step] in
            index == 0
                ? ScriptedServer.answer(request, with: content, until: content.count / 2)
                : ScriptedServer.status("404 Not Found")
        }
        defer { server.end() }
        live.configure(server.url())
        live.wait(for: .firstVideoFrame)
        #expect(Patience.wait { live.count(.retry) > 0 })
        live.play(until: "the error") { $0.failure?.isFatal == true }
        for name in ["nothing-here.mp4", "text.mp4", "unknown-video.mp4", "damaged.mp4"] {
            live.configure(Media.path(name))
            live.play(until: "the end") { $0.type == .completed || $0.failure?.isFatal == true }
        }
    }

    private static func rate(_ live: LiveStage) {
        live.controller.setRate(2)
        begin(live)
        live.play(500)
        live.controller.setRate(0.5)
        live.play(500)
        live.controller.setRate(1.37)
        live.play(until: .completed)
    }

    private static func background(_ live: LiveStage) {
        begin(live)
        live.play(250)
        live.controller.onPause()
        live.pass(3000)
        live.seek(to: 3000)
        live.wait(for: .seekEnd)
        live.controller.onResume()
        live.play(250)
        live.controller.onPause()
        live.controller.stop()
        begin(live, "clip.mkv", autoPlay: false)
        live.controller.play()
        live.pass(800)
        live.controller.onResume()
        live.wait(for: .firstVideoFrame)
        live.play(100)
    }

    private static func network(_ live: LiveStage) {
        live.environment.setNetwork(NetworkState(.wifi, isMetered: false))
        begin(live)
        for type in [NetworkType.cellular, .none, .cellular, .wifi] {
            live.environment.setNetwork(NetworkState(type, isMetered: type == .cellular ? true : nil))
            live.play(type == .none ? 300 : 1700)
        }
    }

    private static func actions(_ live: LiveStage) {
        live.controller.admitActions()
        begin(live)
        live.play(200)
        let asked: [(ActionRequest.Action, isGranted: Bool)] = [
            (.pause, true), (.seek, true), (.play, false), (.play, true), (.stop, true),
        ]
        for (action, isGranted) in asked {
            guard let last = live.events.last else { return }
            let request = ActionRequest(
                instance: "asker", session: last.session, trigger: last.sequence, action: action, argument: 3_000_000)
            live.controller.act(request, isGranted: isGranted)
            live.wait(for: .actionDone)
            if action == .seek { live.wait(for: .seekEnd) }
            live.pass(40)
        }
    }

    private static func leaving(_ live: LiveStage) throws {
        let server = try ScriptedServer { (_, _) -> [ScriptedServer.Step] in [.stall] }
        defer { server.end() }
        live.configure(server.url())
        live.pass(640)
        live.controller.stop()
        live.configure(server.url(), autoPlay: false)
        live.pass(320)
        live.configure(server.url("/other.mp4"))
        live.pass(160)
    }
}
