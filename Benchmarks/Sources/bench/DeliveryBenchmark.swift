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
        let factory = SilentPlayers()
        let clock = ManualClock()
        let environment = PlayerEnvironment(clock: clock, factory: factory, registry: StrategyRegistry())
        let controller = PlayerController(environment: environment)
        defer { controller.destroy() }
        let strategies = (0..<count).map { Counter(name: "counter-\($0)") }
        strategies.forEach(controller.strategyManager.register)
        controller.configure(PlayerModel(videoSource: .url("bench.mp4")))
        let output = try factory.newest()
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
        let delivered = strategies.reduce(0) { $0 + $1.received }
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
