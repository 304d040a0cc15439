// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Hands a monitoring strategy its events and keeps its failures from everybody else.
///
/// A call that throws is a fault; after `failureLimit` of them in a row the strategy gets no more events.
///
/// Thread: `receive` the dispatcher's.
final class MonitorFeed: EventSink {
    static let failureLimit = 3

    let monitor: any MonitorStrategy
    private let reports: ReportSink
    private let onFailure: @Sendable (any Error, _ isLast: Bool) -> Void
    // Only the dispatcher's thread writes them.
    private let failuresInARow = Atomic<Int>(0)
    private let calls = Atomic<UInt64>(0)
    private let delivered = Atomic<UInt64>(0)
    private let dropped = Atomic<UInt64>(0)

    init(
        _ monitor: any MonitorStrategy, reports: ReportSink,
        onFailure: @escaping @Sendable (any Error, _ isLast: Bool) -> Void
    ) {
        self.monitor = monitor
        self.reports = reports
        self.onFailure = onFailure
    }

    /// Asked for each batch: a plugin may tell late what it wants.
    var interest: EventMask { monitor.interest }

    var figures: (calls: UInt64, delivered: UInt64, dropped: UInt64) {
        (calls.load(ordering: .relaxed), delivered.load(ordering: .relaxed), dropped.load(ordering: .relaxed))
    }

    func receive(_ events: [PlayerEvent]) {
        let count = UInt64(events.count)
        let failures = failuresInARow.load(ordering: .relaxed)
        guard failures < MonitorFeed.failureLimit else { return add(count, to: dropped) }
        add(1, to: calls)
        add(count, to: delivered)
        do {
            try monitor.receive(events, reports: reports)
            if failures > 0 { failuresInARow.store(0, ordering: .relaxed) }
        } catch {
            failuresInARow.store(failures + 1, ordering: .relaxed)
            onFailure(error, failures + 1 == MonitorFeed.failureLimit)
        }
    }

    /// Without the cost of an atomic addition: there is one writer.
    private func add(_ amount: UInt64, to figure: borrowing Atomic<UInt64>) {
        figure.store(figure.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }
}
