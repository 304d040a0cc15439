// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import JSONText
import TestSupport
import Testing

/// A source that cannot be played is named, with the reason and what to do, and the others play.
@Suite struct SourceTests {
    /// The error that ended the only session of a run.
    private func fatalError(_ report: Report) throws -> JSONValue {
        #expect(report.status == 1)
        #expect(report.sessions.count == 1)
        let session = try #require(report.sessions.first)
        #expect(session["end_reason"] == "error")
        return try #require(session["errors"]?.array?.last { $0["fatal"] == true })
    }

    @Test(arguments: [
        ("nothing-here.mp4", "io.not_found"), ("clip.mp4/below-a-file.mp4", "io.not_found"), ("", "io.is_directory"),
        ("empty.mp4", "io.empty"), ("text.mp4", "container.not_media"), ("cut-head.mp4", "container.truncated"),
        ("cut-tail.mp4", "container.truncated"), ("cut-tail.mkv", "container.truncated"),
        ("subtitles.mkv", "container.nothing_to_play"), ("unknown-video.mp4", "decode.no_decoder"),
    ])
    func aSourceThatCannotBePlayedSaysWhyAndWhatToDo(name: String, code: String) throws {
        let report = try Kitshell.play(Media.path(name))
        let error = try fatalError(report)
        #expect(error["name"]?.string == code)
        #expect(error["message"]?.string?.isEmpty == false)
        #expect(error["hint"]?.string?.isEmpty == false)
        var checker = try SchemaChecker("report.schema.json")
        #expect(checker.check(report.json) == [])
    }

    @Test(.enabled(if: geteuid() != 0, "root may read every file"))
    func aSourceThatMayNotBeReadSaysSo() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write([0], to: "locked.mp4")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        #expect(try fatalError(try Kitshell.play(path))["name"] == "io.not_permitted")
    }

    @Test func whatFailsIsToldToWhoWantsNoReport() throws {
        let outcome = try Kitshell.run("-q", Media.path("nothing-here.mp4"), "--plugin", Media.path("text.mp4"))
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("There is no file \(Media.path("nothing-here.mp4"))"))
        #expect(outcome.errors.contains("plugin \(Media.path("text.mp4")) is refused"))
        #expect(try Kitshell.run("-q", Media.short, "--speed", "max").errors == "")
    }

    @Test func aSourceCutShortPlaysWhatIsThere() throws {
        let report = try Kitshell.play(Media.path("cut-tail.mp4"))
        let presented = try #require(report.presented.first ?? nil)
        #expect(presented > 20 && presented < 50)
        #expect(report.sessions.first?["first_frame"]?["total_ms"]?.number != nil)
    }

    @Test func aBadSourceAmongGoodOnesCostsOnlyItself() throws {
        let report = try Kitshell.play(
            Media.short, Media.path("nothing-here.mp4"), Media.path("text.mp4"), Media.path("clip.mkv"),
            "--plugin", try CMonitor.path(), "--lifecycle", "reuse-pool")
        #expect(report.sessions.map { $0["end_reason"] } == ["completed", "error", "error", "completed"])
        #expect(report.presented.first == 50)
        #expect(report.presented.last == 50)
        #expect(report.sessions.indices.allSatisfy { report.count(session: $0) != nil })
        #expect(report.json["strategies"]?.array?.allSatisfy { $0["health"] == "running" } == true)
        #expect(report.status == 1)
    }

    @Test func soundAloneIsPlayed() throws {
        let report = try Kitshell.play(Media.path("audio-only.m4a"))
        #expect(report.sessions.first?["media"]?["video"] == .null)
        #expect(report.sessions.first?["outcome"] == "complete")
        #expect(report.status == 0)
    }

    @Test func aSourceOnStandardInputIsPlayed() throws {
        let outcome = try Kitshell.run(
            "play", "-", "--speed", "max", "--report", "json", input: Media.path("clip.mkv"))
        let report = try Report(outcome)
        #expect(report.presented == [50])
        #expect(report.status == 0)
    }
}
