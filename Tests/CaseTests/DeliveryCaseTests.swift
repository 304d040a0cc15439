// SPDX-License-Identifier: Apache-2.0

import JSONText
import MediaCore
import PlayerRuntime
import TestSupport
import Testing

/// What the bytes of a source behind a server were read for.
@Suite struct DeliveryCaseTests {
    private let content: [UInt8]
    private let valve = Valve(openTo: 0)
    private let stage: LiveStage

    init() throws {
        content = try Array(contentsOf: Media.path("long.mp4"))
        stage = try LiveStage()
    }

    private func tell(_ event: PlayerEvent) {
        var event = event
        event.controller = stage.controller.id
        event.time = stage.clock.now()
        stage.environment.queue.post(event)
    }

    private func purposes(_ session: JSONValue) throws -> [Int64] {
        try ["probe", "play", "preload", "wasted_preload"].map {
            try #require(session["bytes"]?["by_purpose"]?[$0]?.int)
        }
    }

    /// Requests the source and has its owner leave before a byte of it came.
    private func preload(_ server: ScriptedServer) {
        stage.configure(server.url(), autoPlay: false)
        #expect(valve.holds())
        tell(.detach(player: 1))
    }

    @Test("what is preloaded for nobody is wasted", arguments: [true, false])
    func preloading(isTaken: Bool) throws {
        let server = try ScriptedServer(serving: content, through: valve)
        defer { server.end() }
        preload(server)
        valve.open()
        stage.waitUntilReadOut()
        if isTaken {
            tell(.attach(player: 1))
            stage.controller.play()
            stage.wait(for: .firstVideoFrame)
            stage.play(200)
        }
        let session = try #require(try stage.end().first)
        let read = try #require(session["bytes"]?["read"]?.int)
        #expect(read >= Int64(content.count) * 9 / 10)
        #expect(try purposes(session) == (isTaken ? [0, 0, read, 0] : [0, 0, 0, read]))
        #expect(session["outcome"] == (isTaken ? "partial" : "not_an_attempt"))
    }

    @Test("what is read once the owner has come is to be played")
    func takenWhileItIsRead() throws {
        let server = try ScriptedServer(serving: content, through: valve)
        defer { server.end() }
        preload(server)
        valve.open(to: content.count / 2)
        stage.waitUntilRead(to: 1000)
        #expect(valve.holds())
        tell(.attach(player: 1))
        stage.controller.play()
        stage.wait(for: .firstVideoFrame)
        valve.open()
        stage.waitUntilReadOut()
        stage.play(200)
        let session = try #require(try stage.end().first)
        let counts = try purposes(session)
        #expect(counts[0] == 0 && counts[1] > 0 && counts[2] > 0 && counts[3] == 0)
        #expect(.int(counts.reduce(0, +)) == session["bytes"]?["read"])
    }
}
