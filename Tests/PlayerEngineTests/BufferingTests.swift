// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// Sources that give less than is played.
@Suite struct BufferingTests {
    private final class Source {
        let clock = HandClock()
        let run: PlayerRun
        let writer: PipeWriter
        private let directory: TemporaryDirectory

        /// libav looks at some two megabytes of raw pictures before it plays them: ten of these.
        init(_ configuration: PlayerConfiguration) throws {
            directory = try TemporaryDirectory()
            writer = try PipeWriter(directory.file("pipe"))
            run = PlayerRun(clock: clock)
            try run.play(writer.path) { $0.configuration = configuration }
            writer.open()
            writer.write(Matroska.head)
        }

        func write(_ clusters: Range<Int>) {
            for index in clusters { writer.write(Matroska.cluster(index, hasSound: true)) }
        }

        /// Lets time pass in small steps until something has been told.
        func pass(until type: EventType) {
            let count = run.count(type)
            for _ in 0..<10_000 {
                run.collect(waitingUpTo: 1)
                if run.count(type) > count { return }
                clock.advance(milliseconds: 5)
            }
            Issue.record("waited in vain for event \(type.rawValue); got \(run.names)")
        }
    }

    private static func buffers(start: Int, high: Int) -> PlayerConfiguration {
        var configuration = PlayerConfiguration()
        configuration.startBuffer = .milliseconds(start)
        configuration.highBuffer = .milliseconds(high)
        return configuration
    }

    @Test func aWaitForTheStartBufferIsToldBeforeTheFirstPicture() throws {
        let source = try Source(BufferingTests.buffers(start: 800, high: 1600))
        source.write(0..<10)
        source.run.wait("the first picture") { $0.type == .firstVideoFrame }
        let kinds: [EventType] = [.prepared, .loadingBegin, .firstVideoFrame, .loadingEnd]
        #expect(source.run.events.map(\.type).filter(kinds.contains) == [.prepared, .loadingBegin, .firstVideoFrame])
        // Time passes, and none of it is media time.
        source.clock.advance(milliseconds: 5000)
        source.write(10..<40)
        source.run.wait("loading to end") { $0.type == .loadingEnd }
        #expect(source.run.events.last { $0.type == .position }?.value(0) == 0)
        let shown = source.run.events.prefix { $0.type != .loadingEnd }.last { $0.type == .frames }
        #expect(shown?.frameCounts?.presented == 1)
        expectProgress(of: source.run)
        source.run.player.stop()
    }

    @Test func aLoadingEndsAtTheHighBuffer() throws {
        let source = try Source(BufferingTests.buffers(start: 0, high: 600))
        source.write(0..<10)
        source.run.wait("the first picture") { $0.type == .firstVideoFrame }
        source.pass(until: .loadingBegin)
        #expect(source.run.count(.demuxUnderrun) == 1 && source.run.count(.outputUnderrun) == 1)
        source.write(10..<30)
        source.run.wait("loading to end") { $0.type == .loadingEnd }
        // 400 ms were played; 600 ms beyond them were there when it ended.
        #expect((source.run.player.bufferedPosition?.microseconds ?? 0) >= 1_000_000)
        expectProgress(of: source.run)
        source.run.player.stop()
    }

    @Test func aLoadingEndsAtTheEndOfTheSource() throws {
        let source = try Source(BufferingTests.buffers(start: 0, high: 10_000))
        source.write(0..<10)
        source.run.wait("the first picture") { $0.type == .firstVideoFrame }
        source.pass(until: .loadingBegin)
        source.write(10..<12)
        source.writer.close()
        source.run.wait("loading to end") { $0.type == .loadingEnd }
        expectProgress(of: source.run)
        source.pass(until: .completed)
        #expect(source.run.counts.presented + source.run.counts.droppedLate == 12)
    }

    @Test func aLoadingEndsWhenNoMoreMayBeBuffered() throws {
        var configuration = BufferingTests.buffers(start: 0, high: 60_000)
        configuration.maxBuffer = .seconds(60)
        configuration.maxBufferBytes = 4 << 20
        let source = try Source(configuration)
        source.write(0..<10)
        source.run.wait("the first picture") { $0.type == .firstVideoFrame }
        source.pass(until: .loadingBegin)
        // 345 KB a picture: twelve of them fill 4 MiB.
        let writer = source.writer
        let rest = try MediaThread("test-writer") {
            for index in 10..<40 { writer.write(Matroska.cluster(index, hasSound: true)) }
        }
        source.run.wait("loading to end") { $0.type == .loadingEnd }
        source.run.player.stop()
        rest.join()
    }

    @Test func aPausedPlayerReadsOnAndIsNotLoading() throws {
        let source = try Source(BufferingTests.buffers(start: 0, high: 400))
        source.write(0..<10)
        source.run.wait("the first picture") { $0.type == .firstVideoFrame }
        source.run.player.pause()
        source.run.wait("the pause") { $0.playerState == .paused }
        source.clock.advance(milliseconds: 10_000)
        source.write(10..<25)
        while (source.run.player.bufferedPosition?.microseconds ?? 0) < 800_000 { source.run.collect() }
        #expect(source.run.count(.loadingBegin) == 0)
        source.run.player.stop()
    }

    /// From 0 to 100, rising, between a begin and its end.
    private func expectProgress(of run: PlayerRun) {
        let kinds: [EventType] = [.loadingBegin, .loadingProgress, .loadingEnd]
        let told = run.events.filter { kinds.contains($0.type) }
        let values = told.filter { $0.type == .loadingProgress }.map { $0.values[0] }
        #expect(told.first?.type == .loadingBegin && told.last?.type == .loadingEnd)
        #expect(values.first == 0 && values.last == 100)
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    }
}
