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
        var promised = "under 50 ns"
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
        let clock = Clock()
        let session = try CountedSession(clock: clock, strategies: count)
        defer { session.controller.destroy() }
        let (environment, output) = (session.environment, session.output)
        output.post(.state(.playing))

        var atHand: [Double] = []
        var withClock: [Double] = []
        for _ in 0..<bursts {
            // Nothing is pending when a burst begins, and a burst fits: no post finds the queue full.
            environment.dispatcher.barrier()
            let now = clock.now()
            var start = ContinuousClock.now
            for index in 0..<burst { output.post(PlayMix.event(index), at: now, position: PlayMix.position(index)) }
            atHand.append((ContinuousClock.now - start) / .nanoseconds(burst))
            environment.dispatcher.barrier()
            start = ContinuousClock.now
            for index in 0..<burst { output.post(PlayMix.event(index), position: PlayMix.position(index)) }
            withClock.append((ContinuousClock.now - start) / .nanoseconds(burst))
        }
        environment.dispatcher.barrier()
        let figures = environment.dispatcher.figures
        return Result(
            strategies: count, nanoseconds: Spread(atHand), nanosecondsWithClock: Spread(withClock),
            posted: 2 * burst * bursts, received: session.received,
            dropped: figures.droppedLevels + figures.droppedEdges)
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
