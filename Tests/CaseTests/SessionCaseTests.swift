// SPDX-License-Identifier: Apache-2.0

import JSONText
import MediaCore
import PlayerRuntime
import TestSupport
import Testing

/// Public bug cases about sessions: where one ends and the next begins, and what of a source is not known.
@Suite struct SessionCaseTests {
    @Test("B26: who leaves while it joins has waited and played nothing")
    func leftWhileJoining() throws {
        let valve = Valve(openTo: 0)
        let server = try ScriptedServer(serving: try Array(contentsOf: Media.path("long.mp4")), through: valve)
        defer { server.end() }
        let stage = try LiveStage()
        stage.configure(server.url())
        #expect(valve.holds())
        stage.pass(900)
        stage.controller.stop()
        let session = try #require(try stage.end().first)
        #expect(session["outcome"] == "ebvs")
        #expect(session["end_reason"] == "stopped")
        #expect(session["watched_ms"] == 900)
        #expect(session["states_ms"]?["playing"] == 0)
        #expect(session["frames"]?["presented"] != 1)
        #expect(session["errors"] == [])
    }

    @Test("B27: nothing of a source is in the session of the next", arguments: [false, true])
    func switchOfSource(inMidStall: Bool) throws {
        let first = try Array(contentsOf: Media.path("long.mp4"))
        let second = try Array(contentsOf: Media.path("clip.mp4"))
        let valve = Valve(openTo: inMidStall ? first.count / 2 : .max)
        let server = try ScriptedServer { (_, request) -> [ScriptedServer.Step] in
            request.path == "/first.mp4"
                ? ScriptedServer.answer(request, with: first, through: valve)
                : ScriptedServer.answer(request, with: second)
        }
        defer { server.end() }
        let stage = try LiveStage(lifecycle: "reuse-pool")
        stage.configure(server.url("/first.mp4"))
        stage.wait(for: .firstVideoFrame)
        stage.waitUntilRead(to: 1000)
        stage.seek(to: 500)
        stage.wait(for: .seekEnd)
        if inMidStall {
            stage.play(until: .demuxUnderrun)
            stage.wait(for: .loadingBegin)
            stage.pass(500)
        } else {
            stage.waitUntilReadOut()
            stage.play(500)
        }
        stage.configure(server.url("/second.mp4"))
        stage.wait(for: .firstVideoFrame)
        stage.waitUntilReadOut()
        stage.play(400)
        let sessions = try stage.end()
        try #require(sessions.count == 2)
        #expect(sessions[0]["end_reason"] == "switch")
        #expect(sessions[0]["stalls"]?["count"] == (inMidStall ? 1 : 0))
        #expect(sessions[0]["seeks"]?["completed"] == 1)
        #expect(sessions[1]["stalls"]?["count"] == 0)
        #expect(sessions[1]["stalls"]?["orphan_ends"] == 0)
        #expect(sessions[1]["seeks"]?["requested"] == 0)
        #expect(sessions[1]["stutter"]?["count"] == 0)
        #expect(sessions[1]["join_ms"] == 0)
        #expect(sessions[1]["watched_ms"] == 400)
        #expect(sessions[1]["frames"]?["presented"] == 11)
        #expect(sessions[1]["player"] == sessions[0]["player"])
        let later = stage.events(of: 2)
        let firstFrame = try #require(later.firstIndex { $0.type == .firstVideoFrame })
        #expect(!later[firstFrame...].contains { $0.type == .loadingBegin })
    }

    // MARK: Durations

    struct Damage: CustomTestStringConvertible {
        var testDescription: String
        var file: String
        /// The bytes to look for, and how many after them the value begins.
        var place: ([UInt8], Int)
        var value: [UInt8]
    }

