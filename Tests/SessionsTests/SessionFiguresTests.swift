// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Sessions
import Testing

/// Media time, completion, renditions, bytes, pauses and stuck times: what a session's record says beside states and stalls.
@Suite struct SessionFiguresTests {
    private func record(_ script: String) throws -> SessionRecord {
        try #require(
            try Replay("0 request source=a; 0 play_intent; 0 prepared duration_ms=10000; " + script).records.first)
    }

    @Test(arguments: [
        ("0 first_video_frame pts_ms=0; 1000 position position_ms=1000; 2000 position position_ms=2000", 2000),
        // A seek is no media, what follows it is.
        (
            "0 first_video_frame pts_ms=0; 1000 position position_ms=1000; 1000 seek_begin to_ms=5000; "
                + "1100 seek_end position_ms=5000; 2100 position position_ms=6000", 2000
        ),
        // Neither is a jump that nobody announced, forwards or back.
        ("0 first_video_frame pts_ms=0; 1000 position position_ms=4000; 2000 position position_ms=5000", 1000),
        ("0 position position_ms=5000; 1000 position position_ms=6000; 1100 position position_ms=100", 1000),
        // At twice the rate twice as much.
        ("0 first_video_frame pts_ms=0; 0 rate rate=2; 1000 position position_ms=2000", 2000),
        // A loop counts again.
        (
            "0 first_video_frame pts_ms=0; 9900 position position_ms=9900; 10000 loop count=1; "
                + "11000 position position_ms=1000", 11_000
        ),
        ("0 first_video_frame pts_ms=0; 9900 position position_ms=9900; 10000 completed", 10_000),
    ])
    func mediaTimeIsWhatWasPresented(script: String, milliseconds: Int64) throws {
        #expect(try record(script).mediaTime == milliseconds * 1000)
    }

    @Test(arguments: [
        ("0 prepared; 0 first_audio pts_ms=0; 2000 frames presented=0; 2000 stop", nil),
        // A video of which only one picture came, before the counts were told.
        (
            "0 prepared media={\"video\":{\"codec\":\"vp9\",\"width\":64,\"height\":48}}; 0 first_video_frame; "
                + "2000 frames presented=0; 2000 stop", 0
        ),
        // A log that does not tell what there is.
        ("0 first_video_frame pts_ms=0; 2000 frames presented=50; 2000 stop", 25),
    ])
    func withoutVideoThereIsNoPictureRate(script: String, rate: Double?) throws {
        let replay = try Replay("0 request source=a; 0 play_intent; " + script)
        #expect(replay.records.first?.frames.perSecond == rate)
    }

    @Test func theStepsOfTheStartCountFromTheBeginningOfPreparing() throws {
        let latency = try #require(
            try Replay(
                "0 request source=a; 5 state state=preparing; 12 opened container=mp4; 15 stream_info tracks=1; "
                    + "16 prepared; 17 first_packet; 20 first_decoded; 21 first_video_frame kind=preview; "
                    + "25 first_video_frame; 30 state state=preparing; 40 opened; 50 stop"
            ).records.first?.readyLatency)
        #expect(latency.opened == 7000)
        #expect(latency.streamInfo == 10_000)
        #expect(latency.firstPacket == 12_000)
        #expect(latency.firstDecoded == 15_000)
        #expect(latency.firstVideoFrame == 20_000)
        // Of what did not come, or came when nobody had seen the beginning, nothing is known.
        let unseen = try record("5 opened; 6 first_packet; 7 first_video_frame; 9 stop").readyLatency
        #expect(unseen.opened == nil && unseen.firstPacket == nil && unseen.firstVideoFrame == nil)
    }

    private static let video = "media={\"video\":{\"codec\":\"vp9\",\"width\":64,\"height\":48,\"fps\":25}}; "

    @Test(arguments: [
        ("", "100 stop", nil),
        (video, "0 first_video_frame pts_ms=0; 100 stop", nil),
        (video, "0 position position_ms=500; 100 first_video_frame pts_ms=500; 200 stop", nil),
        // A picture at 25 a second takes 40 ms.
        (video, "0 first_video_frame pts_ms=0; 100 position position_ms=39; 200 stop", false),
        (
            video, "0 first_video_frame pts_ms=0; 100 position position_ms=39; 200 position position_ms=40; 300 stop",
            true
        ),
        // It moved once, whatever follows.
        (
            video, "0 first_video_frame pts_ms=0; 100 position position_ms=90; 200 position position_ms=0; 300 stop",
            true
        ),
        // A jump is no movement.
        (
            video,
            "0 first_video_frame pts_ms=0; 50 seek_begin to_ms=5000; 60 position position_ms=5000; "
                + "100 seek_end position_ms=5000; 200 position position_ms=5010; 300 stop", false
        ),
        (video, "0 first_audio pts_ms=0; 100 position position_ms=900; 200 stop", nil),
        (
            "media={\"audio\":{\"codec\":\"aac\",\"rate\":48000,\"channels\":2}}; ",
            "0 first_audio pts_ms=0; 100 position position_ms=1; 200 stop",
            true
        ),
    ])
    func playbackIsConfirmedByAMoveAfterTheFirstPicture(media: String, script: String, isConfirmed: Bool?) throws {
        let replay = try Replay(
            "0 request source=a; 0 play_intent; 0 prepared \(media.isEmpty ? "; " : media)" + script)
        #expect(replay.records.first?.isConfirmed == isConfirmed)
    }

    @Test(arguments: [("5 opened; 9 stop", 0), ("5 opened; 20 opened; 30 opened; 40 stop", 2), ("9 stop", 0)])
    func aSourceIsOpenedAgainAfterTheFirstTime(script: String, reopens: Int64) throws {
        #expect(try record(script).reopens == reopens)
    }

    @Test func aRecordWhoseStatesDoNotSumToItsTimeSaysSo() throws {
        var record = try record("5 opened; 9 stop")
        #expect(record.defect == nil)
        record.elapsed += 1
        #expect(record.defect?.contains("session 1") == true)
    }

    @Test func withoutAPositionMediaTimeIsNotKnown() throws {
        #expect(try record("2000 stop").mediaTime == nil)
        #expect(try record("2000 stop").completion == nil)
    }

    @Test(
        "B30: completion is the furthest position of a plausible duration",
        arguments: [
            ("0 prepared duration_ms=10000; 2500 position position_ms=2500", 0.25),
            (
                "0 prepared duration_ms=10000; 0 position position_ms=7500; 0 seek_begin to_ms=0; 9 seek_end position_ms=0",
                0.75
            ),
            ("0 prepared duration_ms=10000; 0 position position_ms=99999", 1),
            ("0 prepared duration_ms=10000; 10 completed", 1),
            ("0 prepared; 2500 position position_ms=2500; 9 completed", nil),
            ("0 prepared duration_ms=0; 2500 position position_ms=2500", nil),
            // A day and a half at a few bits a second: the container made the duration up.
            ("0 prepared duration_ms=143165000; 5 bytes read=200000; 10 position position_ms=10", nil),
            ("0 prepared duration_ms=143165000; 5 bytes read=80000000; 10 position position_ms=14316500", 0.1),
        ])
    func completionIsTheFurthestPositionOfAPlausibleDuration(script: String, completion: Double?) throws {
        let replay = try Replay("0 request source=a; 0 play_intent; " + script)
        #expect(replay.records.first?.completion == completion)
    }

    @Test func renditionsAreCountedAsTheyChange() throws {
        let record = try record(
            """
            0 first_video_frame pts_ms=0; 0 rendition id=lo width=640 height=360 bitrate=800000
            2000 position position_ms=2000; 2000 rendition id=hi width=1280 height=720 bitrate=2400000
            4000 position position_ms=4000; 4000 rendition id=hi width=1280 height=720 bitrate=2400000
            6000 position position_ms=6000; 6000 rendition id=lo width=640 height=360 bitrate=800000
            8000 position position_ms=8000
            """)
        #expect(record.renditions.switches == 2 && record.renditions.up == 1 && record.renditions.down == 1)
        #expect(record.renditions.list.map(\.id) == ["lo", "hi"])
        #expect(record.renditions.list.map(\.mediaTime) == [4_000_000, 4_000_000])
        #expect(record.renditions.meanBitrate == 1_600_000)
    }

    @Test func countsThatShrinkOrAreNegativeSayNothing() throws {
        let record = try record(
            """
            0 first_video_frame pts_ms=0; 1 frames decoded=9 presented=8 dropped_late=1; 2 frames presented=-5 dropped_late=0
            3 rendition id=a width=-1 height=2 bitrate=-7; 4 bytes read=70; 5 bytes read=-9; 9 stop
            """)
        #expect(record.frames.decoded == 9 && record.frames.presented == 8 && record.frames.droppedLate == 1)
        #expect(record.frames.skipped == nil)
        let rendition = try #require(record.renditions.list.first)
        #expect(rendition.width == nil && rendition.height == 2 && rendition.bitrate == nil)
        #expect(record.bytes.read == 70)
        let strange = try self.record(
            "0 prepared duration_ms=-1 media={\"audio\":{\"codec\":\"aac\",\"rate\":-4,\"channels\":1}}")
        #expect(strange.media?.duration == nil && strange.media?.audio == nil)
    }

    @Test func bytesBelongToTheNetworkThatWasThereAndSoDoThoseOfTheNextSession() throws {
        let replay = try Replay(
            """
            0 request source=a; 0 network type=wifi; 1 bytes read=1000; 2 network type=cellular; 3 bytes read=1500; 4 stop
            5 request source=b; 6 bytes read=70; 7 stop
            """)
        #expect(replay.records.map(\.bytes.read) == [1500, 70])
        #expect(replay.records[0].bytes.byNetwork == [.wifi: 1000, .cellular: 500])
        #expect(replay.records[1].bytes.byNetwork == [.cellular: 70])
        #expect(try record("1 stop").bytes.read == nil)
    }

    @Test(arguments: [("file:/v.mp4", NetworkType.none), ("url:-", .none), ("url:http://a/v.mp4", .cellular)])
    func whatTheMachineReadsOfItsOwnComesOverNoNetwork(_ id: String, _ network: NetworkType) throws {
        let replay = try Replay(
            "0 request source=v unique_id=\(id); 0 network type=cellular; 1 bytes read=1000; 2 stop")
        #expect(replay.records.first?.bytes.byNetwork == [network: 1000])
    }

    @Test func pausesCountOnceItHasJoinedAndRetriesAlways() throws {
        let record = try record(
            """
            0 retry attempt=1; 1 pause_intent; 2 play_intent; 3 first_video_frame pts_ms=0
            5 pause_intent; 6 pause_intent; 7 play_intent; 8 pause_intent; 9 retry attempt=1
            """)
        #expect(record.pauseCount == 2)
        #expect(record.retries == 2)
    }

    @Test func ratiosOfStallsTellCausesAndResumesApart() throws {
        let record = try record(
            """
            0 first_video_frame pts_ms=0; 1000 loading_begin cause=network; 2000 loading_end
            3000 loading_begin cause=decoder; 4000 loading_end; 5000 pause_intent; 5500 loading_begin cause=network
            6000 play_intent; 7000 loading_end; 8000 stop
            """)
        #expect(record.stalls.count == 3)
        #expect(record.stalls.onResumeCount == 1 && record.stalls.onResumeTime == 1_000_000)
        #expect(record.stalls.connectionInducedRatio == 2.0 / 6.0)
        #expect(record.stalls.rebufferRate == 3.0 / 4.0)
        #expect(record.stalls.timeBetween == 1_333_333)
        #expect(record.waitRatio == 3.0 / 7.0)
    }

    // MARK: Stuck

    @Test(arguments: [
        // Nothing is loaded: neither before it joined nor later.
        ("19000 stop", []), ("25000 stop", ["buffering 0 25000"]),
        ("0 first_video_frame pts_ms=0; 1000 loading_begin; 30000 loading_end", ["buffering 1000 29000"]),
        // Something is.
        ("15000 bytes read=10; 30000 bytes read=20; 45000 stop", []),
        (
            "0 first_video_frame pts_ms=0; 1000 loading_begin; 15000 position position_ms=0 buffered_ms=9; "
                + "30000 position position_ms=0 buffered_ms=10; 40000 loading_end", []
        ),
        // The position stands still.
        (
            "0 first_video_frame pts_ms=0; 0 position position_ms=0; 5000 position position_ms=100; "
                + "14000 position position_ms=100; 16000 position position_ms=100; 17000 position position_ms=150",
            ["playing 5000 12000"]
        ),
        ("0 first_video_frame pts_ms=0; 50000 stop", []),
        // It is at its end and does not end.
        (
            "0 first_video_frame pts_ms=0; 10000 position position_ms=10000; 80000 completed",
            ["not_ending 10000 70000"]
        ),
        ("0 first_video_frame pts_ms=0; 10000 position position_ms=10000; 10500 completed", []),
        ("0 first_video_frame pts_ms=0; 1000 suppressed; 700000 stop", ["suppressed 1000 699000"]),
        // Nobody wants it to move.
        ("0 first_video_frame pts_ms=0; 0 position position_ms=0; 1 pause_intent; 90000 stop", []),
    ])
    func whatDoesNotMoveIsMarkedAndChangesNothingElse(script: String, marks: [String]) throws {
        let record = try record(script)
        #expect(
            record.stuck.map { "\($0.kind.rawValue) \($0.start / 1000) \($0.duration / 1000)" } == marks)
        #expect(record.states.sum == record.elapsed)
    }
}
