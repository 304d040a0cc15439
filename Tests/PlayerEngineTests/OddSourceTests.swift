// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// Sources that are no plain file, or change while they are played.
@Suite struct OddSourceTests {
    private static func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: Fixture.path(name))))
    }

    /// Opens a source and stops before playing it: what happens to it then happens in mid-file.
    private func prepared(_ path: String) throws -> PlayerRun {
        let run = PlayerRun()
        // So little is read ahead that most of the file is still to come.
        try run.prepare(.url(path)) { model in
            model.configuration.maxBuffer = .milliseconds(100)
            model.configuration.maxBufferBytes = 1 << 20
            model.configuration.startBuffer = .zero
            model.configuration.highBuffer = .zero
        }
        run.wait("prepared") { $0.playerState == .prepared }
        return run
    }

    @Test(arguments: ["/dev/random", "/dev/urandom", "/proc/self/maps", "/proc/self/cmdline"])
    func whatGivesAnythingButMediaEndsTyped(_ path: String) throws {
        let run = PlayerRun()
        try run.playToEnd(path)
        #expect(
            run.failures.filter(\.isFatal).map(\.error.code).first.map { (3000..<4000).contains($0.rawValue) } == true)
        #expect(run.states.last == .error)
    }

    @Test(arguments: ["stream.ts", "list.m3u8"])
    func positionsOfAStreamThatBeginsAnywhereCountFromItsStart(_ name: String) throws {
        let directory = try TemporaryDirectory()
        // Its time stamps begin at 1.48 s.
        let stream = try directory.write(try Self.bytes(of: "clip.ts"), to: "stream.ts")
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1.16,\nstream.ts\n#EXT-X-ENDLIST\n"
        let playlist = try directory.write(Array(list.utf8), to: "list.m3u8")
        let log = FrameLog()
        let run = PlayerRun(sinks: log.sinks)
        try run.prepare(.url(name == "stream.ts" ? stream : playlist)) { model in
            model.startTime = MediaTime(microseconds: 400_000)
            model.endTime = MediaTime(microseconds: 1_000_000)
        }
        run.wait("prepared") { $0.type == .prepared }
        run.player.start()
        run.wait("the stop") { $0.playerState == .stopped }
        #expect(run.media?.duration == MediaTime(microseconds: 1_160_000))
        #expect(log.pictures.map(\.microseconds) == (10..<25).map { $0 * 40_000 })
        #expect(run.firstPicture == MediaTime(microseconds: 400_000))
        #expect(run.events.last { $0.type == .position }?.value(0) == 1_000_000)
    }

    @Test func aBroadcastStreamThatBeginsAnewPlaysOn() throws {
        let directory = try TemporaryDirectory()
        let once = try Self.bytes(of: "clip.ts")
        let run = PlayerRun()
        try run.playToEnd(try directory.write(once + once, to: "twice.ts"))
        let start = run.events.first { $0.type == .firstVideoFrame }?.time ?? .zero
        let end = run.events.first { $0.type == .completed }?.time ?? .zero
        #expect(run.counts.presented == 54)
        #expect(end - start >= 2_100_000)
    }

    @Test func aPlaylistOfThisMachineThatNamesWhatIsMissingFailsThere() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write(try Self.bytes(of: "clip.ts"), to: "part.ts")
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\npart.ts\n#EXTINF:1,\nmissing.ts\n#EXT-X-ENDLIST\n"
        let run = PlayerRun()
        try run.playToEnd(try directory.write(Array(list.utf8), to: "list.m3u8"))
        #expect(run.counts.presented == 27)
        #expect(run.failures.map(\.error.code) == [.readFailed])
        #expect(run.states.last == .error)
    }

    @Test(arguments: ["missing.ts", "part.ts"])
    func aLivePlaylistThatDoesNotGrowIsGivenUp(_ segment: String) throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write(try Self.bytes(of: "clip.ts"), to: "part.ts")
        let list =
            "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1.0,\n\(segment)\n"
        let run = PlayerRun()
        try run.playToEnd(try directory.write(Array(list.utf8), to: "list.m3u8")) {
            $0.configuration.networkTimeout = .milliseconds(100)
        }
        #expect(run.states.last == .error)
        #expect(run.failures.map(\.error.code) == [.timedOut])
        #expect(run.failures.first?.error.hint.contains("#EXT-X-ENDLIST") == true)
        #expect(run.counts.presented == (segment == "part.ts" ? 27 : 0))
    }

    @Test func soundLongBeforeTheFirstPictureIsHeardInItsTime() throws {
        let directory = try TemporaryDirectory()
        let sound = (0..<50).flatMap { Matroska.cluster($0, hasPicture: false, hasSound: true) }
        let pictures = (300..<305).flatMap { Matroska.cluster($0, hasSound: false) }
        let run = PlayerRun()
        try run.playToEnd(try directory.write(Matroska.head + sound + pictures, to: "late.mkv"))
        #expect(run.counts.presented == 5)
        #expect(run.events.first { $0.type == .position }?.values[0] == 0)
        #expect(run.events.last { $0.type == .position }?.values[0] == 12_200_000)
    }

    @Test func aSocketIsNoFile() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("socket")
        let socket = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            for (index, byte) in path.utf8.prefix(room.count - 1).enumerated() { unsafe room[index] = byte }
        }
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0)
        let run = PlayerRun()
        try run.playToEnd(path)
        #expect(run.failures.map(\.error.code) == [.readFailed])
        #expect(run.failures.first?.error.message.contains("socket") == true)
    }

    @Test func aFileThatGrowsPlaysWhatIsThereWhenItsEndIsReached() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            Matroska.head + (0..<20).flatMap { Matroska.cluster($0, hasSound: true) }, to: "growing.mkv")
        let run = try prepared(path)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data((20..<26).flatMap { Matroska.cluster($0, hasSound: true) }))
        try file.close()
        run.player.start()
        run.waitForEnd()
        #expect(run.states.last == .completed)
        #expect(run.failures.isEmpty)
        #expect(run.counts.presented == 26)
    }

    @Test func aFileThatIsCutWhilePlayedFailsTyped() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            Matroska.head + (0..<40).flatMap { Matroska.cluster($0, hasSound: true) }, to: "shrinking.mkv")
        let run = try prepared(path)
        let status = unsafe truncate(path, 1000)
        try #require(status == 0)
        run.player.start()
        run.waitForEnd()
        #expect(run.states.last == .error)
        #expect(run.failures.last?.error.code == .truncated)
        #expect(run.counts.presented < 40)
    }

    @Test func aFileThatIsReplacedPlaysOnAsItWas() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            Matroska.head + (0..<12).flatMap { Matroska.cluster($0, hasSound: true) }, to: "replaced.mkv")
        let run = try prepared(path)
        let status = unsafe rename(try directory.write(Array("something else".utf8), to: "other"), path)
        try #require(status == 0)
        run.player.start()
        run.waitForEnd()
        #expect(run.states.last == .completed)
        #expect(run.failures.isEmpty)
        #expect(run.counts.presented == 12)
    }

    /// Nothing but the header has come, and a little that no frame can be made of.
    @Test(arguments: ["clip.mp4", "clip.mkv"])
    func aHeaderThatTellsAllIsNotReadBeyond(_ name: String) throws {
        let bytes = try Fixture.bytes(name)
        let isMP4 = name.hasSuffix(".mp4")
        let content = try #require(
            isMP4 ? bytes.firstRange(of: "mdat".utf8)?.upperBound : Matroska.blocks(of: bytes).first?.content.lowerBound
        )
        let directory = try TemporaryDirectory()
        let writer = try PipeWriter(directory.file("pipe"))
        let run = PlayerRun()
        try run.prepare(.url(writer.path))
        writer.open()
        // libav looks at 2 KiB to find out what it is.
        writer.write(bytes[..<max(content, 2100)])
        run.wait("prepared") { $0.playerState == .prepared }
        #expect(run.media?.video?.width == 160)
        #expect(run.media?.audio?.sampleRate == 48_000)
    }

    @Test func whatABroadcastStreamDoesNotTellIsLookedFor() throws {
        let run = PlayerRun()
        try run.prepare(.url(Fixture.path("clip.ts")))
        run.wait("prepared") { $0.playerState == .prepared }
        #expect(run.media?.video?.width == 160)
    }

    /// So few pictures have come that the decoder, which reorders and has two threads, would keep them all.
    @Test func theFirstPictureDoesNotWaitForWhatIsReordered() throws {
        let bytes = try Fixture.bytes("clip.mkv")
        let pictures = Matroska.blocks(of: bytes).filter { $0.track == 1 }
        let end = try #require(pictures.dropFirst().first?.content.upperBound)
        let directory = try TemporaryDirectory()
        let writer = try PipeWriter(directory.file("pipe"))
        let run = PlayerRun()
        try run.play(writer.path) { model in
            model.configuration.startBuffer = .zero
            model.configuration.highBuffer = .zero
            model.configuration.isAudioDisabled = true
        }
        writer.open()
        writer.write(bytes[..<end])
        run.wait("the first picture") { $0.type == .firstVideoFrame }
    }

    @Test func aPipePlaysAndCannotBeSought() throws {
        let directory = try TemporaryDirectory()
        let bytes = try OddSourceTests.bytes(of: "clip.mkv")
        let writer = try PipeWriter(directory.file("pipe"))
        let run = PlayerRun()
        try run.play(writer.path)
        let thread = try MediaThread("test-writer") {
            writer.open()
            writer.write(bytes)
            writer.close()
        }
        run.waitForEnd()
        thread.join()
        #expect(run.states.last == .completed)
        #expect(run.counts.presented == 50)
        #expect(run.media?.isSeekable == false)
    }
}