    private static let damages: [Damage] = {
        func double(_ value: Double) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (56 - 8 * UInt64($0))) }
        }
        // Segment information of Matroska: the element Duration, eight bytes.
        let matroska: ([UInt8], Int) = ([0x44, 0x89, 0x88], 0)
        let movie: ([UInt8], Int) = (Array("mvhd".utf8), 16)
        return [
            Damage(testDescription: "Matroska, zero", file: "clip.mkv", place: matroska, value: double(0)),
            Damage(testDescription: "Matroska, no number", file: "clip.mkv", place: matroska, value: double(.nan)),
            Damage(testDescription: "Matroska, endless", file: "clip.mkv", place: matroska, value: double(.infinity)),
            Damage(testDescription: "Matroska, negative", file: "clip.mkv", place: matroska, value: double(-5)),
            Damage(testDescription: "Matroska, a year", file: "clip.mkv", place: matroska, value: double(3e10)),
            Damage(
                testDescription: "MP4 in fragments, zero", file: "long-fragmented.mp4", place: movie,
                value: [0, 0, 0, 0]),
            Damage(
                testDescription: "MP4 in fragments, the largest", file: "long-fragmented.mp4", place: movie,
                value: [0xFF, 0xFF, 0xFF, 0xFF]),
        ]
    }()

    @Test("B30: a duration that the container makes up is not known, and playback ends as it does", arguments: damages)
    func durationMadeUp(_ damage: Damage) throws {
        var bytes = try Array(contentsOf: Media.path(damage.file))
        let mark = damage.place.0
        let found = try #require(
            bytes.indices.first { bytes[$0...].starts(with: mark) }, "the fixture has no such field")
        let start = found + mark.count + damage.place.1
        bytes.replaceSubrange(start..<start + damage.value.count, with: damage.value)
        let directory = try TemporaryDirectory()
        let stage = try LiveStage()
        stage.configure(try directory.write(bytes, to: damage.file))
        stage.waitUntilReadOut()
        stage.wait(for: .firstVideoFrame)
        stage.play(until: .completed)
        let session = try #require(try stage.end().first)
        #expect(session["outcome"] == "complete")
        #expect(session["seeks"]?["requested"] == 0)
        let duration = session["media"]?["duration_ms"]?.number
        let elapsed = try #require(session["elapsed_ms"]?.number)
        // Either nothing is known of it, or libav has found the true one.
        #expect(duration.map { abs($0 - elapsed) < 100 } ?? true, "\(String(describing: duration))")
        #expect(duration != nil || session["completion"] == .null)
    }

    @Test("B31: a pipe of unknown length has progress and no duration")
    func pipeHasProgress() throws {
        let directory = try TemporaryDirectory()
        let writer = try PipeWriter(directory.file("pipe.ts"))
        let stage = try LiveStage()
        stage.configure(writer.path)
        let bytes = try Array(contentsOf: Media.path("clip.ts"))
        let thread = try MediaThread("test-writer") {
            writer.open()
            writer.write(bytes)
            writer.close()
        }
        stage.wait(for: .firstVideoFrame)
        stage.waitUntilReadOut()
        stage.play(until: .completed)
        thread.join()
        let positions = stage.events.filter { $0.type == .position }.map { $0.values[0] }
        #expect(positions.count >= 10)
        #expect(positions == positions.sorted())
        let session = try #require(try stage.end().first)
        #expect(session["media"]?["duration_ms"] == .null)
        #expect(session["media"]?["seekable"] == false)
        #expect(session["completion"] == .null)
        #expect((session["media_time_ms"]?.number ?? 0) > 1000)
        #expect(session["outcome"] == "complete")
    }

    // MARK: The machine

    @Test("B51: of a network that flaps the last state counts, once it stays", arguments: [true, false])
    func flappingNetwork(endsOnCellular: Bool) throws {
        let stage = try LiveStage()
        stage.environment.setNetwork(NetworkState(.wifi))
        stage.configure(Media.path("long.mp4"))
        stage.wait(for: .firstVideoFrame)
        stage.waitUntilReadOut()
        let types: [NetworkType] = [.cellular, .none, .wifi, .none]
        for change in 0..<20 {
            stage.environment.setNetwork(NetworkState(types[change % types.count]))
            stage.play(50)
        }
        stage.environment.setNetwork(NetworkState(endsOnCellular ? .cellular : .wifi))
        stage.play(2500)
        let session = try #require(try stage.end().first)
        #expect(session["traffic"]?["type"] == (endsOnCellular ? "cellular" : "wifi"))
        #expect(session["traffic"]?["cellular_episodes"] == (endsOnCellular ? 1 : 0))
        #expect(stage.count(.network) >= 21)
        #expect(session["stalls"]?["count"] == 0)
    }
}
