// SPDX-License-Identifier: Apache-2.0

import JSONText
import MediaCore
import PlayerRuntime
import TestSupport
import Testing

/// Public bug cases about stalls: which loading is one, and how long it is.
@Suite struct StallCaseTests {
    private let content: [UInt8]
    private let valve: Valve
    private let server: ScriptedServer
    private let stage: LiveStage

    /// The index of the clip and its first seconds come at once.
    init() throws {
        content = try Array(contentsOf: Media.path("long.mp4"))
        valve = Valve(openTo: content.count / 2)
        server = try ScriptedServer(serving: content, through: valve)
        stage = try LiveStage()
    }

    /// Plays until nothing is left of what may be read.
    private func playToTheStall() {
        stage.configure(server.url())
        stage.wait(for: .firstVideoFrame)
        stage.waitUntilRead(to: 1000)
        stage.play(until: .demuxUnderrun)
        stage.wait(for: .loadingBegin)
    }

    @Test("B12: of a first load, a seek and a real stall only the third is one")
    func onlyTheRealStall() throws {
        defer { server.end() }
        let first = Valve(openTo: 0)
        let server = try ScriptedServer(serving: content, through: first)
        defer { server.end() }
        stage.configure(server.url())
        #expect(first.holds())
        stage.pass(300)
        first.open(to: content.count / 3)
        stage.wait(for: .firstVideoFrame)
        stage.waitUntilRead(to: 500)
        stage.play(300)
        stage.seek(to: 3000)
        stage.pass(400)
        first.open(to: content.count * 3 / 4)
        stage.wait(for: .seekEnd)
        stage.play(until: .demuxUnderrun)
        stage.wait(for: .loadingBegin)
        stage.pass(700)
        first.open()
        stage.wait(for: .loadingEnd)
        stage.waitUntilReadOut()
        stage.play(200)
        let session = try #require(try stage.end().first)
        #expect(session["stalls"]?["count"] == 1)
        let stall = try #require(session["stalls"]?["list"]?.array?.first)
        let length = try #require(stall["duration_ms"]?.number)
        #expect(length >= 700 && length <= 800)
        #expect(stall["cause"] == "network")
        #expect(session["seeks"]?["latency_ms"] == [400])
        #expect(session["join_ms"] == 300)
    }

    @Test("B13: an empty buffer while nobody wants to play is neither a stall nor an error", arguments: [true, false])
    func emptyWhilePaused(hasStarted: Bool) throws {
        defer { server.end() }
        stage.configure(server.url(), autoPlay: hasStarted)
        if hasStarted {
            stage.wait(for: .firstVideoFrame)
            stage.waitUntilRead(to: 1000)
            stage.play(200)
            stage.controller.pause()
        } else {
            stage.wait(for: .prepared)
        }
        stage.pass(5000)
        #expect(valve.holds())
        let session = try #require(try stage.end().first)
        #expect(session["stalls"]?["count"] == 0)
        #expect((session["stutter"]?["count"]?.int ?? 0) == 0)
        #expect(session["errors"] == [])
        #expect(session["states_ms"]?[hasStarted ? "paused" : "join_paused"] == 5000)
    }

    @Test("B23: a network that is lost while playing is a stall, not a pause")
    func networkLoss() throws {
        defer { server.end() }
        playToTheStall()
        stage.environment.setNetwork(NetworkState(.none))
        stage.pass(1500)
        let stalled = try #require(try stage.open)
        #expect((stalled["states_ms"]?["stalled"]?.number ?? 0) >= 1500)
        #expect(stage.count(.pauseIntent) == 0)
        #expect(stage.controller.playerState == .playing)
        valve.open()
        stage.wait(for: .loadingEnd)
        stage.waitUntilReadOut()
        stage.play(200)
        let session = try #require(try stage.end().first)
        #expect(session["pause_count"] == 0)
        #expect(session["states_ms"]?["paused"] == 0)
        #expect(session["stalls"]?["count"] == 1)
        #expect(session["stalls"]?["list"]?.array?.first?["cause"] == "network")
    }

    @Test("B25: a seek while paused, and the wait after it, is not watched")
    func pausedSeek() throws {
        defer { server.end() }
        valve.open()
        stage.configure(server.url())
        stage.wait(for: .firstVideoFrame)
        stage.waitUntilReadOut()
        stage.play(500)
        stage.controller.pause()
        stage.seek(to: 4000)
        stage.wait(for: .seekEnd)
        stage.pass(10_000)
        let session = try #require(try stage.end().first)
        #expect(session["watched_ms"] == 500)
        #expect(session["states_ms"]?["paused"] == 10_000)
        #expect(session["seeks"]?["completed"] == 1)
    }

