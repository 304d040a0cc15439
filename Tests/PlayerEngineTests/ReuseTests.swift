// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// What a player keeps of one source for the next: it saves work, and changes nothing that is seen or heard.
@Suite struct ReuseTests {
    /// Whatever may leave something behind: other codecs, other parameters, damage, cuts, pictures before the first key frame.
    private static let names = [
        "clip.mp4", "clip.mp4", "long.mp4", "clip.mkv", "clip.ts", "damaged.mp4", "clip.mp4", "open-gop.mp4",
        "trimmed.mp4",
        "audio-only.m4a", "cut-tail.mp4", "clip.mp4", "video-only.mp4", "long.flv", "long.mp4",
    ]
    /// Sources that each codec is decoded from twice by the same decoder, with its parameters changed in between by a third.
    private static let whole = [
        "clip.mp4", "video-only.mp4", "clip.mp4", "clip-hevc.mp4", "clip-hevc.mp4", "clip-vp9.webm", "clip-vp9.webm",
        "parameters.mp4", "parameters-change.mp4", "parameters.mp4", "open-gop.mp4", "open-gop.mp4",
    ]

    /// Plays sources one after the other, with one player that is stopped or reset in between, or each with its own.
    ///
    /// - Returns: the hashes of the pictures, and the sound.
    private func play(
        _ names: [String], threads: Int, with player: PlayerRun?, to files: (hashes: OutputFile, sound: OutputFile)
    ) throws {
        for (index, name) in names.enumerated() {
            let run = player ?? makeRun(files)
            try run.playToEnd(Fixture.path(name)) { $0.configuration.decoderThreads = threads }
            if index % 2 == 0 { run.player.stop() } else { run.player.reset() }
        }
    }

    private func makeRun(_ files: (hashes: OutputFile, sound: OutputFile)) -> PlayerRun {
        PlayerRun(
            sinks: .files(
                pictures: nil, sound: files.sound.target, frameHashes: files.hashes.target, onFailure: { _ in }))
    }

    // How damage is concealed may depend on how threads meet.
    @Test(arguments: [(ReuseTests.names, 1), (ReuseTests.whole, 1), (ReuseTests.whole, 2)])
    func whatWasKeptChangesNothing(_ names: [String], _ threads: Int) throws {
        let directory = try TemporaryDirectory()
        let shared = (OutputFile("shared.hashes", in: directory), OutputFile("shared.wav", in: directory))
        let single = (OutputFile("single.hashes", in: directory), OutputFile("single.wav", in: directory))
        let run = makeRun(shared)
        try play(names, threads: threads, with: run, to: shared)
        try play(names, threads: threads, with: nil, to: single)
        #expect(run.shelf.figures.reused >= names.count / 2)
        #expect(shared.0.lines.count > 300)
        #expect(shared.0.text == single.0.text)
        // Compared here: a difference would be shown byte by byte.
        let isSameSound = shared.1.bytes == single.1.bytes
        #expect(isSameSound)
    }

    @Test func aConnectionIsKeptForTheSameServer() throws {
        let clip = try Fixture.bytes("clip.mp4")
        let server = try ScriptedServer { _, request in ScriptedServer.answer(request, with: clip, keeps: true) }
        defer { server.end() }
        let run = PlayerRun()
        for _ in 0..<3 {
            try run.playToEnd(server.url())
            #expect(run.states.last == .completed)
            run.player.reset()
        }
        #expect(server.connectionCount == 1)
        #expect(server.requests.count >= 3)
        run.player.destroy()
        let other = PlayerRun()
        try other.playToEnd(server.url())
        #expect(server.connectionCount == 2)
    }

    @Test func aConnectionThatTheServerHasClosedIsMadeAnew() throws {
        let clip = try Fixture.bytes("clip.mp4")
        // It says that the connection stays, and closes it.
        let server = try ScriptedServer { _, request in
            ScriptedServer.answer(request, with: clip, keeps: true).dropLast()
        }
        defer { server.end() }
        let run = PlayerRun()
        for count in 1...3 {
            try run.playToEnd(server.url())
            #expect(run.states.last == .completed)
            #expect(run.counts.presented == 50)
            #expect(run.retries.isEmpty)
            run.player.reset()
            #expect(server.connectionCount == count)
        }
    }

    @Test func cookiesOfOneSourceAreNotForTheNext() throws {
        let clip = try Fixture.bytes("clip.mp4")
        let server = try ScriptedServer { _, request in
            var steps = ScriptedServer.answer(request, with: clip, keeps: true)
            if case .text(let head) = steps[0] {
                steps[0] = .text(head.dropLast(2) + "Set-Cookie: secret=1\r\n\r\n")
            }
            return steps
        }
        defer { server.end() }
        let run = PlayerRun()
        for _ in 0..<2 {
            try run.playToEnd(server.url())
            run.player.reset()
        }
        #expect(server.connectionCount == 1)
        #expect(server.requests.allSatisfy { $0.headers["cookie"] == nil })
    }
}
