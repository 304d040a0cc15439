// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// The one ring between media threads and the dispatcher: many producers, one consumer, bounded.
///
/// `post` takes no lock, so a media thread waits for nothing that a strategy does. Levels never wake the consumer; edges do, once until
/// it looks again. What finds no room is counted, by kind; a lossless queue makes the producer wait for room instead, which suits
/// replays and virtual time and nothing else.
///
/// Thread: `post` and `wake` any; `drain` the dispatcher only.
public final class EventQueue: Sendable {
    /// What the consumer gets at a time.
    public struct Drained {
        /// In the order in which they were posted.
        public var events: [PlayerEvent] = []
        /// Levels that found no room since the former drain; harmless, a newer one follows.
        public var droppedLevels: UInt64 = 0
        /// Edges that found no room; the sessions they belonged to are incomplete.
        public var droppedEdges: UInt64 = 0

        public init() {}
    }

    private let ring: EventRing
    private let capacity: Int
    private let droppedLevels = Atomic<UInt64>(0)
    private let droppedEdges = Atomic<UInt64>(0)
    /// The consumer was woken and has not looked since.
    private let isWakePending = Atomic<Bool>(false)
    /// What the consumer of a lossless queue posted while the ring was full: it must never wait for itself.
    private let beyond = Mutex<[PlayerEvent]>([])
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
        ring = EventRing(capacity: capacity)
        signal = EventSignal()
    }

    /// Appends an event. Never blocks, unless the queue is lossless and full.
    public func post(_ event: PlayerEvent) {
        let isLevel = event.type.isLevel
        if let room {
            post(event, waitingIn: room)
        } else if !ring.append(event, limit: isLevel ? capacity - capacity / 4 : capacity) {
            if isLevel {
                droppedLevels.wrappingAdd(1, ordering: .relaxed)
            } else {
                droppedEdges.wrappingAdd(1, ordering: .relaxed)
            }
            return
        }
        if !isLevel { wakeOnce() }
    }

    /// Appends an event once there is room. The consumer itself never waits.
    private func post(_ event: PlayerEvent, waitingIn room: Gate) {
        if ring.append(event, limit: capacity) { return }
        guard !isConsumer else { return beyond.withLock { $0.append(event) } }
        signal.raise()
        room.wait { ring.append(event, limit: capacity) }
        // The queue was full: whatever this event is, it is worth looking.
        signal.raise()
    }

    private func wakeOnce() {
        if !isWakePending.exchange(true, ordering: .sequentiallyConsistent) { signal.raise() }
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
        consumer.store(EventQueue.currentThread, ordering: .relaxed)
        // Before the look: an edge that comes after it wakes again.
        isWakePending.store(false, ordering: .sequentiallyConsistent)
        ring.take(into: &drained.events)
        drained.droppedLevels = droppedLevels.exchange(0, ordering: .relaxed)
        drained.droppedEdges = droppedEdges.exchange(0, ordering: .relaxed)
        guard let room else { return }
        drained.events += beyond.withLock { beyond in
            defer { beyond = [] }
            return beyond
        }
        room.signal()
    }
}