    @Test("a seek out of a stall does not wait for what stalls")
    func seekOutOfAStall() throws {
        defer { server.end() }
        playToTheStall()
        stage.pass(400)
        stage.seek(to: 500)
        stage.wait(for: .seekEnd)
        #expect(valve.limit == content.count / 2)
        // What has to be fetched again for it comes in real time.
        stage.waitUntilRead(to: 1200)
        stage.play(200)
        #expect((stage.controller.currentPosition.milliseconds) >= 600)
        let session = try #require(try stage.end().first)
        #expect(session["stalls"]?["count"] == 1)
        #expect(session["seeks"]?["latency_ms"] == [0])
        #expect(session["errors"] == [])
        #expect(session["retries"] == 0)
    }

    @Test("a seek out of a segment that does not come goes to one that did")
    func seekOutOfASegment() throws {
        defer { self.server.end() }
        let segment = try Array(contentsOf: Media.path("clip.ts"))
        let list =
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1.08,\nfirst.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:1.08,\nlast.ts\n"
            + "#EXT-X-ENDLIST\n"
        let valve = Valve(openTo: segment.count / 2)
        let server = try ScriptedServer { (_, request) -> [ScriptedServer.Step] in
            switch request.path {
            case "/list.m3u8": ScriptedServer.answer(request, with: Array(list.utf8))
            case "/last.ts": ScriptedServer.answer(request, with: segment, through: valve)
            default: ScriptedServer.answer(request, with: segment)
            }
        }
        defer { server.end() }
        stage.configure(server.url("/list.m3u8"))
        stage.wait(for: .firstVideoFrame)
        #expect(valve.holds())
        stage.play(until: .demuxUnderrun)
        stage.wait(for: .loadingBegin)
        stage.pass(300)
        stage.seek(to: 20)
        stage.wait(for: .seekEnd)
        stage.play(100)
        valve.open()
        stage.waitUntilReadOut()
        stage.play(until: .completed)
        let session = try #require(try stage.end().first)
        #expect(session["outcome"] == "complete")
        #expect(session["seeks"]?["failed"] == 0)
        #expect(session["errors"] == [])
    }

    @Test("a seek out of a slow seek supersedes it")
    func seekOutOfASeek() throws {
        defer { server.end() }
        stage.configure(server.url())
        stage.wait(for: .firstVideoFrame)
        stage.waitUntilRead(to: 1000)
        stage.seek(to: 5000)
        stage.pass(3000)
        stage.seek(to: 700)
        stage.wait(for: .seekEnd)
        #expect(stage.events.last { $0.type == .seekEnd }?.values[0] == 720_000)
        stage.seek(to: 5500)
        stage.pass(100)
        valve.open()
        stage.wait(for: .seekEnd)
        stage.play(until: .completed)
        let session = try #require(try stage.end().first)
        #expect(session["seeks"]?["requested"] == 3)
        #expect(session["seeks"]?["superseded"] == 1)
        #expect(session["seeks"]?["failed"] == 0)
        #expect(session["outcome"] == "complete")
        #expect(session["errors"] == [])
    }

    @Test("B58: a seek whose place takes 20 s to come is waited for, and nothing begins anew")
    func slowSeek() throws {
        defer { server.end() }
        stage.configure(server.url())
        stage.wait(for: .firstVideoFrame)
        stage.waitUntilRead(to: 1000)
        stage.play(500)
        let asked = server.requests.count
        stage.seek(to: 5000)
        for _ in 0..<20 { stage.pass(1000) }
        #expect(stage.count(.error) == 0 && stage.count(.retry) == 0)
        valve.open()
        stage.wait(for: .seekEnd)
        stage.waitUntilReadOut()
        stage.play(until: .completed)
        #expect(server.requests.count <= asked + 1)
        let session = try #require(try stage.end().first)
        #expect(session["outcome"] == "complete")
        #expect(session["seeks"]?["latency_ms"] == [20_000])
        #expect(session["stalls"]?["count"] == 0)
        #expect(session["errors"] == [])
    }

    @Test("B62: a stall in the middle is stuck for as long as it lasts, and no failure to start")
    func stuckInTheMiddle() throws {
        defer { server.end() }
        playToTheStall()
        stage.pass(30_000)
        valve.open()
        stage.wait(for: .loadingEnd)
        stage.waitUntilReadOut()
        stage.play(until: .completed)
        let session = try #require(try stage.end().first)
        #expect(session["outcome"] == "complete")
        #expect(session["join_ms"] == 0)
        #expect(session["join_invalid"] == .null)
        #expect(session["errors"] == [])
        let stuck = session["stuck"]?.array ?? []
        #expect(stuck.map { $0["kind"] } == ["buffering"])
        #expect((stuck.first?["duration_ms"]?.number ?? 0) >= 29_000)
        #expect(server.requests.count == 1)
    }
}
