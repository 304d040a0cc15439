// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// What is read ahead, and what becomes of it.
@Suite struct QueueTests {
    /// Of the signals that a playback makes the first is the demux thread's.
    private static let demux = 0

    /// Writes pictures, of which only the first have sound, to a file.
    private static func file(in directory: TemporaryDirectory, pictures: Int, withSound count: Int) throws -> String {
        var bytes = Matroska.head
        for index in 0..<pictures { bytes += Matroska.cluster(index, hasSound: index < count) }
        let path = directory.file("long.mkv")
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    @Test func aFullQueueBesideAnEmptyOneIsNotAskedAgainAndAgain() throws {
        let directory = try TemporaryDirectory()
        let clock = HandClock()
        let run = PlayerRun(clock: clock)
        try run.play(try QueueTests.file(in: directory, pictures: 60, withSound: 12)) { model in
            model.configuration.maxBufferBytes = 2 << 20
            model.configuration.maxBuffer = .seconds(60)
        }
        run.wait("the first picture") { $0.type == .firstVideoFrame }
        // Once the sound is over, the queue of the pictures is full and that of the sound empty.
        for _ in 0..<200 where run.events.last(where: { $0.type == .position })?.value(0) ?? 0 < 700_000 {
            clock.settles()
            clock.advance(milliseconds: 5)
            run.collect(waitingUpTo: 0)
        }
        #expect(clock.sleeps(QueueTests.demux))
        run.drive(clock)
        #expect(run.counts.presented + run.counts.droppedLate == 60)
        #expect(run.states.last == .completed)
    }

    @Test func aPlayerThatHasEndedKeepsNothingOfWhatItRead() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let path = try QueueTests.file(in: directory, pictures: 120, withSound: 120)
            // The first one starts what the process keeps.
            try PlayerRun().playToEnd(path)
            let before = LeakTests.residentBytes
            let run = PlayerRun()
            try run.prepare(.url(path)) { $0.endTime = MediaTime(microseconds: 200_000) }
            run.wait("all to be read") { $0.type == .demuxEOF }
            run.player.start()
            run.wait("the end") { $0.playerState == .stopped }
            while LeakTests.mediaThreads != [] { run.collect() }
            // It was 41 MB.
            let grown = LeakTests.residentBytes - before
            #expect(grown < 15 << 20, "\(grown)")
            #expect(run.player.bufferedPosition != nil)
            run.player.destroy()
        }
    }
}
