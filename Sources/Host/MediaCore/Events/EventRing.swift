// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import Synchronization

/// A bounded ring of events: many producers, one consumer, no lock. What a post costs is one atomic exchange and the copy.
///
/// A producer claims a place, writes its event there and publishes it. The consumer takes places in their order, so the order is that of
/// the claims; it alone ever waits, for a producer that was interrupted between the two.
///
/// Thread: `claim` and `publish` any, `end` and `take` one thread at a time.
@safe
final class EventRing: @unchecked Sendable {
    /// A place that was claimed and has yet to be published.
    struct Place: ~Copyable {
        fileprivate let position: UInt64
    }

    /// A place in memory: the flag that publishes it, then the event, on cache lines of its own.
    private static let stride = 128
    private static let eventOffset = 8
    /// So many places before it is used, a place is asked for from the consumer's core, which had it last.
    private static let ahead: UInt64 = 8

    // Written once in init. A place belongs to the producer that claimed it until it is published, then to the consumer until `head`
    // has passed it.
    private let places: UnsafeMutableRawPointer
    private let counters: UnsafeMutableRawPointer
    private let block: UnsafeMutableRawPointer
    private let mask: UInt64
    /// The next place to claim. Producers write it all the time, so it has a line of its own, before the places.
    private var tail: UnsafeMutablePointer<Atomic<UInt64>> { unsafe counter(0) }
    /// The next place to take; everything before it is free.
    private var head: UnsafeMutablePointer<Atomic<UInt64>> { unsafe counter(1) }

    /// Fresh memory is zero, and a flag that is zero says not published: what is not used yet is not touched, and costs nothing.
    ///
    /// - Parameter capacity: events that `append` may be asked to hold at most.
    init(capacity: Int) {
        precondition(MemoryLayout<PlayerEvent>.size + EventRing.eventOffset <= EventRing.stride)
        var count = 1
        while count < capacity { count *= 2 }
        mask = UInt64(count - 1)
        guard let block = unsafe calloc(count + 3, EventRing.stride) else {
            fatalError("no memory for a ring of \(count) events")
        }
        unsafe self.block = block
        unsafe counters = block.alignedUp(toMultipleOf: EventRing.stride)
        unsafe places = counters + 2 * EventRing.stride
    }

    deinit {
        var rest: [PlayerEvent] = []
        _ = take(before: end, most: .max, into: &rest)
        unsafe free(block)
    }

    /// Claims the next place, which must be published at once.
    ///
    /// - Parameter limit: how many may be in the ring afterwards, at most its capacity.
    /// - Returns: nil, and nothing is done, if there would be more.
    func claim(limit: Int) -> Place? {
        var position = unsafe tail.pointee.load(ordering: .relaxed)
        while true {
            // A stale head only makes the ring look fuller than it is. A stale position may lie before the head: then it holds less
            // than nothing, and the claim fails.
            let held = unsafe Int64(bitPattern: position &- head.pointee.load(ordering: .acquiring))
            guard held < Int64(limit) else { return nil }
            let claim = unsafe tail.pointee.weakCompareExchange(
                expected: position, desired: position &+ 1, ordering: .sequentiallyConsistent)
            if claim.exchanged { return Place(position: position) }
            position = claim.original
        }
    }

    /// Puts an event in its place, where the consumer finds it.
    @inline(__always)
    func publish(_ event: consuming PlayerEvent, in place: consuming Place) {
        let position = place.position
        let coming = unsafe address(position &+ EventRing.ahead)
        unsafe clinux_prefetch_for_writing(coming)
        unsafe clinux_prefetch_for_writing(coming + EventRing.stride / 2)
        unsafe self.event(position).initialize(to: event)
        unsafe flag(position).pointee.store(true, ordering: .releasing)
    }

    /// Behind the place that was claimed last.
    var end: UInt64 { unsafe tail.pointee.load(ordering: .sequentiallyConsistent) }

    /// Moves the next events to the end of `events`.
    ///
    /// - Parameters:
    ///   - end: where to stop: an `end` that was asked for before.
    ///   - most: how many to move at most.
    /// - Returns: whether everything before `end` has been taken.
    func take(before end: UInt64, most: Int, into events: inout [PlayerEvent]) -> Bool {
        let begin = unsafe head.pointee.load(ordering: .relaxed)
        let stop = begin &+ min(end &- begin, UInt64(most))
        var position = begin
        while position != stop {
            while unsafe !flag(position).pointee.load(ordering: .acquiring) { sched_yield() }
            unsafe events.append(event(position).move())
            unsafe flag(position).pointee.store(false, ordering: .relaxed)
            position &+= 1
            // Producers look at `head`; telling them of every place would take its line from them each time.
            if position & 63 == 0 { unsafe head.pointee.store(position, ordering: .releasing) }
        }
        unsafe head.pointee.store(position, ordering: .releasing)
        return position == end
    }

    private func counter(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        unsafe (counters + index * EventRing.stride).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    private func flag(_ position: UInt64) -> UnsafeMutablePointer<Atomic<Bool>> {
        unsafe address(position).assumingMemoryBound(to: Atomic<Bool>.self)
    }

    private func event(_ position: UInt64) -> UnsafeMutablePointer<PlayerEvent> {
        unsafe (address(position) + EventRing.eventOffset).assumingMemoryBound(to: PlayerEvent.self)
    }

    private func address(_ position: UInt64) -> UnsafeMutableRawPointer {
        unsafe places + Int(truncatingIfNeeded: position & mask) * EventRing.stride
    }
}
