// SPDX-License-Identifier: Apache-2.0

import JSONText
import MediaCore
import Sessions
import TestSupport
import Testing

/// What was delivered: pictures in a row and in a second, sound beside pictures, gaps of loops, bytes by purpose and throughput.
@Suite struct DeliveryFiguresTests {
    private static func session(_ script: String, prefix: String = "0 request source=a; 0 play_intent; ") throws
        -> JSONValue
    {
        try #require(try JSONReader().read(try Replay(prefix + script).json).array?.first)
    }

    @Test func aLogThatDoesNotTellThemGivesNull() throws {
        let session = try Self.session(
            """
            3 prepared duration_ms=2000; 5 first_video_frame; 9 bytes read=70; 10 frames presented=9 dropped_late=3
            500 position position_ms=500; 2000 loop count=1; 2500 stop
            """)
        #expect(session["frames"]?["dropped_late"] == 3 && session["bytes"]?["read"] == 70)
        #expect(session["frames"]?["max_consecutive_dropped"] == .null)
        #expect(session["frames"]?["fps"] == .null)
        #expect(session["frames"]?["av_offset_ms"] == .null)
        #expect(session["loop_gap_ms"] == .null)
        #expect(session["bytes"]?["throughput_bps"] == .null)
        #expect(
            session["bytes"]?["by_purpose"] == ["probe": nil, "play": nil, "preload": nil, "wasted_preload": nil])
    }

    @Test func theLongestRunOfLatePicturesOnlyGrows() throws {
        let session = try Self.session(
            "1 frames dropped_in_a_row=2; 2 frames dropped_in_a_row=5; 3 frames dropped_in_a_row=1; 4 frames; 9 stop")
        #expect(session["frames"]?["max_consecutive_dropped"] == 5)
    }

    @Test(
        "A decoder that is slow is told apart from a stall, until a picture, media time or a pause ends it",
        arguments: [
            ("", 0, 0), ("1000 decoder_slow; 1300 frames presented=11", 1, 300),
            ("1000 decoder_slow stopped_at_ms=900; 1300 position position_ms=950", 1, 400),
            ("1000 decoder_slow; 1100 position position_ms=500; 1300 frames presented=10; 1400 pause_intent", 1, 400),
            ("1000 decoder_slow; 1100 decoder_slow; 1200 frames presented=11; 1300 decoder_slow", 2, 700 + 200),
            ("1000 decoder_slow stopped_at_ms=5000; 1500 loading_begin; 1600 loading_end", 1, 500),
        ])
    func slowDecoder(script: String, count: Int64, milliseconds: Double) throws {
        let session = try Self.session(
            "5 first_video_frame; 500 frames presented=10; 500 position position_ms=500; " + script + "; 2000 stop")
        #expect(session["frames"]?["decoder_slow"]?.int == count)
        #expect(session["frames"]?["decoder_slow_ms"]?.number == milliseconds)
        #expect(session["stalls"]?["count"]?.int == (script.contains("loading") ? 1 : 0))
    }

    @Test(
        "A failure says whose business it is",
        arguments: [
            ("error code=2008 http_status=403", "business"), ("error code=2008 http_status=451", "business"),
            ("error code=2008 http_status=404", "technical"), ("error code=2008", "technical"),
            ("error code=2001", "user"), ("error code=1011", "user"), ("error code=3001", "technical"),
            ("error", "technical"),
            ("error code=2001 fatal=0; 11 error code=2006", "technical"), ("error code=2001 fatal=0; 11 stop", nil),
        ] as [(String, String?)])
    func failures(script: String, expected: String?) throws {
        #expect(try Self.session("10 " + script)["failure"] == expected.map { .string($0) } ?? .null)
        let left = try Self.session("10 " + script, prefix: "0 request source=a; ")
        #expect(left["failure"] == .null, "nobody attempted to play")
    }

    @Test func secondsAreCountedByTheirPictures() throws {
        let session = try Self.session(
            """
            1000 frame_rate presented=25; 2000 frame_rate presented=24; 3000 frame_rate presented=25
            9000 frame_rate presented=0 seconds=6; 9001 frame_rate; 9002 frame_rate presented=-3
            9003 frame_rate presented=25 seconds=0; 9004 frame_rate presented=99999999; 9999 stop
            """)
        let rates = try #require(session["frames"]?["fps"])
        #expect(rates["histogram"] == [[0, 6], [24, 1], [25, 2]])
        #expect(rates["count"] == 9 && rates["sum"]?.number == 74)
        #expect(rates["min"]?.number == 0 && rates["p50"]?.number == 0 && rates["p90"]?.number == 25)
        let variance = try #require(rates["variance"]?.number)
        #expect(abs(variance - (1826 - 74 * 74 / 9.0) / 8) < 1e-9)
    }

    @Test func soundMayBeAheadOrBehind() throws {
        let session = try Self.session(
            """
            100 position position_ms=100 av_offset_ms=4; 200 position position_ms=200 av_offset_ms=-40
            300 position position_ms=300; 400 position position_ms=400 av_offset_ms=8; 500 stop
            """)
        let offsets = try #require(session["frames"]?["av_offset_ms"])
        #expect(offsets["count"] == 3)
        #expect(offsets["p50"]?.number == 8 && offsets["max"]?.number == 40)
    }

    @Test(
        arguments: [
            (
                "2000 loop count=1; 2003.5 loop_gap gap_ms=3.5; 4000 loop count=2; 4000 loop_gap gap_ms=0; 5000 stop",
                [3.5, 0]
            ),
            // Left before the next pass began.
            ("2000 loop count=1; 2100 stop", nil),
            ("2000 loop count=1; 2001 loop_gap gap_ms=-1; 2002 loop_gap; 2100 stop", nil),
            ("2000 stop", []),
        ] as [(String, [Double]?)])
    func gapsOfALoopAreListed(script: String, gaps: [Double]?) throws {
        let session = try Self.session("0 first_video_frame; " + script)
        #expect(session["loop_gap_ms"]?.array?.compactMap(\.number) == gaps)
    }

    @Test func aGapThatIsALoadingIsAStallOfTheLoop() throws {
        let session = try Self.session(
            """
            0 prepared; 0 first_video_frame; 2000 loop count=1; 2040 loading_begin cause=loop stopped_at_ms=2000
            2500 loop_gap gap_ms=500; 2500 loading_end; 4500 loop count=2; 4510 loop_gap gap_ms=10; 5000 stop
            """)
        #expect(session["stalls"]?["count"] == 1)
        #expect(session["stalls"]?["list"]?.array?.first?["cause"] == "loop")
        #expect(session["stalls"]?["total_ms"]?.number == 500)
        #expect(session["loop_gap_ms"]?.array?.compactMap(\.number) == [500, 10])
    }

    /// Probe, play, preload and what of that was wasted.
    @Test(
        arguments: [
            (
                "1 bytes read=100; 2 prepared; 3 bytes read=150; 4 first_video_frame; 5 bytes read=400; 6 stop",
                [100, 300, 0, 0]
            ),
            // It could not be prepared.
            ("1 bytes read=100; 2 error code=3001; 3 stop", [100, 0, 0, 0]),
            // Preloaded, and taken while it was read.
            (
                "0 detach; 1 bytes read=100; 2 prepared; 3 bytes read=700; 4 attach; 5 bytes read=800; 6 first_video_frame; 9 stop",
                [0, 100, 700, 0]
            ),
            (
                "0 detach; 1 bytes read=100; 2 attach; 3 bytes read=150; 4 prepared; 5 bytes read=175; 9 stop",
                [50, 25, 100, 0]
            ),
            ("0 detach; 1 bytes read=100; 2 prepared; 3 bytes read=700; 9 evict", [0, 0, 0, 700]),
            // Nobody knows yet.
            ("0 detach; 1 bytes read=100; 2 prepared; 3 bytes read=700", [0, 0, 700, 0]),
            // It had been played before.
            (
                "1 bytes read=100; 2 prepared; 3 first_video_frame; 4 detach; 5 bytes read=700; 9 stop",
                [100, 0, 600, 0]
            ),
        ] as [(String, [Int64])])
    func bytesAreReadForSomething(script: String, counts: [Int64]) throws {
        let bytes = try #require(try Self.session(script)["bytes"])
        let purposes = try #require(bytes["by_purpose"]?.object)
        #expect(purposes.members.map(\.key) == ["probe", "play", "preload", "wasted_preload"])
        #expect(purposes.members.map(\.value) == counts.map { .int($0) })
        #expect(bytes["read"] == .int(counts.reduce(0, +)))
    }

    @Test func aSessionThatPlaysOnReadsToPlay() throws {
        let replay = try Replay(
            """
            0 request source=a; 0 play_intent; 1 bytes read=100; 2 prepared; 3 first_video_frame; 9 completed
            10 seek_begin to_ms=0; 11 seek_end; 12 bytes read=40; 20 stop
            """)
        let sessions = try #require(try JSONReader().read(replay.json).array)
        #expect(sessions.last?["bytes"]?["by_purpose"]?["play"] == 40)
        #expect(sessions.last?["bytes"]?["by_purpose"]?["probe"] == 0)
    }

    @Test func throughputIsOfWhatWasWaitedFor() throws {
        // 1 Mbit/s in 0.2 s, of which one count told a part that is too short; 3 Mbit/s; and a rest that is too short.
        let session = try Self.session(
            """
            1 bytes read=9000 arrived=0 arrival_ms=0; 2 bytes read=19000 arrived=10000 arrival_ms=60
            3 bytes read=34000 arrived=25000 arrival_ms=200; 4 bytes read=99000 arrived=25000 arrival_ms=200
            5 bytes read=199000 arrived=62500 arrival_ms=300; 6 bytes read=200000 arrived=63000 arrival_ms=390; 9 stop
            """)
        let throughput = try #require(session["bytes"]?["throughput_bps"])
        #expect(throughput["count"] == 2)
        #expect(throughput["mean"]?.number == 2_000_000 && throughput["variance"]?.number == 2e12)
        #expect(throughput["min"]?.number == 1_000_000 && throughput["max"]?.number == 3_000_000)
        let local = try Self.session("1 bytes read=9000; 2 bytes read=90000 arrived=null arrival_ms=null; 9 stop")
        #expect(local["bytes"]?["throughput_bps"] == .null)
    }

    @Test func oneSampleVariesNobodyKnowsHow() throws {
        let session = try Self.session("1000 frame_rate presented=30; 1500 stop")
        #expect(session["frames"]?["fps"]?["variance"] == .null)
    }

    @Test func samplesOfSessionsMergeInAnyOrder() throws {
        var random = SeededGenerator(seed: 7)
        let rates = (0..<300).map { _ in Int64.random(in: 0...120, using: &random) }
        let counts = (0..<300).map { _ in Int64.random(in: 1...4_000_000, using: &random) }
        let sessions = try (0..<10).map { session -> JSONValue in
            var arrived: Int64 = 0
            let lines = (session * 30..<session * 30 + 30).map { index -> String in
                arrived += counts[index]
                let span = (index - session * 30 + 1) * 100
                return
                    "\(index) frame_rate presented=\(rates[index]); \(index) bytes read=\(arrived) arrived=\(arrived) arrival_ms=\(span)"
            }
            return try Self.session(lines.joined(separator: "; ") + "; 9999 stop")
        }
        let silent = try Self.session("9 stop")
        var whole = SessionSummary()
        for session in sessions + [silent] { whole.add(session) }
        let metrics = try #require(whole.json["metrics"])
        var expected = MetricAggregate()
        for count in counts { expected.add(count * 80) }
        let told = try #require(whole.metrics["bytes.throughput_bps"])
        #expect(told.nulls == 1 && told.count == 300 && told.sum == expected.sum)
        #expect(told.histogram.map(\.upperBound) == expected.histogram.map(\.upperBound))
        #expect(told.histogram.map(\.count) == expected.histogram.map(\.count))
        #expect(told.min == expected.min && told.max == expected.max)
        #expect(metrics["frames.fps"]?["unit"] == "per_second" && metrics["frames.fps"]?["nulls"] == 1)
        #expect(metrics["frames.fps"]?["sum"]?.number == Double(rates.reduce(0, +)))
        #expect(metrics["frames.av_offset_ms"]?["count"] == 0 && metrics["frames.av_offset_ms"]?["nulls"] == 11)
        var parts = (0..<3).map { _ in SessionSummary() }
        for session in (sessions + [silent]).shuffled(using: &random) {
            parts[Int.random(in: 0..<3, using: &random)].add(session)
        }
        let merged = parts.reversed().reduce(into: SessionSummary()) { $0.merge($1) }
        #expect(JSONWriter.text(merged.json) == JSONWriter.text(whole.json))
    }
}
