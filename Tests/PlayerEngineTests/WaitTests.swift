// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import TestSupport
import Testing

/// The present thread sleeps while there is nothing to do, whatever the source does.
@Suite struct WaitTests {
    /// Of the signals that a playback makes the second is the present thread's.
    private static let present = 1
    /// The third is the decode thread's.
    private static let decode = 2
    private let clock = HandClock()
    private let bytes: [UInt8]

    init() throws {
        bytes = try Array(Data(contentsOf: URL(filePath: Fixture.path("clip.mkv"))))
    }

    @Test func aFirstFrameThatDoesNotComeIsNotAskedForAgainAndAgain() throws {
        let directory = try TemporaryDirectory()
        let writer = try PipeWriter(directory.file("pipe"))
        let run = PlayerRun(clock: clock)
        try run.play(writer.path)
        writer.open()
        // The header and less than one packet.
        writer.write(bytes[..<2400])
        run.wait("playing") { $0.playerState == .playing }
        #expect(clock.sleeps(WaitTests.present))
        clock.advance(milliseconds: 3000)
        #expect(clock.sleeps(WaitTests.present))
        run.player.stop()
    }

    // Of these some run dry shortly before the next position is due.
    @Test(arguments: [4500, 5000, 5500, 6000, 6500, 7000, 7500, 8000])
    func anOutputThatRunsDryIsNotWatchedAgainAndAgain(_ count: Int) throws {
        let bytes = try Array(Data(contentsOf: URL(filePath: Fixture.path("video-only.mp4"))))
        let directory = try TemporaryDirectory()
        let writer = try PipeWriter(directory.file("pipe"))
        let run = PlayerRun(clock: clock)
        try run.play(writer.path) { $0.configuration.startBuffer = .zero }
        writer.open()
        writer.write(bytes[..<count])
        run.wait("the first picture") { $0.type == .firstVideoFrame }
        var isLoading = false
        for _ in 0..<1000 where !isLoading {
            guard clock.sleeps(WaitTests.decode), clock.sleeps(WaitTests.present) else {
                Issue.record("the present thread does not sleep")
                break
            }
            clock.advance(milliseconds: 5)
            isLoading = run.collect(waitingUpTo: 0).contains { $0.type == .loadingBegin }
        }
        #expect(isLoading, "\(run.names) \(run.counts)")
        run.player.stop()
    }
}
