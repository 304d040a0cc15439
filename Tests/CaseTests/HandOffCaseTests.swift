// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import JSONText
import MediaCore
import PlayerEngine
import PlayerRuntime
import Sessions
import Synchronization
import TestSupport
import Testing

/// Public bug cases about a player that goes on in another controller's hands.
@Suite struct HandOffCaseTests {
    /// Notes when each picture is shown, in the order of showing.
    private final class PictureLog: VideoSink, Sendable {
        private let noted = Mutex<[MediaTime]>([])

        var pictures: [MediaTime] { noted.withLock { $0 } }

        func show(_ frame: borrowing Frame, of track: Track) {
            let time = frame.time
            noted.withLock { $0.append(time) }
        }

        func end() {}
    }

    /// The frame hashes of a clip that is played to its end.
    private static func hashes(
        in directory: TemporaryDirectory, _ name: String, lifecycle: String, handingOff: (LiveStage) throws -> Void
    ) throws -> [Substring] {
        let path = directory.file(name)
        let output = unsafe OutputDescriptor(descriptor: open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600), name: name)
        defer { close(output.descriptor) }
        let live = try LiveStage(
            lifecycle: lifecycle,
            sinks: .files(pictures: nil, sound: nil, frameHashes: output, onFailure: { Issue.record("\($0)") }))
        live.configure(Media.short)
        live.waitUntilReadOut()
        live.wait(for: .firstVideoFrame)
        live.play(300)
        try handingOff(live)
        live.play(until: .completed)
        #expect(live.count(.opened) == 1)
        _ = try live.end()
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    }

    @Test(
        "B47: what is seen on the way to the detail page and back is what is seen without it, picture by picture",
        arguments: LiveStage.lifecycles)
    func samePictures(_ lifecycle: String) throws {
        let directory = try TemporaryDirectory()
        let alone = try Self.hashes(in: directory, "alone", lifecycle: lifecycle) { _ in }
        let handed = try Self.hashes(in: directory, "handed", lifecycle: lifecycle) { live in
            let detail = PlayerController(environment: live.environment, lifecycleStrategy: live.pool)
            for _ in 0..<2 {
                #expect(detail.borrow(from: live.controller) == .performed)
                live.wait("the detail page's picture") { $0.type == .firstVideoFrame && $0.controller == detail.id }
                live.play(300)
                #expect(detail.returnPlayer() == .performed)
                live.wait("the list's picture") { $0.type == .firstVideoFrame && $0.controller == live.controller.id }
                live.play(300)
            }
            detail.destroy()
        }
        #expect(alone.count == 50 && Set(alone).count == 50)
        #expect(handed == alone)
    }

    /// In a process of its own, where every decoder is its own.
    @Test(
        "B47: to the detail page and back, the playback is one: nothing is opened, decoded or shown again, or left out")
    func roundTrip() async {
        await #expect(processExitsWith: .success) {
            let log = PictureLog()
            let live = try LiveStage(
                sinks: SinkFactory(makeVideoSinks: { _ in [log] }, makeAudioSinks: { _ in [] }))
            let detail = PlayerController(environment: live.environment, lifecycleStrategy: live.pool)
            live.controller.setMuted(true)
            live.configure(Media.short)
            live.waitUntilReadOut()
            live.wait(for: .firstVideoFrame)
            live.play(400)
            let decoders = live.factory.shelf.figures.opened
            #expect(detail.borrow(from: live.controller) == .performed)
            live.wait("the detail page's picture") { $0.type == .firstVideoFrame && $0.controller == detail.id }
            live.play(400)
            #expect(detail.pause() == .performed)
            live.wait("the pause") { $0.playerState == .paused && $0.controller == detail.id }
            let seen = log.pictures.count
            #expect(detail.returnPlayer() == .performed)
            live.wait("the list's picture") { $0.type == .firstVideoFrame && $0.controller == live.controller.id }
            // What is paused stays paused.
            live.play(400)
            #expect(live.controller.playerState == .paused && log.pictures.count == seen)
            #expect(live.controller.play() == .performed)
            live.play(until: .completed)
            // A late detach of the stale owner.
            #expect(detail.returnPlayer().error?.code == .noPlayer)
            detail.destroy()
            #expect(live.factory.shelf.figures.opened == decoders)
            #expect(live.count(.opened) == 1)
            #expect(log.pictures == (0..<50).map { MediaTime(microseconds: $0 * 40_000) })
            let sessions = try live.end()
            #expect(sessions.count == 3)
            #expect(Set(sessions.map { $0["player"]?.int }).count == 1)
            let presented = sessions.compactMap { $0["frames"]?["presented"]?.int }
            #expect(presented.count == 3 && presented.reduce(0, +) == 50)
            #expect(live.pool.counts.created == 1)
        }
    }
}
