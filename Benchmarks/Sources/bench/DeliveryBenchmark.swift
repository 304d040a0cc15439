// SPDX-License-Identifier: Apache-2.0

import CAffinity
import Glibc
import MediaCore
import PlayerKit

/// What an event costs from the post to the end of its delivery, in processor time of all threads together: how many a second one core
/// delivers. The events are those of a playback, and so is their order: mostly levels.
///
/// Once with all threads on one core, which is what is promised, and once with the threads wherever the system puts them, where the
/// events have to go from one core's cache to another's.
enum DeliveryBenchmark {
    struct Result: Encodable {
        /// Strategies that want every event.
        var strategies: Int
        /// Post and delivery by turns on one core. Each run is `events` long; the lowest is what was left of the worst, whatever else the
        /// machine did meanwhile.
        var millionEventsPerSecond: Spread
        /// The same with post and delivery on different cores at once, if the system does that.
        var millionEventsPerSecondAcrossCores: Spread
        var events: Int
        var delivered: Int
        var promised: String?
    }

    /// Fits into the ring with room to spare.
    private static let burst = 8_000
    private static let bursts = 10
    private static let runs = 50

    static func run() throws -> [Result] {
        try [(0, nil), (1, "at least 5 on one core, in every run"), (3, nil)].map { try measure($0, promised: $1) }
    }

    private static func measure(_ count: Int, promised: String?) throws -> Result {
        let error = affinity_stay()
        guard error == 0 else { throw Failure("cannot stay on one core: \(String(cString: strerror(error)))") }
        let onOne: (rates: [Double], delivered: Int)
        do {
            defer { _ = affinity_roam() }
            onOne = try rates(strategies: count)
        }
        let across = try rates(strategies: count)
        return Result(
            strategies: count, millionEventsPerSecond: Spread(onOne.rates),
            millionEventsPerSecondAcrossCores: Spread(across.rates), events: burst * bursts,
            delivered: onOne.delivered + across.delivered, promised: promised)
    }

    /// Of each run, and how many events were delivered in all of them.
    private static func rates(strategies count: Int) throws -> (rates: [Double], delivered: Int) {
        let session = try CountedSession(clock: ManualClock(), strategies: count)
        defer { session.controller.destroy() }
        let (environment, output) = (session.environment, session.output)
        var rates: [Double] = []
        var time: Int64 = 0
        for _ in 0..<runs {
            environment.dispatcher.barrier()
            let start = processorNanoseconds()
            for _ in 0..<bursts {
                for index in 0..<burst {
                    time += 1000
                    output.post(
                        PlayMix.event(index), at: EventTime(microseconds: time), position: PlayMix.position(index))
                }
                environment.dispatcher.barrier()
            }
            rates.append(Double(burst * bursts) * 1000 / Double(processorNanoseconds() - start))
        }
        let delivered = session.received
        let posted = burst * bursts * runs
        guard delivered >= count * posted, environment.dispatcher.figures.droppedEdges == 0 else {
            throw Failure("\(delivered) events were delivered, of \(count * posted)")
        }
        return (rates, delivered)
    }

    private static func processorNanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
