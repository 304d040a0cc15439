// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// The one ring between media threads and the dispatcher: many producers, one consumer, bounded, two buffers that are swapped.
///
/// `post` copies the event under a lock that the consumer holds only to swap the buffers, so a media thread waits for nothing that a
/// strategy does. Levels never wake the consumer; edges do, once until it looks again. What finds no room is counted, by kind; a
/// lossless queue makes the producer wait for room instead, which suits replays and virtual time and nothing else.
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
    /// Where producers of a lossless queue wait for room; nil if it drops.
    private let room: Gate?
    /// The thread that drained last: it must never wait for itself. 0 until there is one.
    private let consumer = Atomic<UInt>(0)

    /// Whether producers wait for room instead of losing events.
    public var isLossless: Bool { room != nil }

    /// - Parameters:
    ///   - capacity: events held for the consumer; a quarter of it is kept free of levels so that edges find room.
    ///   - isLossless: whether `post` waits for room when the queue is full.
    public init(capacity: Int = 16_384, isLossless: Bool = false) {
        self.capacity = capacity
        room = isLossless ? Gate() : nil
        var initial = State()
        initial.pending.reserveCapacity(capacity)
        state = Mutex(initial)
        signal = EventSignal()
    }

    /// Appends an event. Never blocks longer than another thread's copy of one event, unless the queue is lossless and full.
    public func post(_ event: PlayerEvent) {
        if let room { return post(event, waitingIn: room) }
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

    /// Appends an event once there is room. The consumer itself never waits: what it posts goes beyond the capacity.
    private func post(_ event: PlayerEvent, waitingIn room: Gate) {
        let isConsumer = isConsumer
        func append() -> Bool {
            state.withLock { state in
                guard isConsumer || state.pending.count < capacity else { return false }
                state.pending.append(event)
                return true
            }
        }
        guard !append() else {
            if !event.type.isLevel { signal.raise() }
            return
        }
        signal.raise()
        room.wait { append() }
        signal.raise()
    }

    /// Whether this thread is the one that drains.
    package var isConsumer: Bool { consumer.load(ordering: .relaxed) == EventQueue.currentThread }

    private static var currentThread: UInt { UInt(pthread_self()) }

    /// Wakes the consumer although there may be no edge.
    public func wake() {
        signal.raise()
    }

    /// Waits for an edge or a wake. Thread: the consumer.
    ///
    /// - Parameter milliseconds: how long, real time; negative means until there is one.
    package func wait(milliseconds: Int32) {
        signal.wait(milliseconds: milliseconds)
    }

    /// Takes everything that is pending, waiting for an edge if there is none. Never waits if there is one.
    ///
    /// - Parameters:
    ///   - drained: filled in place so that its storage is used again.
    ///   - milliseconds: how long to wait for an edge, real time; negative means until there is one.
    public func drain(into drained: inout Drained, waitingUpTo milliseconds: Int32) {
        if milliseconds != 0 { signal.wait(milliseconds: milliseconds) }
        drained.events.removeAll(keepingCapacity: true)
        // So that no producer ever pays for growth: the buffer goes to them.
        drained.events.reserveCapacity(capacity)
        consumer.store(EventQueue.currentThread, ordering: .relaxed)
        state.withLock { state in
            swap(&state.pending, &drained.events)
            drained.droppedLevels = state.droppedLevels
            drained.droppedEdges = state.droppedEdges
            state.droppedLevels = 0
            state.droppedEdges = 0
            state.isWakePending = false
        }
        room?.signal()
    }
}
