// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing

/// What the options of play change, seen in the report and in the event log of a run without waits.
@Suite struct PlaybackOptionTests {
    private let directory: TemporaryDirectory
    private let log: String

    init() throws {
        directory = try TemporaryDirectory()
        log = directory.file("events.jsonl")
    }

    private func play(_ options: String...) throws -> Report {
        let report = try Report(
            try Kitshell.start(
                ["play", Media.short, "--speed", "max", "--report", "json", "--record", log] + options
            ).wait())
        #expect(report.status == 0)
        #expect(report.errors == "")
        return report
    }

    /// The events of one kind, in order.
    private func events(_ name: String) throws -> [JSONValue] {
        try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            .map { try JSONReader().read(String($0)) }.filter { $0["event"]?.string == name }
    }

    /// Milliseconds from the first picture to the end of the session.
    private func timePlayed() throws -> Double {
        let start = try #require(try events("first_video_frame").first?["t_ms"]?.number)
        let ends = try events("completed") + events("stop")
        return try #require(ends.first?["t_ms"]?.number) - start
    }

    @Test(arguments: [("0.5", 0.5), ("1", 1), ("2.0", 2)])
    func theRateDividesTheTimeThatPlayingTakes(option: String, rate: Double) throws {
        let report = try play("--rate", option, "--no-audio")
        #expect(report.presented == [50])
        // Skipped waits are exact; what is added is the time that decoding took.
        #expect(try timePlayed() >= 2000 / rate)
        #expect(try events("rate").compactMap { $0["rate"]?.number }.allSatisfy { $0 == rate })
    }

    @Test func playbackBeginsAtTheStart() throws {
        let report = try play("--start", "1000")
        #expect(try events("first_video_frame").map { $0["pts_ms"]?.number } == [1000])
        #expect(report.presented == [25])
        #expect(report.sessions.first?["end_reason"] == "completed")
        #expect(try events("seek_begin").isEmpty)
    }

    @Test(arguments: [("0", 0), ("600", 600)])
    func playbackStopsAfterTheDuration(option: String, start: Double) throws {
        let report = try play("--start", option, "--duration", "400")
        #expect(report.sessions.first?["end_reason"] == "until")
        #expect(report.presented == [10])
        #expect(try events("first_video_frame").map { $0["pts_ms"]?.number } == [start])
        #expect(try events("position").last?["position_ms"]?.number == start + 400)
    }

    @Test func aDurationPastTheEndIsTheEnd() throws {
        let report = try play("--duration", "3600000")
        #expect(report.sessions.first?["end_reason"] == "completed")
        #expect(report.presented == [50])
    }

    @Test func aLoopPlaysAgainInTheSameSessionAndFiles() throws {
        let (hashes, sound) = (directory.file("hashes"), directory.file("out.wav"))
        let report = try play("--loop", "2", "--frame-hashes", hashes, "--audio-sink", "wav:\(sound)")
        #expect(report.sessions.count == 1)
        #expect(report.presented == [150])
        #expect(report.sessions.first?["loop_count"] == 2)
        #expect(try events("loop").compactMap { $0["count"]?.int } == [1, 2])
        let lines = try String(contentsOfFile: hashes, encoding: .utf8).split(separator: "\n")
        let frames = lines.filter { !$0.hasPrefix("#") }
        #expect(frames.count == 150)
        #expect(frames.prefix(50) == frames.suffix(50))
        #expect(lines.count { $0.hasPrefix("#format") } == 1)
        #expect(try Data(contentsOf: URL(filePath: sound)).count > 3 * 2 * 48_000 * 2)
    }

    @Test func aLoopWithoutEndStopsAtTheDuration() throws {
        let report = try play("--loop", "forever", "--duration", "1000")
        #expect(report.sessions.first?["end_reason"] == "until")
        #expect(report.presented == [25])
    }

    @Test func withoutVideoThereIsSoundAlone() throws {
        let report = try play("--no-video")
        let session = try #require(report.sessions.first)
        #expect(session["media"]?["video"] == .null)
        #expect(session["media"]?["audio"]?["codec"] == "aac")
        #expect(session["frames"]?["decoded"] == 0)
        #expect(try events("first_video_frame").isEmpty)
        #expect(try events("first_audio").count == 1)
        #expect(session["outcome"] == "complete")
    }

    @Test func withoutVideoTheFirstFrameIsTheFirstSound() throws {
        let report = try play("--no-video", "--until", "first-frame")
        #expect(report.sessions.first?["end_reason"] == "until")
        #expect(try events("completed").isEmpty)
    }

    @Test func withoutAudioThereArePicturesAlone() throws {
        let report = try play("--no-audio")
        #expect(report.sessions.first?["media"]?["audio"] == .null)
        #expect(report.presented == [50])
        #expect(try events("first_audio").isEmpty)
    }

    @Test func theOptionsHoldForEverySource() throws {
        let report = try play("--start", "1000", "--no-audio", Media.path("clip.mkv"))
        #expect(report.sessions.count == 2)
        #expect(report.sessions.allSatisfy { $0["media"]?["audio"] == .null })
        #expect(try events("first_video_frame").allSatisfy { ($0["pts_ms"]?.number ?? 0) >= 1000 })
    }
}
