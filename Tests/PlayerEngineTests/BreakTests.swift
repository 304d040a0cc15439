// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// Time stamps that leap.
@Suite struct BreakTests {
    /// Some 67 minutes further.
    private static let far = 100_000

    struct Part: Sendable {
        var indexes: Range<Int>
        var hasSound: Bool
    }

    @Test(arguments: [
        [Part(indexes: 0..<10, hasSound: true), Part(indexes: far..<far + 40, hasSound: true)],
        // The sound never comes to the break, and there is more behind it than is read ahead.
        [Part(indexes: 0..<10, hasSound: true), Part(indexes: far..<far + 40, hasSound: false)],
        // Back, where the sound has ended long after what is left.
        [Part(indexes: far..<far + 10, hasSound: true), Part(indexes: 0..<40, hasSound: false)],
    ])
    func playbackGoesOnBehindABreak(_ parts: [Part]) throws {
        let directory = try TemporaryDirectory()
        var bytes = Matroska.head
        for part in parts {
            for index in part.indexes { bytes += Matroska.cluster(index, hasSound: part.hasSound) }
        }
        let path = directory.file("break.mkv")
        try Data(bytes).write(to: URL(filePath: path))
        let clock = HandClock()
        let log = FrameLog()
        let run = PlayerRun(clock: clock, sinks: log.sinks)
        try run.play(path) { $0.configuration.maxBufferBytes = 2 << 20 }
        run.drive(clock)
        #expect(run.states.last == .completed)
        #expect(
            log.pictures.map { $0.microseconds } == parts.flatMap { $0.indexes.map { Int64($0) * 40_000 } })
        // Two seconds of media, and the time to see that no sound comes.
        #expect((2_000_000..<2_500_000).contains(run.elapsed ?? 0))
    }
}
