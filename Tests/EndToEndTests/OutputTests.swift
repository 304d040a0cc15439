// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import JSONText
import TestSupport
import Testing

/// What a run writes besides its report.
@Suite struct OutputTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func contents(_ name: String) -> Data {
        FileManager.default.contents(atPath: directory.file(name)) ?? Data()
    }

    private static func frames(_ hashes: some StringProtocol) -> Int {
        hashes.split(separator: "\n").count { !$0.hasPrefix("#") }
    }

    @Test func picturesSoundAndHashesGoToTheirFiles() throws {
        let report = try Kitshell.play(
            Media.short, "--video-sink", "y4m:\(directory.file("a.y4m"))", "--audio-sink",
            "wav:\(directory.file("a.wav"))", "--frame-hashes", directory.file("hashes"))
        #expect(report.status == 0)
        #expect(report.errors == "")
        #expect(contents("a.y4m").starts(with: Data("YUV4MPEG2 W160 H120 F25:1 ".utf8)))
        #expect(contents("a.wav").starts(with: Data("RIFF".utf8)))
        #expect(OutputTests.frames(String(decoding: contents("hashes"), as: UTF8.self)) == 50)
    }

    @Test func whatIsWrittenToStandardOutputIsThereAlone() throws {
        let hashes = try Kitshell.run(Media.short, "--speed", "max", "--frame-hashes", "-")
        #expect(hashes.output.hasPrefix("#format: frame checksums\n"))
        #expect(OutputTests.frames(hashes.output) == 50)
        #expect(!hashes.output.contains("clip.mp4"))
        #expect(hashes.status == 0)
        let report = directory.file("report.json")
        let events = try Kitshell.run(
            Media.short, "--speed", "max", "--record", "-", "--report", "json=\(report)")
        #expect(events.output.hasPrefix("{\"schema\":\"kitshell.events/1\"}\n"))
        #expect(contents("report.json").starts(with: Data("{".utf8)))
    }

    @Test func theFormNullIsNoOutput() throws {
        let report = try Kitshell.play(Media.short, "--video-sink", "null", "--audio-sink=null")
        #expect(report.status == 0)
        #expect(report.presented == [50])
    }

    @Test func anOutputThatCannotBeWrittenIsToldInTheReportAndByTheExitStatus() throws {
        let report = try Kitshell.play(Media.short, "--frame-hashes", "/dev/full")
        let error = try #require(report.sessions.first?["errors"]?.array?.first)
        #expect(error["name"] == "output.sink_failed")
        #expect(error["fatal"] == false)
        #expect(report.errors.contains("/dev/full"))
        #expect(report.presented == [50])
        #expect(report.status == 1)
    }

    @Test func anInterruptEndsARunWhoseOutputNobodyReads() throws {
        let pipe = Pipe()
        let report = directory.file("report.json")
        let process = try Kitshell.start(
            [Kitshell.clip, "--speed", "max", "--video-sink", "y4m:-", "--report", "json=\(report)"],
            output: pipe.fileHandleForWriting)
        // Once the pipe is full the next picture waits.
        var entry = pollfd(fd: pipe.fileHandleForWriting.fileDescriptor, events: Int16(POLLOUT), revents: 0)
        try #require(Patience.wait { unsafe poll(&entry, 1, 0) == 0 })
        process.send(SIGINT)
        let outcome = try process.wait()
        #expect(outcome.status == 130)
        #expect(contents("report.json").starts(with: Data("{".utf8)))
    }

    @Test(arguments: ["--video-sink", "--audio-sink", "--frame-hashes", "--record"])
    func anOutputIsNoFileOfTheRunAndKeptUntilItRuns(option: String) throws {
        let form = ["--video-sink": "y4m:", "--audio-sink": "wav:"][option] ?? ""
        let bytes = try Data(contentsOf: URL(filePath: Media.short))
        let source = try directory.write(Array(bytes), to: "a.mp4")
        let same = try Kitshell.run(source, option, form + source)
        #expect(same.status == 2)
        #expect(same.errors.contains("option \(option): '\(source)' is the same file"))
        #expect(contents("a.mp4") == bytes)

        let kept = try directory.write(Array("kept".utf8), to: "kept")
        #expect(try Kitshell.run(source, option, form + kept, "--monitor", "nope").status == 2)
        #expect(contents("kept") == Data("kept".utf8))
        #expect(try Kitshell.run(source, "--speed", "max", "-q", option, form + kept).status == 0)
        #expect(!contents("kept").starts(with: Data("kept".utf8)) && !contents("kept").isEmpty)
    }
}
