// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerEngine
import Synchronization
import TestSupport
import Testing

/// Playlists behind HTTP: live ones, segments that break off or are missing, and whose credentials they get.
@Suite struct NetworkPlaylistTests {
    @Test(arguments: [("a.ts", ErrorCode.timedOut), ("lost.ts", .httpStatus)])
    func aLivePlaylistThatDoesNotGrowIsGivenUp(_ name: String, _ code: ErrorCode) throws {
        let segment = try Fixture.bytes("clip.ts")
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(name)\n"
        let server = try ScriptedServer { (_, request) -> [ScriptedServer.Step] in
            switch request.path {
            case "/list.m3u8": ScriptedServer.answer(request, with: Array(list.utf8))
            case "/a.ts": ScriptedServer.answer(request, with: segment)
            default: ScriptedServer.status("404 Not Found")
            }
        }
        var configuration = PlayerConfiguration()
        configuration.networkTimeout = .milliseconds(100)
        configuration.networkRetryCount = 100
        let run = try PlayerRun.play(server, path: "/list.m3u8", configuration)
        #expect(run.states.last == .error)
        #expect(run.failures.map(\.error.code) == [code])
    }

    /// Late by more than the time-out, then by more than three target durations.
    @Test(arguments: [(Duration.milliseconds(100), 3), (.seconds(15), 9)])
    func waitingForALivePlaylistToGrowIsNoSilence(timeout: Duration, listCount: Int) throws {
        let segment = [UInt8](try Data(contentsOf: URL(filePath: Fixture.path("clip.ts"))))
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:2,\na.ts\n"
        let lists = Mutex(0)
        let server = try ScriptedServer { (_, request) -> [ScriptedServer.Step] in
            guard request.path == "/list.m3u8" else { return ScriptedServer.answer(request, with: segment) }
            let count = lists.withLock { count in
                count += 1
                return count
            }
            // Nothing new at first: then it is asked for again after half the target duration.
            let list = count < listCount ? head : head + "#EXT-X-DISCONTINUITY\n#EXTINF:2,\nb.ts\n#EXT-X-ENDLIST\n"
            return ScriptedServer.answer(request, with: Array(list.utf8))
        }
        var configuration = PlayerConfiguration()
        configuration.networkTimeout = timeout
        // Where the machine is too busy for the server to answer in that time.
        configuration.networkRetryCount = 100
        let run = try PlayerRun.play(server, path: "/list.m3u8", configuration)
        #expect(run.states.last == .completed)
        #expect(run.failures.isEmpty)
        #expect(server.requests.contains { $0.path == "/b.ts" })
    }

    @Test func credentialsAreNotForWhatAPlaylistNamesElsewhere() throws {
        let segment = [UInt8](try Data(contentsOf: URL(filePath: Fixture.path("clip.ts"))))
        let other = try ScriptedServer(serving: segment)
        defer { other.end() }
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\n\(other.url("/part.ts"))\n#EXT-X-ENDLIST\n"
        let server = try ScriptedServer(serving: Array(list.utf8))
        var configuration = PlayerConfiguration()
        configuration.httpHeaders = [.init("Authorization", "hunter2"), .init("X-A", "1")]
        let run = try PlayerRun.play(server, path: "/list.m3u8", configuration)
        #expect(run.states.last == .completed)
        #expect(server.requests.allSatisfy { $0.headers["authorization"] == "hunter2" })
        #expect(!other.requests.isEmpty)
        #expect(other.requests.allSatisfy { $0.headers["authorization"] == nil && $0.headers["x-a"] == "1" })
    }

    @Test func whatAPlaylistNamesIsFoundFromWhereItWasRedirected() throws {
        let segment = [UInt8](try Data(contentsOf: URL(filePath: Fixture.path("clip.ts"))))
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\npart.ts\n#EXT-X-ENDLIST\n"
        let server = try ScriptedServer { (_, request) -> [ScriptedServer.Step] in
            switch request.path {
            case "/list.m3u8": ScriptedServer.status("302 Found", headers: "Location: /there/list.m3u8\r\n")
            case "/there/list.m3u8": ScriptedServer.answer(request, with: Array(list.utf8))
            case "/there/part.ts": ScriptedServer.answer(request, with: segment)
            default: ScriptedServer.status("404 Not Found")
            }
        }
        var configuration = PlayerConfiguration()
        configuration.httpHeaders = [.init("X-Token", "abc")]
        let run = try PlayerRun.play(server, path: "/list.m3u8", configuration)
        #expect(run.states.last == .completed)
        #expect(run.counts.presented > 20)
        #expect(server.requests.allSatisfy { $0.headers["x-token"] == "abc" })
    }

    @Test func aSegmentThatBreaksOffIsResumed() throws {
        let segment = [UInt8](try Data(contentsOf: URL(filePath: Fixture.path("long.ts"))))
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:6,\npart.ts\n#EXT-X-ENDLIST\n"
        let server = try ScriptedServer { (index, request) -> [ScriptedServer.Step] in
            let isList = request.path == "/list.m3u8"
            return ScriptedServer.answer(
                request, with: isList ? Array(list.utf8) : segment,
                until: isList ? nil : (request.rangeStart ?? 0) + segment.count / 3)
        }
        let run = try PlayerRun.play(server, path: "/list.m3u8")
        let disk = PlayerRun()
        try disk.playToEnd(Fixture.path("long.ts"))
        #expect(run.states.last == .completed)
        #expect(run.counts.presented == disk.counts.presented)
        #expect(run.retries.count >= 2)
    }

    @Test func aSegmentThatIsNotThereEndsPlaybackTyped() throws {
        let segment = [UInt8](try Data(contentsOf: URL(filePath: Fixture.path("long.ts"))))
        let list =
            "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:6,\npart.ts\n#EXTINF:6,\nlost.ts\n#EXTINF:6,\npart.ts\n#EXT-X-ENDLIST\n"
        let server = try ScriptedServer { (_, request) -> [ScriptedServer.Step] in
            switch request.path {
            case "/list.m3u8": ScriptedServer.answer(request, with: Array(list.utf8))
            case "/part.ts": ScriptedServer.answer(request, with: segment)
            default: ScriptedServer.status("404 Not Found")
            }
        }
        let run = try PlayerRun.play(server, path: "/list.m3u8")
        #expect(run.states.last == .error)
        #expect(run.failures.last?.error.code == .httpStatus)
        #expect(run.counts.presented > 0)
        #expect(server.requests.count { $0.path == "/part.ts" } == 1)
    }

    @Test func stoppingReachesASegmentThatDoesNotCome() throws {
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\npart.ts\n#EXTINF:1,\npart2.ts\n#EXT-X-ENDLIST\n"
        let server = try ScriptedServer { (_, request) -> [ScriptedServer.Step] in
            request.path == "/list.m3u8" ? ScriptedServer.answer(request, with: Array(list.utf8)) : [.stall]
        }
        defer { server.end() }
        let run = PlayerRun(.realTime)
        try run.play(server.url("/list.m3u8")) { $0.configuration.networkTimeout = .seconds(600) }
        let start = ContinuousClock.now
        while server.requests.count < 2, ContinuousClock.now - start < .seconds(60) { run.collect() }
        run.player.stop()
        #expect(server.requests.count >= 2)
        run.expectNothingParked()
    }
}
