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

    private struct State {
        var failuresInARow = 0
        var calls: UInt64 = 0
        var delivered: UInt64 = 0
        var dropped: UInt64 = 0
    }

    let monitor: any MonitorStrategy
    private let reports: ReportSink
    private let onFailure: @Sendable (any Error, _ isLast: Bool) -> Void
    private let state = Mutex(State())

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
        state.withLock { ($0.calls, $0.delivered, $0.dropped) }
    }

    func receive(_ events: [PlayerEvent]) {
        let isGivenUp = state.withLock { state in
            guard state.failuresInARow < MonitorFeed.failureLimit else {
                state.dropped += UInt64(events.count)
                return true
            }
            state.calls += 1
            state.delivered += UInt64(events.count)
            return false
        }
        if isGivenUp { return }
        do {
            try monitor.receive(events, reports: reports)
            state.withLock { $0.failuresInARow = 0 }
        } catch {
            let isLast = state.withLock { state in
                state.failuresInARow += 1
                return state.failuresInARow == MonitorFeed.failureLimit
            }
            onFailure(error, isLast)
        }
    }
}
