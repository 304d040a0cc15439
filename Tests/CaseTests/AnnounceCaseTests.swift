// SPDX-License-Identifier: Apache-2.0

import JSONText
import MediaCore
import PlayerEngine
import PlayerRuntime
import Sessions
import TestSupport
import Testing

/// What is announced is made ready by real players, and whoever configures it goes on with what is there.
@Suite struct AnnounceCaseTests {
    private static let playing = Media.path("long.mp4")
    private let file = Media.path("clip.mkv")

    private func isPreview(_ event: PlayerEvent) -> Bool { event.type == .firstVideoFrame && event.values[1] == 1 }

    /// What configuring may not change where everything is ready.
    private struct Work: Equatable {
        var opened: Int
        var decoders: Int
        var players: UInt64

        init(_ stage: LiveStage) {
            opened = stage.count(.opened)
            decoders = stage.factory.shelf.figures.opened
            players = UInt64(stage.pool.counts.created)
        }
    }

    /// Announces sources, and has time stand until they are as ready as they get.
    private func announce(_ sources: [String], on stage: LiveStage) {
        stage.controller.announce(upcoming: sources.map { stage.model($0) })
        stage.wait("a preview", isPreview)
        stage.pass(0)
    }

    @Test("a picture that is there is shown at once: nothing is opened, prepared or decoded again")
    func preRendered() throws {
        let stage = try LiveStage(lifecycle: "id-scoped-pool")
        stage.configure(Self.playing)
        stage.wait(for: .firstVideoFrame)
        announce([Media.path("clip.mp4"), Media.path("clip.mkv")], on: stage)
        #expect(stage.count(.prepared) == 3)
        stage.pass(5000)
        let before = Work(stage)
        let preparation = try #require(stage.events.last { $0.type == .request && $0.text.hasSuffix("clip.mp4") })
        stage.configure(Media.path("clip.mp4"))
        stage.wait("the picture") { $0.type == .firstVideoFrame && $0.values[1] == 0 }
        let request = try #require(stage.events.last { $0.type == .request })
        #expect(request.session != preparation.session)
        // The player, and how it came to be.
        #expect(request.value(1) == preparation.value(1))
        #expect(request.value(2) == Int64(PlayerInstanceKind.preRendered.rawValue))
        #expect(Work(stage) == before)
        stage.play(until: .completed)
        #expect(Work(stage) == before)
        let session = try #require(try stage.end().last { $0["instance"] == "pre-rendered" })
        #expect(session["outcome"] == "complete")
        #expect(session["click_to_frame_ms"] == 0)
        // One was presented before.
        #expect(session["frames"]?["presented"] == 49)
    }

    @Test("what is prepared only opens nothing again either")
    func prepared() throws {
        let stage = try LiveStage(lifecycle: "id-scoped-pool")
        announce([Media.path("clip.mp4"), Media.path("clip.mkv")], on: stage)
        let before = Work(stage)
        stage.configure(Media.path("clip.mkv"))
        stage.wait("the picture") { $0.type == .firstVideoFrame && $0.values[1] == 0 }
        #expect(Work(stage) == before)
        #expect(
            stage.events.last { $0.type == .request }?.value(2) == Int64(PlayerInstanceKind.warm.rawValue))
        _ = try stage.end()
    }

    @Test("a server is asked nothing more when somebody comes")
    func requests() throws {
        let clip = try Array(contentsOf: Media.short)
        let server = try ScriptedServer(serving: clip)
        defer { server.end() }
        let stage = try LiveStage(lifecycle: "id-scoped-pool")
        announce([server.url()], on: stage)
        let (requests, connections) = (server.requests.count, server.connectionCount)
        #expect(requests > 0)
        let before = Work(stage)
        stage.configure(server.url())
        stage.play(until: .completed)
        #expect(server.requests.count == requests && server.connectionCount == connections)
        #expect(Work(stage) == before)
        _ = try stage.end()
    }

    @Test("what is not announced any more is closed: no thread, no file, no connection, no decoder")
    func cancelled() async {
        await #expect(processExitsWith: .success) {
            let stage = try LiveStage(lifecycle: "id-scoped-pool")
            let server = try ScriptedServer(serving: try Array(contentsOf: Media.short))
            let test = AnnounceCaseTests()
            func announceInVain() {
                test.announce([server.url(), test.file], on: stage)
                #expect(ProcessResources.threads(named: "kit-demux").count == 2)
                #expect(ProcessResources.descriptors(of: test.file) == 1)
                stage.controller.announce(upcoming: [])
                #expect(
                    Patience.wait { ProcessResources.threads(named: "kit-demux", "kit-video", "kit-audio").isEmpty })
                #expect(ProcessResources.descriptors(of: test.file) == 0)
                #expect(LibAVPlayer.parkedCount == 0)
                // Players that nobody has keep connections and decoders, for a while; here they go.
                stage.pool.relieve(.critical)
                #expect(stage.factory.shelf.figures.kept == 0)
            }
            // The first time starts what the process keeps.
            announceInVain()
            let descriptors = ProcessResources.descriptorCount
            announceInVain()
            #expect(Patience.wait { ProcessResources.descriptorCount <= descriptors })
            server.end()
            _ = try stage.end()
        }
    }
}
