// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaCore
import Synchronization
import Testing

/// Counts that threads look at.
private final class SharedCounts: Sendable {
    private let counts: [Count]

    private final class Count: Sendable {
        let value = Atomic<Int>(0)
    }

    init(_ count: Int) {
        counts = (0..<count).map { _ in Count() }
    }

    subscript(index: UInt32) -> Int { counts[Int(index)].value.load(ordering: .acquiring) }

    func add(to index: UInt32) {
        counts[Int(index)].value.add(1, ordering: .acquiringAndReleasing)
    }

    func finish() {
        for count in counts { count.value.store(.max, ordering: .releasing) }
    }
}

@Suite("The event queue under many producers", .timeLimit(.minutes(10)))
struct EventRingTests {
    /// With a text too long to be stored inline, so that a torn or doubly freed event shows.
    private static func event(_ producer: UInt32, _ number: Int64) -> PlayerEvent {
        var event = PlayerEvent.opened(container: "a container's name that needs storage of its own, number \(number)")
        event.controller = ControllerID(rawValue: producer)
        event.values[0] = number
        return event
    }

    @Test("nothing is lost, torn or out of a producer's order while the ring wraps around")
    func manyProducers() {
        let queue = EventQueue(capacity: 64)
        let perProducer: Int64 = 5000
        for producer: UInt32 in 1...4 {
            PlainThread.start("producer") {
                for number in 0..<perProducer { queue.post(Self.event(producer, number)) }
            }
        }
        var last: [ControllerID: Int64] = [:]
        var received: Int64 = 0
        var dropped: UInt64 = 0
        var drained = EventQueue.Drained()
        while received + Int64(dropped) < 4 * perProducer {
            queue.drain(into: &drained, waitingUpTo: 10)
            dropped += drained.droppedEdges
            received += Int64(drained.events.count)
            for event in drained.events {
                #expect(event.values[0] > last[event.controller, default: -1])
                #expect(event.text.hasSuffix("number \(event.values[0])"))
                last[event.controller] = event.values[0]
            }
        }
        #expect(received + Int64(dropped) == 4 * perProducer)
    }

    @Test("nothing is refused while there is room, however late a producer is")
    func roomIsRoom() {
        let queue = EventQueue(capacity: 64)
        let perProducer = 20_000
        // Who was taken, by producer: nobody posts before its last one was, so that four at most are under way.
        let taken = SharedCounts(4)
        for producer: UInt32 in 0..<4 {
            PlainThread.start("producer") {
                for number in 0..<perProducer {
                    while taken[producer] < number { sched_yield() }
                    queue.post(Self.event(producer, Int64(number)))
                }
            }
        }
        var received = 0
        var lost: UInt64 = 0
        var drained = EventQueue.Drained()
        while received + Int(lost) < 4 * perProducer, lost == 0 {
            queue.drain(into: &drained, waitingUpTo: 10)
            lost += drained.droppedEdges
            received += drained.events.count
            for event in drained.events { taken.add(to: event.controller.rawValue) }
        }
        #expect(lost == 0)
        // Those that still wait may end.
        taken.finish()
    }

    @Test("what was posted before a drain is in it, whatever other producers do")
    func drainSeesAll() {
        let queue = EventQueue(capacity: 1024)
        let stop = Atomic<Bool>(false)
        let ended = Atomic<Bool>(false)
        PlainThread.start("producer") {
            while !stop.load(ordering: .acquiring) { queue.post(.tick) }
            ended.store(true, ordering: .releasing)
        }
        var drained = EventQueue.Drained()
        for number in 0..<2000 {
            queue.post(Self.event(9, Int64(number)))
            queue.drain(into: &drained, waitingUpTo: 0)
            #expect(drained.events.contains { $0.controller.rawValue == 9 && $0.values[0] == Int64(number) })
        }
        stop.store(true, ordering: .releasing)
        while !ended.load(ordering: .acquiring) { queue.drain(into: &drained, waitingUpTo: 1) }
    }

    @Test("events that nobody took are freed with the queue")
    func leftBehind() {
        for _ in 0..<100 {
            let queue = EventQueue(capacity: 8)
            for number in 0..<8 { queue.post(Self.event(1, Int64(number))) }
        }
    }
}
