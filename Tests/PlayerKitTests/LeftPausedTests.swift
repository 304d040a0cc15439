// SPDX-License-Identifier: Apache-2.0

import Foundation
import PlayerKit
import TestSupport
import Testing

@Suite("A run that nobody can resume ends")
struct LeftPausedTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized
    /// The built-ins and the example stay mapped, so their directories stay as long as the process.
    private static let builtins = Result { try StagedBuiltins("first-frame", "stutter-detect", "traffic-protection") }
    private static let directory = Result { try TemporaryDirectory() }
    private static let example = Result {
        let source = root.appending(path: "Examples/pause-on-cellular/pause-on-cellular.c")
        return try CommandLineTool.compile(
            try String(contentsOf: source, encoding: .utf8), to: "libpauseoncellular.so", in: directory.get())
    }

    @Test("what a strategy pauses and nothing resumes is stopped, and the next source plays", .timeLimit(.minutes(1)))
    func stops() throws {
        let installation = try Installation(pluginDirectory: LeftPausedTests.builtins.get().path)
        let clips = ["Media/demo.mp4", "Tests/PlayerEngineTests/Fixtures/clip.mp4"].map {
            LeftPausedTests.root.appending(path: $0).path
        }
        var settings = PlaySettings(models: clips.map { PlayerModel(videoSource: .url($0)) })
        settings.network = .cellular
        settings.longestPause = .milliseconds(10)
        settings.strategies.plugins = [.init(name: "pauser", path: try LeftPausedTests.example.get())]
        settings.strategies.isolation = .inProcess
        settings.strategies.grants = [.init(strategy: "pauser", capability: "actions")]
        let report = try installation.makePlayRun(settings).run().report
        let sessions = report.sessions.map(\.record)
        #expect(sessions.map(\.endReason) == [.stopped, .completed])
        #expect(sessions.map(\.outcome) == [.partial, .complete])
        // What the exit status is made of: that of a run that went well.
        #expect(sessions.allSatisfy { !$0.errors.contains(where: \.isFatal) })
        #expect(report.strategies.allSatisfy { $0.health == .running && $0.faults.isEmpty })
    }
}
