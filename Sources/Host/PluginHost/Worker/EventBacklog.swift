// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
internal import Synchronization

/// Events that wait for a worker: bounded, and held from the moment the instance was asked for.
///
/// Thread: `append` and `waitUntilIdle` any; the rest the supervisor's.
final class EventBacklog: Sendable {
    /// Events accepted and not yet handled by the plugin, at most. A quarter is kept free of levels.
    static let capacity = 4096

    private struct State {
        var pending: [PlayerEvent] = []
        /// Accepted and not yet acknowledged; `pending` is a part of it.
        var held = 0
        /// Handled by the plugin. Changes with `held`, so who has waited for the events finds them counted; the same holds for `dropped`.
        var delivered: UInt64 = 0
        /// Lost altogether, for want of room or because nobody handles them any more.
        var dropped: UInt64 = 0
        var droppedSinceBatch: UInt64 = 0
        var sink: ReportSink?
        var isOpen = true
    }

    private let state = Mutex(State())
    private let changed = Gate()

    /// Accepts what there is room for.
    ///
    /// - Returns: whether the supervisor has to be woken.
    func append(_ events: [PlayerEvent], sink: ReportSink) -> Bool {
        state.withLock { state in
            guard state.isOpen else {
                state.dropped += UInt64(events.count)
                return false
            }
            state.sink = sink
            let wasEmpty = state.pending.isEmpty
            var dropped: UInt64 = 0
            for event in events {
                let limit = event.type.isLevel ? EventBacklog.capacity * 3 / 4 : EventBacklog.capacity
                if state.held < limit {
                    state.pending.append(event)
                    state.held += 1
                } else {
                    dropped += 1
                }
            }
            state.dropped += dropped
            state.droppedSinceBatch += dropped
            return wasEmpty && !state.pending.isEmpty
        }
    }

    /// Everything that is pending, in order.
    func takePending() -> [PlayerEvent] {
        state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
    }

    /// Events lost since the former call.
    func takeDropped() -> UInt64 {
        state.withLock { state in
            defer { state.droppedSinceBatch = 0 }
            return state.droppedSinceBatch
        }
    }

    /// Where reports go; nil before the first events.
    var sink: ReportSink? { state.withLock { $0.sink } }

    /// Events that the plugin has handled and that were lost to it.
    var figures: (delivered: UInt64, dropped: UInt64) { state.withLock { ($0.delivered, $0.dropped) } }

    /// So many events are done with, unless they were given up meanwhile.
    ///
    /// - Parameter delivered: how many of them the plugin handled; it does not want the others.
    func acknowledge(_ count: Int, delivered: Int) {
        state.withLock { state in
            guard state.isOpen else { return }
            state.held -= count
            state.delivered += UInt64(delivered)
        }
        changed.signal()
    }

    /// What waits is given up; what comes from now on is accepted.
    func drop() {
        state.withLock { state in
            state.dropped += UInt64(state.held)
            state.droppedSinceBatch += UInt64(state.held)
            state.held = 0
            state.pending = []
        }
        changed.signal()
    }

    /// Nothing is accepted any more and what waits is given up.
    func close() {
        state.withLock { state in
            state = State(
                delivered: state.delivered, dropped: state.dropped + UInt64(state.held), isOpen: false)
        }
        changed.signal()
    }

    /// - Returns: whether nothing waits any more.
    func waitUntilIdle(milliseconds: Int) -> Bool {
        changed.wait(milliseconds: milliseconds) { self.state.withLock { $0.held == 0 } }
    }
}
