// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// The one ring between media threads and the dispatcher: many producers, one consumer, bounded.
///
/// `post` takes no lock, so a media thread waits for nothing that a strategy does. Levels never wake the consumer; edges do, and only one
/// that sleeps costs the producer a system call. What finds no room is counted, by kind; a lossless queue makes the producer wait for room instead, which suits
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
        /// Whether this is the last part of what was pending at the first of these drains.
        public fileprivate(set) var isComplete = true
        /// Where the ring ended at the first of these drains.
        fileprivate var end: UInt64 = 0
        /// What follows that.
        fileprivate var beyond: [PlayerEvent] = []

        /// Storage for drains, which is used again and again.
        public init() {}
    }

    /// What the consumer is doing, as far as producers must know.
    private enum Consumer: UInt8, AtomicRepresentable {
        /// It will look again before it sleeps if it is called.
        case awake
        case called
        case asleep
    }

    private let ring: EventRing
    private let capacity: Int
    private let droppedLevels = Atomic<UInt64>(0)
    private let droppedEdges = Atomic<UInt64>(0)
    private let consumer = Atomic<Consumer>(.awake)
    /// What the consumer of a lossless queue posted while the ring was full, and what it posted after that: it must never wait for itself.
    private let beyond = Mutex<[PlayerEvent]>([])
    private let signal: EventSignal
    /// Where producers of a lossless queue wait for room; nil if it drops.
    private let room: Gate?
    /// The thread that drained last: it must never wait for itself. 0 until there is one.
    private let consumerThread = Atomic<UInt>(0)

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
    // Inlined, as what it calls: an event is large, and would be copied on each step of its way into the ring.
    @inline(__always)
    public func post(_ event: consuming PlayerEvent) {
        let isLevel = event.type.isLevel
        if let room {
            post(event, waitingIn: room)
        } else if let place = ring.claim(limit: isLevel ? capacity - capacity / 4 : capacity) {
            ring.publish(event, in: place)
        } else if isLevel {
            droppedLevels.wrappingAdd(1, ordering: .relaxed)
        } else {
            droppedEdges.wrappingAdd(1, ordering: .relaxed)
        }
        if !isLevel { wake() }
    }

    /// Appends an event once there is room. The consumer itself never waits.
    private func post(_ event: consuming PlayerEvent, waitingIn room: Gate) {
        if isConsumer { return postOwn(event) }
        if let place = ring.claim(limit: capacity) { return ring.publish(event, in: place) }
        wake()
        var place: EventRing.Place?
        room.wait {
            place = ring.claim(limit: capacity)
            return place != nil
        }
        if let place { ring.publish(event, in: place) }
        // The queue was full: whatever this event is, it is worth looking.
        wake()
    }

    private func postOwn(_ event: PlayerEvent) {
        beyond.withLock { beyond in
            if beyond.isEmpty, let place = ring.claim(limit: capacity) {
                ring.publish(event, in: place)
            } else {
                beyond.append(event)
            }
        }
    }

    /// Has the consumer look, although there may be no edge.
    public func wake() {
        if consumer.load(ordering: .sequentiallyConsistent) == .called { return }
        if consumer.exchange(.called, ordering: .sequentiallyConsistent) == .asleep { signal.raise() }
    }

    /// Whether this thread is the one that drains.
    package var isConsumer: Bool { consumerThread.load(ordering: .relaxed) == EventQueue.currentThread }

    private static var currentThread: UInt { UInt(pthread_self()) }

    /// Waits for an edge or a wake; not at all if there was one since the wait before. Thread: the consumer.
    ///
    /// - Parameter milliseconds: how long, real time; negative means until there is one.
    package func wait(milliseconds: Int32) {
        if consumer.compareExchange(expected: .awake, desired: .asleep, ordering: .sequentiallyConsistent).exchanged {
            signal.wait(milliseconds: milliseconds)
        }
        // Before the look that follows: what is posted after that calls again.
        consumer.store(.awake, ordering: .sequentiallyConsistent)
    }

    /// Takes what is pending, waiting for an edge if there is none. Never waits if there is one, or for the rest of what was pending.
    ///
    /// - Parameters:
    ///   - drained: filled in place so that its storage is used again.
    ///   - most: events to take; if more are pending, `isComplete` is false, and the drains that follow give the rest.
    ///   - milliseconds: how long to wait for an edge, real time; negative means until there is one.
    public func drain(into drained: inout Drained, atMost most: Int = .max, waitingUpTo milliseconds: Int32) {
        drained.events.removeAll(keepingCapacity: true)
        consumerThread.store(EventQueue.currentThread, ordering: .relaxed)
        if drained.isComplete {
            if milliseconds != 0 { wait(milliseconds: milliseconds) }
            if isLossless { beyond.withLock { swap(&$0, &drained.beyond) } }
            drained.end = ring.end
        }
        drained.isComplete = ring.take(before: drained.end, most: most, into: &drained.events)
        drained.droppedLevels = droppedLevels.exchange(0, ordering: .relaxed)
        drained.droppedEdges = droppedEdges.exchange(0, ordering: .relaxed)
        guard let room else { return }
        if drained.isComplete {
            drained.events += drained.beyond
            drained.beyond.removeAll()
        }
        room.signal()
    }
}
