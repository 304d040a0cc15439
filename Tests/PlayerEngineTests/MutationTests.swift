// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import TestSupport
import Testing

/// Damaged files: whatever is wrong, a playback comes to an end and what it tells adds up.
@Suite struct MutationTests {
    /// A small generator of the xorshift family, so that a failure can be repeated.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    @Test(arguments: ["clip.mp4", "clip.mkv", "clip.ts", "audio-only.m4a"])
    func damagedFilesPlayOrFailTyped(_ name: String) throws {
        let directory = try TemporaryDirectory()
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: Fixture.path(name))))
        var generator = Generator(state: 0x9E37_79B9_7F4A_7C15)
        for round in 0..<25 {
            var damaged = bytes
            for _ in 0..<(1 << (round % 8)) {
                damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            if round % 5 == 4 { damaged.removeLast(Int.random(in: 0..<damaged.count, using: &generator)) }
            let path = try directory.write(damaged, to: "\(round)-\(name)")
            let run = PlayerRun()
            try run.playToEnd(path)
            let isFailed = run.failures.contains(where: \.isFatal)
            #expect(run.states.last == (isFailed ? .error : .completed), "round \(round)")
            #expect(run.counts.decoded >= run.counts.presented + run.counts.droppedLate, "round \(round)")
            #expect(run.count(.firstVideoFrame) <= 1, "round \(round)")
        }
    }
}
