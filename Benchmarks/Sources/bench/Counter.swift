// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Synchronization

/// A strategy that wants every event and only counts.
final class Counter: MonitorStrategy {
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
