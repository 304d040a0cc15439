// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerEngine
import TestSupport
import Testing

@Suite struct FailureTests {
    @Test(arguments: [
        (Fixture.path("nothing-here.mp4"), ErrorCode.notFound),
        (Fixture.path("clip.mp4/below-a-file.mp4"), .notFound),
        (Fixture.path(""), .isDirectory),
        (Fixture.path("empty.mp4"), .emptySource),
        ("/dev/null", .emptySource),
        ("/proc/self/mem", .readFailed),
        (Fixture.path("text.mp4"), .notMedia),
        ("/dev/zero", .notMedia),
        (Fixture.path("cut-head.mp4"), .truncated),
        (Fixture.path("subtitles.mkv"), .nothingToPlay),
        (Fixture.path("unknown-video.mp4"), .noDecoder),
        ("rtmp://127.0.0.1/live", .unsupportedProtocol),
        ("concat://a|b", .unsupportedProtocol),
        ("pipe:1", .unsupportedProtocol),
        ("file://elsewhere/clip.mp4", .invalidSource),
        ("file:/a%00b", .invalidSource),
        ("", .invalidSource),
        ("http://127.0.0.1:1/clip.mp4", .connectFailed),
    ])
    func anOpenThatFailsSaysWhy(_ source: String, _ code: ErrorCode) throws {
        let run = PlayerRun()
        try run.playToEnd(source)
        #expect(run.failures.map(\.error.code) == [code])
        #expect(run.failures.allSatisfy { $0.isFatal && !$0.error.message.isEmpty && !$0.error.hint.isEmpty })
        #expect(run.states == [.preparing, .error])
        #expect(run.player.state == .error)
    }

    @Test func aFileThatMayNotBeReadSaysSo() throws {
        guard geteuid() != 0 else { return }
        let directory = try TemporaryDirectory()
        let path = try directory.write([0], to: "locked.mp4")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        let run = PlayerRun()
        try run.playToEnd(path)
        #expect(run.failures.map(\.error.code) == [.notPermitted])
    }

    @Test(arguments: [
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nself.m3u8\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nself.m3u8\n#EXT-X-ENDLIST\n",
    ])
    func aPlaylistThatLeadsToItselfIsGivenUp(_ text: String) throws {
        let directory = try TemporaryDirectory()
        let run = PlayerRun()
        try run.playToEnd(try directory.write(Array(text.utf8), to: "self.m3u8"))
        #expect(run.failures.count == 1)
        #expect(run.states == [.preparing, .error])
    }

    @Test func videoIDsNeedAResolver() throws {
        let run = PlayerRun()
        try run.prepare(.vidAuth(vid: "abc", playAuth: "secret-auth"))
        run.wait("the error") { $0.playerState == .error }
        #expect(run.failures.map(\.error.code) == [.noResolver])
        #expect(run.failures.allSatisfy { !$0.error.description.contains("secret-auth") })
    }

    @Test func messagesKeepSecretsAndLineFeedsOut() throws {
        for source in ["http://user:hunter2@127.0.0.1:1/a.mp4?auth_key=hunter2", "/nowhere/hunter\n2.mp4"] {
            let run = PlayerRun()
            try run.playToEnd(source)
            for failure in run.failures {
                #expect(!failure.error.message.contains("hunter2"))
                #expect(!failure.error.message.contains("\n"))
                #expect(failure.error.hint.hasSuffix("."))
            }
            #expect(run.failures.count == 1)
        }
    }

    @Test(arguments: ["cut-tail.mp4", "cut-tail.mkv"])
    func aSourceCutShortPlaysWhatIsThereAndThenFails(_ name: String) throws {
        let run = PlayerRun()
        try run.playToEnd(Fixture.path(name))
        #expect(run.counts.presented > 20)
        #expect(run.failures.last?.error.code == .truncated)
        #expect(run.failures.last?.isFatal == true)
        #expect(run.count(.completed) == 0)
    }

    @Test func anUndecodablePacketIsCountedAndPlaybackGoesOn() throws {
        let run = PlayerRun()
        try run.playToEnd(Fixture.path("damaged.mp4"))
        #expect(run.counts.presented == 49)
        #expect(run.counts.droppedByDecoder == 1)
        #expect(run.failures.map(\.error.code) == [.badData])
        #expect(run.states.last == .completed)
    }

    @Test func aDecoderThatNeverGivesAPictureIsToldOfAndTheSoundPlaysOn() throws {
        var bytes = try Fixture.bytes("clip.mkv")
        for block in Matroska.blocks(of: bytes) where block.track == 1 {
            for index in block.content { bytes[index] = 0 }
        }
        let directory = try TemporaryDirectory()
        let run = PlayerRun()
        try run.playToEnd(try directory.write(bytes, to: "blank.mkv"))
        #expect(run.failures.count { $0.error.code == .firstFrameMissing } == 1)
        #expect(run.failures.allSatisfy { [.firstFrameMissing, .badData].contains($0.error.code) && !$0.isFatal })
        #expect(run.count(.firstVideoFrame) == 0)
        #expect(run.count(.firstAudio) == 1)
        #expect(run.states.last == .completed)
    }

    @Test func aTrackWithoutDecoderLeavesTheOtherPlaying() throws {
        let run = PlayerRun()
        try run.playToEnd(Fixture.path("unknown-codec.mp4"))
        #expect(run.failures.map(\.error.code) == [.noDecoder])
        #expect(run.failures.allSatisfy { !$0.isFatal })
        #expect(run.media?.video == nil)
        #expect(run.count(.firstAudio) == 1)
        #expect(run.states.last == .completed)
    }
}
