// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Testing

/// Whole playbacks in virtual time, as text. When a change is meant, copy what the failure shows.
@Suite struct GoldenPlaybackTests {
    @Test(arguments: golden.map(\.name))
    func aPlaybackIsWhatItWas(_ name: String) throws {
        let expected = try #require(GoldenPlaybackTests.golden.first { $0.name == name }).dump
        let run = PlayerRun(.max)
        try run.playToEnd(Fixture.path(name))
        #expect(run.dump == expected, "\(name):\n\(run.dump)")
    }

    static let golden: [(name: String, dump: String)] = [
        (
            "clip.mp4",
            """
            states preparing prepared playing completed
            source opened tracks:2 prepared packet eof
            shown size:160x120 picture:0 sound:0 completed
            media mov,mp4,m4a,3gp,3g2,mj2 | 2000 | seekable | h264 160x120 25000 | aac 48000 1
            frames decoded 50 presented 50 late 0 undecodable 0 skipped 0
            end 2005
            """
        ),
        (
            "clip.mkv",
            """
            states preparing prepared playing completed
            source opened tracks:2 prepared packet eof
            shown size:160x120 picture:21 sound:0 completed
            media matroska,webm | 2021 | seekable | h264 160x120 25000 | aac 48000 1
            frames decoded 50 presented 50 late 0 undecodable 0 skipped 0
            end 2026
            """
        ),
        (
            "clip.ts",
            """
            states preparing prepared playing completed
            source opened tracks:1 prepared packet eof
            shown size:160x120 picture:0 completed
            media mpegts | 1160 | seekable | h264 160x120 25000 | no audio
            frames decoded 27 presented 27 late 0 undecodable 0 skipped 0
            end 1160
            """
        ),
        (
            "video-only.mp4",
            """
            states preparing prepared playing completed
            source opened tracks:1 prepared packet eof
            shown size:160x120 picture:0 completed
            media mov,mp4,m4a,3gp,3g2,mj2 | 2000 | seekable | h264 160x120 25000 | no audio
            frames decoded 50 presented 50 late 0 undecodable 0 skipped 0
            end 2000
            """
        ),
        (
            "audio-only.m4a",
            """
            states preparing prepared playing completed
            source opened tracks:1 prepared packet eof
            shown sound:0 completed
            media mov,mp4,m4a,3gp,3g2,mj2 | 2000 | seekable | no video | aac 48000 1
            frames decoded 0 presented 0 late 0 undecodable 0 skipped 0
            end 2005
            """
        ),
        (
            "trimmed.mp4",
            """
            states preparing prepared playing completed
            source opened tracks:1 prepared packet eof
            shown size:160x120 picture:0 completed
            media mov,mp4,m4a,3gp,3g2,mj2 | 600 | seekable | h264 160x120 25000 | no audio
            frames decoded 25 presented 15 late 0 undecodable 0 skipped 10
            end 600
            """
        ),
        (
            "damaged.mp4",
            """
            states preparing prepared playing completed
            source opened tracks:1 prepared packet eof
            shown size:160x120 picture:0 completed
            media mov,mp4,m4a,3gp,3g2,mj2 | 2000 | seekable | h264 160x120 25000 | no audio
            frames decoded 49 presented 49 late 0 undecodable 1 skipped 0
            end 2000
            error decode.bad_data
            """
        ),
        (
            "unknown-codec.mp4",
            """
            states preparing prepared playing completed
            source opened tracks:2 prepared packet eof
            shown sound:0 completed
            media mov,mp4,m4a,3gp,3g2,mj2 | 2000 | seekable | no video | aac 48000 1
            frames decoded 0 presented 0 late 0 undecodable 0 skipped 0
            end 2005
            error decode.no_decoder
            """
        ),
        (
            "cut-tail.mp4",
            """
            states preparing prepared playing error
            source opened tracks:2 prepared packet eof
            shown size:160x120 picture:0 sound:0
            media mov,mp4,m4a,3gp,3g2,mj2 | 2000 | seekable | h264 160x120 25000 | aac 48000 1
            frames decoded 26 presented 26 late 0 undecodable 0 skipped 0
            end 1040
            fatal container.truncated
            """
        ),
        (
            "text.mp4",
            """
            states preparing error
            source
            shown
            media none
            frames decoded 0 presented 0 late 0 undecodable 0 skipped 0
            end none
            fatal container.not_media
            """
        ),
    ]
}
