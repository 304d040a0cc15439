// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerEngine
import Synchronization
import Testing

@Suite struct SinkTests {
    /// What sinks of one playback were given.
    private final class Given: Sendable {
        let pictures = Mutex<[Int64]>([])
        let samples = Atomic(0)
    }

    private final class PictureSink: VideoSink {
        private let given: Given
        private let delay: Int64

        /// - Parameter delay: microseconds that the tenth picture takes.
        init(_ given: Given, delay: Int64) {
            self.given = given
            self.delay = delay
        }

        func show(_ frame: borrowing Frame, of track: Track) {
            let time = frame.time.microseconds
            let count = given.pictures.withLock { pictures in
                pictures.append(time)
                return pictures.count
            }
            guard count == 10, delay > 0 else { return }
            let clock = MonotonicClock()
            clock.makeSignal().wait(until: clock.now() + delay)
        }

        func end() {}
    }

    private final class SoundSink: AudioSink {
        private let given: Given

        init(_ given: Given) {
            self.given = given
        }

        func play(_ frame: borrowing Frame, of track: Track, gain: Double) {
            given.samples.add(frame.sampleCount, ordering: .relaxed)
        }

        func end() {}
    }

    private static func sinks(_ given: Given, delay: Int64 = 0) -> SinkFactory {
        SinkFactory(
            makeVideoSinks: { _ in [PictureSink(given, delay: delay)] }, makeAudioSinks: { _ in [SoundSink(given)] })
    }

    @Test func everyPictureAndSampleReachesItsSinkInOrder() throws {
        let given = Given()
        let run = PlayerRun(.max, sinks: SinkTests.sinks(given))
        try run.playToEnd(Fixture.path("clip.mp4"))
        #expect(given.pictures.withLock { $0 } == (0..<50).map { Int64($0) * 40_000 })
        let samples = given.samples.load(ordering: .relaxed)
        #expect(samples == 94 * 1024)
    }

    @Test func picturesThatComeTooLateAreLeftOutAndCounted() throws {
        let given = Given()
        let run = PlayerRun(.realTime, sinks: SinkTests.sinks(given, delay: 400_000))
        try run.playToEnd(Fixture.path("video-only.mp4"))
        #expect(run.counts.droppedLate > 0)
        #expect(run.counts.presented + run.counts.droppedLate == 50)
        #expect(given.pictures.withLock { $0.count } == Int(run.counts.presented))
        #expect(run.count(.loadingBegin) == 0)
    }

    @Test func atFullSpeedNothingIsTooLate() throws {
        let given = Given()
        let run = PlayerRun(.max, sinks: SinkTests.sinks(given, delay: 400_000))
        try run.playToEnd(Fixture.path("video-only.mp4"))
        #expect(run.counts.presented == 50)
        #expect(run.counts.droppedLate == 0)
    }
}
