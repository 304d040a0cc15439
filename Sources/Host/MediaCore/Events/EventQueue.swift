// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The one ring between media threads and the dispatcher: many producers, one consumer, bounded, two buffers that are swapped.
///
/// `post` copies the event under a lock that the consumer holds only to swap the buffers, so a media thread waits for nothing that a
/// strategy does. Levels never wake the consumer; edges do, once until it looks again. What finds no room is counted, by kind.
///
/// Thread: `post` and `wake` any; `drain` the dispatcher only.
public final class EventQueue: Sendable {
    /// What the consumer gets at a time.
    public struct Drained {
        public var events: [PlayerEvent] = []
        /// Levels that found no room since the former drain; harmless, a newer one follows.
        public var droppedLevels: UInt64 = 0
        /// Edges that found no room; the sessions they belonged to are incomplete.
        public var droppedEdges: UInt64 = 0

        public init() {}
    }

    private struct State {
        var pending: [PlayerEvent] = []
        var droppedLevels: UInt64 = 0
        var droppedEdges: UInt64 = 0
        var isWakePending = false
    }

    private let state: Mutex<State>
    private let capacity: Int
    private let signal: EventSignal

    /// - Parameter capacity: events held for the consumer; a quarter of it is kept free of levels so that edges find room.
    public init(capacity: Int = 16_384) {
        self.capacity = capacity
        var initial = State()
        initial.pending.reserveCapacity(capacity)
        state = Mutex(initial)
        signal = EventSignal()
    }

    /// Appends an event. Never blocks longer than another thread's copy of one event; under 100 ns.
    public func post(_ event: PlayerEvent) {
        let isLevel = event.type.isLevel
        let mustWake = state.withLock { state -> Bool in
            guard state.pending.count < (isLevel ? capacity - capacity / 4 : capacity) else {
                if isLevel { state.droppedLevels += 1 } else { state.droppedEdges += 1 }
                return false
            }
            state.pending.append(event)
            if isLevel || state.isWakePending { return false }
            state.isWakePending = true
            return true
        }
        if mustWake { signal.raise() }
    }

    /// Wakes the consumer although there may be no edge.
    public func wake() {
        signal.raise()
    }

    /// Takes everything that is pending, waiting up to `milliseconds` for an edge if there is none. Never waits if there is one.
    ///
    /// - Parameter drained: filled in place so that its storage is used again.
    public func drain(into drained: inout Drained, waitingUpTo milliseconds: Int32) {
        if milliseconds > 0 { signal.wait(milliseconds: milliseconds) }
        drained.events.removeAll(keepingCapacity: true)
        state.withLock { state in
            swap(&state.pending, &drained.events)
            drained.droppedLevels = state.droppedLevels
            drained.droppedEdges = state.droppedEdges
            state.droppedLevels = 0
            state.droppedEdges = 0
            state.isWakePending = false
        }
    }
}
