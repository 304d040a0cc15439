// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaCore
import PlayerRuntime
import Synchronization

/// What posting an event costs the thread that posts, with nobody and with several strategies listening.
///
/// Mostly levels, as in play, and one pair of edges in two hundred, while the dispatcher delivers. Once with the time that the thread has
/// at hand, as the player posts what belongs to one moment, and once with a reading of the clock for every event; what such a
/// reading costs by itself is told beside it.
enum PostBenchmark {
    struct Result: Encodable {
        var strategies: Int
        /// Per event, over bursts; the time is at hand.
        var nanoseconds: Spread
        /// The same with a reading of the clock for each.
        var nanosecondsWithClock: Spread
        var posted: Int
        /// By all strategies together; levels may be left out by the dispatcher.
        var received: Int
        var dropped: UInt64
    }

    private static let burst = 4_000
    private static let bursts = 250

    static func run() throws -> [Result] {
        try [0, 1, 3, 10].map(measure)
    }

    /// Nanoseconds of one reading of the clock that the benchmark stamps events with.
    static func clockReading() -> Spread {
        let clock: any EventClock = Clock()
        var sum: Int64 = 0
        let perReading = (0..<bursts).map { _ in
            let start = ContinuousClock.now
            for _ in 0..<burst { sum &+= clock.now().microseconds }
            return (ContinuousClock.now - start) / .nanoseconds(burst)
        }
        // The sum is looked at so that the readings are not optimised away.
        precondition(sum != 0)
        return Spread(perReading)
    }

    private static func measure(_ count: Int) throws -> Result {
        let factory = ProducerFactory()
        let clock = Clock()
        let environment = PlayerEnvironment(clock: clock, factory: factory, registry: StrategyRegistry())
        let controller = PlayerController(environment: environment)
        defer { controller.destroy() }
        let strategies = (0..<count).map { Counter(name: "counter-\($0)") }
        strategies.forEach(controller.strategyManager.register)
        controller.configure(PlayerModel(videoSource: .url("bench.mp4")))
        guard let output = factory.output.withLock({ $0 }) else {
            throw Failure("the controller gave no player a source")
        }
        output.post(.state(.playing))

        var atHand: [Double] = []
        var withClock: [Double] = []
        for _ in 0..<bursts {
            // Nothing is pending when a burst begins, and a burst fits: no post finds the queue full.
            environment.dispatcher.barrier()
            let now = clock.now()
            var start = ContinuousClock.now
            for index in 0..<burst { output.post(event(index), at: now, position: position(index)) }
            atHand.append((ContinuousClock.now - start) / .nanoseconds(burst))
            environment.dispatcher.barrier()
            start = ContinuousClock.now
            for index in 0..<burst { output.post(event(index), position: position(index)) }
            withClock.append((ContinuousClock.now - start) / .nanoseconds(burst))
        }
        environment.dispatcher.barrier()
        let figures = environment.dispatcher.figures
        return Result(
            strategies: count, nanoseconds: Spread(atHand), nanosecondsWithClock: Spread(withClock),
            posted: 2 * burst * bursts, received: strategies.reduce(0) { $0 + $1.received },
            dropped: figures.droppedLevels + figures.droppedEdges)
    }

    private static func position(_ index: Int) -> MediaTime {
        MediaTime(microseconds: Int64(index) * 40_000)
    }

    /// Mostly positions, as in play; now and then a pair of edges.
    @inline(__always)
    private static func event(_ index: Int) -> PlayerEvent {
        switch index % 200 {
        case 198: .loadingBegin(cause: .network)
        case 199: .loadingEnd
        default: .position(position(index), buffered: position(index))
        }
    }
}

/// The machine's monotonic clock.
private final class Clock: EventClock {
    func now() -> EventTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return EventTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}

/// Makes players that play nothing and hand their event output to the benchmark.
private final class ProducerFactory: PlayerFactory {
    let output = Mutex<EventOutput?>(nil)

    func makePlayer() throws(PlayerError) -> any MediaPlayer { Producer(self) }
}

private final class Producer: MediaPlayer {
    private let factory: ProducerFactory

    init(_ factory: ProducerFactory) { self.factory = factory }

    let playerID: Int64 = 1
    var state: PlayerState { .playing }
    var currentPosition: MediaTime { .zero }
    var duration: MediaTime? { nil }
    var bufferedPosition: MediaTime? { nil }
    var tracks: [TrackInfo] { [] }
    var settings: PlaybackSettings { PlaybackSettings() }

    func setDataSource(_ model: PlayerModel, output: EventOutput) throws(PlayerError) {
        factory.output.withLock { $0 = output }
    }

    func prepare() {}
    func start() {}
    func pause() {}
    func seek(to target: MediaTime, mode: SeekMode) {}
    func apply(_ settings: PlaybackSettings) {}
    func selectTrack(_ index: Int) {}
    func stop() {}
    func reset() {}
    func destroy() {}
}

/// A strategy that wants every event and only counts.
private final class Counter: MonitorStrategy {
    private let name: String
    private let count = Atomic<Int>(0)

    init(name: String) { self.name = name }

    var received: Int { count.load(ordering: .relaxed) }
    var strategyName: String { name }
    var interest: EventMask { .all }

    func strategyDidStart(_ context: StrategyContext) {}
    func strategyDidStop() {}
    func strategyDidReset(_ context: StrategyContext) {}

    func receive(_ events: [PlayerEvent], reports: ReportSink) {
        count.add(events.count, ordering: .relaxed)
    }

    func finish(withinMilliseconds milliseconds: Int) -> Bool { true }
}
