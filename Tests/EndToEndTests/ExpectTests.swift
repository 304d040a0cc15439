// SPDX-License-Identifier: Apache-2.0

import JSONText
import TestSupport
import Testing

@Suite struct ExpectTests {
    @Test func whatHoldsChangesNothingAndWhatDoesNotIsSaid() throws {
        let held = try Kitshell.play(
            Media.short, "--expect", "outcome == complete", "--expect", "frames.presented == 50")
        #expect(held.status == 0 && held.errors == "")
        let failed = try Kitshell.play(
            Media.short, Media.short, "--expect", "frames.presented == 50", "--expect", "stalls.count > 0")
        #expect(failed.status == 4)
        #expect(failed.sessions.count == 2)
        #expect(
            failed.errors.contains(
                "expectation 'stalls.count > 0' does not hold\n  session 1 (\(Media.short)): stalls.count is 0"))
        #expect(!failed.errors.contains("frames.presented"))
    }

    @Test func aSourceThatFailsAndAStrategyThatFailsOutrankIt() throws {
        #expect(try Kitshell.play(Media.path("text.mp4"), "--expect", "outcome == complete").status == 1)
        let directory = try TemporaryDirectory()
        let bad = try directory.write(Array("no plugin".utf8), to: "libbad.so")
        #expect(try Kitshell.play(Media.short, "--plugin", bad, "--expect", "stalls.count > 0").status == 3)
    }

    @Test func aReplayIsHeldToItToo() throws {
        let golden = GoldenLog(name: "pause-into-empty-buffer")
        #expect(try Kitshell.replay(golden.path, "--expect", "stalls.count == 2").status == 0)
        let failed = try Kitshell.replay(golden.path, "--expect", "stalls.list.duration_ms < 1000")
        #expect(failed.status == 4)
        #expect(failed.errors.contains("stalls.list.duration_ms is 1000 in element 1 of 2"))
    }

    @Test func anUnknownPathIsAUsageErrorBeforeAnythingRuns() throws {
        let outcome = try Kitshell.run("play", Media.short, "--expect", "first_frame.total < 5", "--report", "json")
        #expect(outcome.status == 2 && outcome.output == "")
        #expect(outcome.errors.contains("first_frame.total_ms"))
    }
}
