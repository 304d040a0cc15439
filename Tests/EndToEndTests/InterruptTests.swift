// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import JSONText
import TestSupport
import Testing

/// Whatever kitshell is doing, an interrupt ends it with what was seen so far, and nothing stays behind.
@Suite struct InterruptTests {
    /// A run in real time that is at a point which its plugin told by leaving a file behind.
    private struct Running {
        let directory: TemporaryDirectory
        let process: ChildProcess

        /// - Parameter batch: what the plugin does; `MARK` leaves the file behind.
        init(batch: String, destroy: String = "", arguments: [String] = []) throws {
            directory = try TemporaryDirectory()
            let marker = directory.file("reached")
            let plugin = try CMonitor.build(
                in: directory, batch: batch.replacing("MARK", with: CMonitor.mark(marker)), destroy: destroy)
            process = try Kitshell.start(
                ["play", Kitshell.clip, "--plugin", plugin, "--report", "json"] + CMonitor.grant + arguments)
            try #require(Patience.wait { FileManager.default.fileExists(atPath: marker) })
        }
    }

    private static func isEmpty(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 0) == 0
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func anInterruptWhilePlayingGivesTheReportSoFar(signal: Int32, status: Int32) throws {
        let running = try Running(batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", "MARK"))
        running.process.send(signal)
        let report = try Report(try running.process.wait())
        let session = try #require(report.sessions.first)
        #expect(session["end_reason"] == "interrupted")
        #expect((session["frames"]?["presented"]?.int ?? 0) >= 1)
        #expect(session["first_frame"]?["total_ms"]?.number != nil)
        #expect(report.count() != nil)
        #expect(report.status == status)
    }

    @Test func aHangUpThatIsIgnoredStaysIgnored() throws {
        let directory = try TemporaryDirectory()
        let marker = directory.file("reached")
        let plugin = try CMonitor.build(
            in: directory, batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", CMonitor.mark(marker)))
        let process = try Kitshell.start(
            ["play", Kitshell.clip, "--plugin", plugin, "--report", "json"] + CMonitor.grant, ignoring: "HUP")
        #expect(Patience.wait { FileManager.default.fileExists(atPath: marker) })
        process.send(SIGHUP)
        process.send(SIGTERM)
        let report = try Report(try process.wait())
        #expect(report.sessions.first?["end_reason"] == "interrupted")
        #expect(report.status == 143)
    }

    @Test(arguments: [SIGKILL, SIGHUP])
    func aLogHoldsWhatHappenedUntilTheEndOfTheProcess(signal: Int32) throws {
        let directory = try TemporaryDirectory()
        let log = directory.file("events.jsonl")
        let running = try Running(
            batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", "MARK"), arguments: ["--record", log])
        running.process.send(signal)
        _ = try running.process.wait()
        let replayed = try Kitshell.replay(log)
        #expect(replayed.status == 0)
        let session = try #require(replayed.sessions.first)
        #expect(session["first_frame"]?["total_ms"]?.number != nil)
        #expect(session["end_reason"] == (signal == SIGKILL ? .null : "interrupted"))
    }

    @Test func aFurtherSourceIsNotBegunAfterAnInterrupt() throws {
        let running = try Running(
            batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", "MARK"), arguments: [Kitshell.clip])
        running.process.send(SIGINT)
        let report = try Report(try running.process.wait())
        #expect(report.sessions.count == 1)
        #expect(report.status == 130)
    }

    @Test func aSecondInterruptEndsAtOnce() throws {
        // The plugin's end takes longer than anybody waits; it tells that the first interrupt has arrived there.
        let directory = try TemporaryDirectory()
        let stopping = directory.file("stopping")
        let running = try Running(
            batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", "MARK"),
            destroy: "\(CMonitor.mark(stopping)) for (;;) pause();")
        running.process.send(SIGINT)
        #expect(Patience.wait { FileManager.default.fileExists(atPath: stopping) })
        running.process.send(SIGINT)
        let outcome = try running.process.wait()
        #expect(outcome.status == 130)
        #expect(outcome.output == "")
    }

    @Test func aSourceThatNeverComesCanBeInterrupted() throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.file("pipe.mp4")
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        let process = try Kitshell.start(["play", pipe, "--report", "json"])
        #expect(Patience.wait { process.hasThread("kit-demux") })
        process.send(SIGINT)
        let report = try Report(try process.wait())
        #expect(report.sessions.first?["end_reason"] == "interrupted")
        #expect(report.status == 130)
    }

    @Test(arguments: ["", "{\"t_ms\":1,\"event\":\"play_in"])
    func aLogThatNeverEndsCanBeInterrupted(rest: String) throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.file("events.jsonl")
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        // Open for both, so that kitshell finds a writer and never an end.
        let writer = try #require(FileHandle(forUpdatingAtPath: pipe))
        try writer.write(contentsOf: Data((try GoldenLog(name: "autoplay-off").text + rest).utf8))
        let process = try Kitshell.start(["replay", pipe, "--report", "json"])
        // It has read all there is once the pipe is empty.
        #expect(Patience.wait { process.hasThread("kit-signals") && Self.isEmpty(writer.fileDescriptor) })
        process.send(SIGINT)
        let report = try Report(try process.wait())
        #expect(report.status == 130)
    }

    @Test func anInterruptedRunLeavesNoWorkerBehind() throws {
        let running = try Running(batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", "MARK"))
        let workers = running.process.children
        #expect(workers.count == 1)
        running.process.send(SIGINT)
        _ = try running.process.wait()
        // Collected before kitshell ended: nobody else would have done it by now.
        #expect(workers.allSatisfy { !ChildProcess.exists($0) })
    }

    @Test func aKilledRunLeavesNoWorkerBehind() throws {
        let running = try Running(batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", "MARK"))
        let workers = running.process.children
        #expect(workers.count == 1)
        running.process.send(SIGKILL)
        _ = try running.process.wait()
        #expect(Patience.wait { workers.allSatisfy { !ChildProcess.isAlive($0) } })
    }

    @Test func aWorkerThatDiedIsCollectedWhilePlaybackGoesOn() throws {
        // It is started again at once, so which process it was has to be known.
        let note = try TemporaryDirectory()
        let file = note.file("pid")
        let running = try Running(
            batch: CMonitor.at(
                "KIT_EVENT_FIRST_VIDEO_FRAME",
                "pid_t me = getpid(); write(open(\"\(file)\", O_WRONLY | O_CREAT, 0600), &me, sizeof me); MARK \(CMonitor.crash)"
            ))
        let bytes = try Data(contentsOf: URL(filePath: file))
        let worker = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: Int32.self) }
        #expect(Patience.wait { !ChildProcess.exists(worker) })
        running.process.send(SIGINT)
        let report = try Report(try running.process.wait())
        #expect(report.faults(of: CMonitor.id).first == "crash on_events SIGSEGV")
        #expect(report.status == 130)
    }

    @Test func aWorkerHoldsNothingOpenOfItsHost() throws {
        let running = try Running(batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", "MARK"))
        let worker = try #require(running.process.children.first)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker)/fd")
        let targets = open.map {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(worker)/fd/\($0)")
        }
        #expect(!targets.contains { $0?.hasSuffix("demo.mp4") ?? false })
        #expect(open.count <= 4)
        running.process.send(SIGINT)
        _ = try running.process.wait()
    }
}
