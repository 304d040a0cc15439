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
        var droppedSinceBatch: UInt64 = 0
        var sink: ReportSink?
        var isOpen = true
    }

    private let state = Mutex(State())
    private let changed = Gate()

    /// Accepts what there is room for.
    ///
    /// - Returns: how many found no room, and whether the supervisor has to be woken.
    func append(_ events: [PlayerEvent], sink: ReportSink) -> (dropped: Int, mustWake: Bool) {
        state.withLock { state in
            guard state.isOpen else { return (events.count, false) }
            state.sink = sink
            let wasEmpty = state.pending.isEmpty
            var dropped = 0
            for event in events {
                let limit = event.type.isLevel ? EventBacklog.capacity * 3 / 4 : EventBacklog.capacity
                if state.held < limit {
                    state.pending.append(event)
                    state.held += 1
                } else {
                    dropped += 1
                }
            }
            state.droppedSinceBatch += UInt64(dropped)
            return (dropped, wasEmpty && !state.pending.isEmpty)
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

    /// So many events were handled, or passed over because nobody wants them.
    ///
    /// - Returns: false if they were given up meanwhile.
    @discardableResult
    func acknowledge(_ count: Int) -> Bool {
        let isOpen = state.withLock { state in
            if state.isOpen { state.held -= count }
            return state.isOpen
        }
        changed.signal()
        return isOpen
    }

    /// Nothing is accepted any more and what waits is given up.
    ///
    /// - Returns: how many events that were.
    func close() -> Int {
        let lost = state.withLock { state -> Int in
            defer { state = State(isOpen: false) }
            return state.held
        }
        changed.signal()
        return lost
    }

    /// - Returns: whether nothing waits any more.
    func waitUntilIdle(milliseconds: Int) -> Bool {
        changed.wait(milliseconds: milliseconds) { self.state.withLock { $0.held == 0 } }
    }
}
