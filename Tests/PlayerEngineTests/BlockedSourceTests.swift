// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// Sources that give nothing, or nothing for now.
@Suite struct BlockedSourceTests {
    @Test func stoppingReachesAnOpenThatBlocksOnAPipe() throws {
        let directory = try TemporaryDirectory()
        let writer = try PipeWriter(directory.file("pipe"))
        let run = PlayerRun(.realTime)
        try run.play(writer.path)
        run.wait("preparing") { $0.playerState == .preparing }
        run.player.stop()
        run.collect()
        #expect(run.states == [.preparing, .stopped])
        run.expectNothingParked()
    }

    @Test("B48: stopping reaches a server that does not answer") func stoppingReachesAServerThatDoesNotAnswer() throws {
        let server = try SilentServer()
        let run = PlayerRun(.realTime)
        try run.play("http://127.0.0.1:\(server.port)/clip.mp4") { $0.configuration.networkTimeout = .seconds(600) }
        run.wait("preparing") { $0.playerState == .preparing }
        server.acceptOne()
        run.player.stop()
        run.collect()
        #expect(run.states == [.preparing, .stopped])
        run.expectNothingParked()
    }

    @Test func aServerThatRefusesIsToldByItsStatus() throws {
        let server = try SilentServer()
        let run = PlayerRun(.realTime)
        try run.play("http://127.0.0.1:\(server.port)/clip.mp4")
        server.acceptOne(answering: "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        run.wait("the error") { $0.playerState == .error }
        #expect(run.failures.map(\.error.code) == [.httpStatus])
    }

    @Test func aPipeThatClosesWithoutAByteIsEmpty() throws {
        let directory = try TemporaryDirectory()
        let writer = try PipeWriter(directory.file("pipe"))
        let run = PlayerRun(.realTime)
        try run.play(writer.path)
        writer.open()
        writer.close()
        run.wait("the error") { $0.playerState == .error }
        #expect(run.failures.map(\.error.code) == [.emptySource])
    }

    @Test func aSourceThatRunsDryIsLoadingUntilItGoesOn() throws {
        let directory = try TemporaryDirectory()
        let bytes = try Data(contentsOf: URL(filePath: Fixture.path("clip.mkv")))
        let half = bytes.count / 2
        let writer = try PipeWriter(directory.file("pipe"))
        let run = PlayerRun(.realTime)
        try run.play(writer.path)
        writer.open()
        writer.write(bytes[..<half])
        // A busy machine may have waited for its decoder before.
        run.wait("everything to run dry") { _ in run.count(.demuxUnderrun) > 0 && run.count(.outputUnderrun) > 0 }
        let shown = run.counts.presented
        #expect(shown > 0 && shown < 50)
        writer.write(bytes[half...])
        writer.close()
        run.wait("the end") { $0.playerState == .completed || $0.playerState == .error }
        #expect(run.states == [.preparing, .prepared, .playing, .completed])
        #expect(run.count(.loadingBegin) == run.count(.loadingEnd))
        #expect(run.count(.loadingBegin) > 0)
        #expect(run.counts.presented + run.counts.droppedLate == 50)
    }

    @Test func aTrackWithAGapDoesNotKeepTheOthersLoading() throws {
        let directory = try TemporaryDirectory()
        let writer = try PipeWriter(directory.file("pipe"))
        let run = PlayerRun(.realTime)
        try run.play(writer.path)
        writer.open()
        writer.write(Matroska.head)
        for index in 0..<10 { writer.write(Matroska.cluster(index, hasSound: true)) }
        run.wait("loading to begin") { $0.type == .loadingBegin }
        // More pictures than may wait, and not one sample of sound with them.
        let rest = try MediaThread("test-writer") {
            for index in 10..<65 { writer.write(Matroska.cluster(index, hasSound: false)) }
            writer.close()
        }
        run.wait("the end") { $0.playerState == .completed || $0.playerState == .error }
        run.player.stop()
        rest.join()
        #expect(run.states == [.preparing, .prepared, .playing, .completed])
        #expect(run.count(.loadingEnd) == run.count(.loadingBegin))
        #expect(run.counts.presented + run.counts.droppedLate == 65)
    }
}
