// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaCore
import PlayerKit

/// What an event costs from the post to the end of its delivery, in processor time of all threads together: how many a second one core
/// delivers. The events are those of a playback, and so is their order: mostly levels.
enum DeliveryBenchmark {
    struct Result: Encodable {
        /// Strategies that want every event.
        var strategies: Int
        var millionEventsPerSecond: Spread
        var delivered: Int
        var promised: String?
    }

    private static let burst = 8_000
    private static let bursts = 200

    static func run() throws -> [Result] {
        try [(0, nil), (1, "at least 5"), (3, nil)].map { try measure($0, promised: $1) }
    }

    private static func measure(_ count: Int, promised: String?) throws -> Result {
        let session = try CountedSession(clock: ManualClock(), strategies: count)
        defer { session.controller.destroy() }
        let (environment, output) = (session.environment, session.output)
        var rates: [Double] = []
        var time: Int64 = 0
        for _ in 0..<bursts {
            environment.dispatcher.barrier()
            let start = processorNanoseconds()
            for index in 0..<burst {
                time += 1000
                output.post(
                    PlayMix.event(index), at: EventTime(microseconds: time), position: PlayMix.position(index))
            }
            environment.dispatcher.barrier()
            rates.append(Double(burst) * 1000 / Double(processorNanoseconds() - start))
        }
        let delivered = session.received
        guard delivered >= count * burst * bursts, environment.dispatcher.figures.droppedEdges == 0 else {
            throw Failure("\(delivered) events were delivered, of \(count * burst * bursts)")
        }
        return Result(
            strategies: count, millionEventsPerSecond: Spread(rates), delivered: delivered, promised: promised)
    }

    private static func processorNanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
