// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import MediaCore
import PlayerEngine
import PlayerRuntime
import Synchronization
import TestSupport
import Testing

/// Public bug cases about letting a player go, and about what the next user of it gets.
@Suite struct ReleaseCaseTests {
    enum Way: String, CaseIterable {
        case stop, destroy, configure

        var endReason: String {
            switch self {
            case .stop: "stopped"
            case .destroy: "destroy"
            case .configure: "switch"
            }
        }
    }

    @Test("B48: a controller leaves a server that never answers at once", arguments: Way.allCases, LiveStage.lifecycles)
    func releaseWhilePreparing(_ way: Way, _ lifecycle: String) throws {
        let server = try ScriptedServer { (_, _) -> [ScriptedServer.Step] in [.stall] }
        defer { server.end() }
        try leave(server.url(), by: way, under: lifecycle) { !server.requests.isEmpty }
    }

    @Test(
        "B49: a controller leaves a server that falls silent in mid-packet at once", arguments: Way.allCases,
        LiveStage.lifecycles)
    func releaseWhileReading(_ way: Way, _ lifecycle: String) throws {
        let content = try Array(contentsOf: Media.path("long.mp4"))
        let valve = Valve(openTo: content.count / 2 + 7)
        let server = try ScriptedServer(serving: content, through: valve)
        defer { server.end() }
        try leave(server.url(), by: way, under: lifecycle) { valve.isHolding }
        #expect(valve.limit == content.count / 2 + 7)
    }

    /// The threads of the playback end although the server holds on: none stays parked.
    private func leave(_ url: String, by way: Way, under lifecycle: String, once isBlocked: () -> Bool) throws {
        let stage = try LiveStage(lifecycle: lifecycle)
        stage.configure(url)
        let hasBlocked = Patience.wait(until: isBlocked)
        #expect(hasBlocked)
        switch way {
        case .stop: stage.controller.stop()
        case .destroy: stage.controller.destroy()
        case .configure: stage.configure(Media.path("clip.mp4"))
        }
        #expect(Patience.wait { LibAVPlayer.parkedCount == 0 })
        #expect(try stage.end().first?["end_reason"]?.string == way.endReason)
    }

    /// A surface for every playback, which keeps what is shown on it.
    private final class Surfaces: Sendable {
        private let directory: TemporaryDirectory
        private let count = Mutex(0)

        init() throws {
            directory = try TemporaryDirectory()
        }

        var sinks: SinkFactory {
            SinkFactory(makeVideoSinks: { [self] interrupt in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let descriptor = unsafe open(file(number), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
                return SinkFactory.files(
                    pictures: nil, sound: nil,
                    frameHashes: OutputDescriptor(descriptor: descriptor, name: file(number)),
                    onFailure: { error in Issue.record("\(error)") }
                ).makeVideoSinks(interrupt)
            })
        }

        /// A line for each picture of a playback, with its time, size and MD5; playbacks count from 1.
        func pictures(of playback: Int) throws -> [Substring] {
            try String(contentsOfFile: file(playback), encoding: .utf8).split(separator: "\n").filter {
                !$0.hasPrefix("#")
            }
        }

        private func file(_ playback: Int) -> String { directory.file("\(playback)") }
    }

    @Test("B54: a player that serves another item shows that item's pictures and no other")
    func reusedPlayer() throws {
        let items = ["clip.mp4", "long.mp4", "trimmed.mp4", "clip.mkv"].map(Media.path)
        let alone = try items.map { item in
            let surfaces = try Surfaces()
            let stage = try LiveStage(sinks: surfaces.sinks)
            stage.configure(item)
            stage.waitUntilReadOut()
            stage.play(until: .completed)
            _ = try stage.end()
            return try surfaces.pictures(of: 1)
        }
        let surfaces = try Surfaces()
        let stage = try LiveStage(lifecycle: "reuse-pool", sinks: surfaces.sinks)
        for item in items {
            stage.configure(item)
            stage.wait(for: .firstVideoFrame)
            stage.waitUntilReadOut()
            // In its middle it is left for the next.
            stage.play(300)
        }
        let sessions = try stage.end()
        #expect(Set(sessions.map { $0["player"]?.int }).count == 1)
        #expect(sessions.map { $0["instance"] } == ["cold", "warm", "warm", "warm"])
        for index in items.indices {
            let shown = try surfaces.pictures(of: index + 1)
            #expect(shown.count >= 7 && alone[index].count > 10)
            #expect(Array(alone[index].prefix(shown.count)) == shown)
            let events = stage.events(of: UInt32(index + 1)).map(\.type)
            let request = try #require(events.firstIndex(of: .request))
            let frame = try #require(events.firstIndex(of: .firstVideoFrame))
            #expect(request < frame)
            #expect(events.count { $0 == .firstVideoFrame } == 1)
        }
    }
}
