// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Synchronization
import Testing

@Suite("The event queue")
struct EventQueueTests {
    static func drain(_ queue: EventQueue) -> EventQueue.Drained {
        var drained = EventQueue.Drained()
        queue.drain(into: &drained, waitingUpTo: 0)
        return drained
    }

    @Test("keeps the order of one producer")
    func order() {
        let queue = EventQueue(capacity: 64)
        for number in 0..<10 { queue.post(.seekBegin(to: MediaTime(microseconds: Int64(number)))) }
        #expect(Self.drain(queue).events.map { $0.values[0] } == Array(0..<10))
        #expect(Self.drain(queue).events.isEmpty)
    }

    @Test("a full queue drops levels before edges, and counts both")
    func full() {
        let queue = EventQueue(capacity: 16)
        for _ in 0..<20 { queue.post(.tick) }
        for _ in 0..<6 { queue.post(.loadingEnd) }
        let drained = Self.drain(queue)
        #expect(drained.events.count == 16)
        #expect(drained.droppedLevels == 8)
        #expect(drained.droppedEdges == 2)
        #expect(Self.drain(queue).droppedEdges == 0)
    }

    @Test("an edge ends the wait, whenever it was posted")
    func wake() {
        let queue = EventQueue(capacity: 16)
        queue.post(.completed)
        var drained = EventQueue.Drained()
        queue.drain(into: &drained, waitingUpTo: -1)
        #expect(drained.events.map(\.type) == [.completed])
        PlainThread.start("producer") { queue.post(.completed) }
        queue.drain(into: &drained, waitingUpTo: -1)
        #expect(drained.events.map(\.type) == [.completed])
    }

    @Test("a lossless queue makes producers wait and loses nothing")
    func lossless() {
        let queue = EventQueue(capacity: 8, isLossless: true)
        let perProducer: Int64 = 1000
        for producer: UInt32 in 1...2 {
            PlainThread.start("producer") {
                for number in 0..<perProducer {
                    var event = PlayerEvent.position(MediaTime(microseconds: number), buffered: nil)
                    event.controller = ControllerID(rawValue: producer)
                    queue.post(event)
                }
            }
        }
        var received: [ControllerID: [Int64]] = [:]
        var drained = EventQueue.Drained()
        var count: Int64 = 0
        while count < 2 * perProducer {
            queue.drain(into: &drained, waitingUpTo: 10)
            count += Int64(drained.events.count)
            for event in drained.events { received[event.controller, default: []].append(event.values[0]) }
            #expect(drained.droppedEdges == 0 && drained.droppedLevels == 0)
        }
        for producer: UInt32 in 1...2 {
            #expect(received[ControllerID(rawValue: producer)] == Array(0..<perProducer))
        }
    }

    @Test("what is pending can be taken in parts; what comes meanwhile is no part of it")
    func parts() {
        let queue = EventQueue(capacity: 16)
        func post(_ numbers: Range<Int64>) {
            for number in numbers { queue.post(.seekBegin(to: MediaTime(microseconds: number))) }
        }
        post(0..<5)
        var drained = EventQueue.Drained()
        var parts: [[Int64]] = []
        repeat {
            queue.drain(into: &drained, atMost: 2, waitingUpTo: -1)
            parts.append(drained.events.map { $0.values[0] })
            if parts.count == 1 { post(5..<7) }
        } while !drained.isComplete
        #expect(parts == [[0, 1], [2, 3], [4]])
        #expect(Self.drain(queue).events.map { $0.values[0] } == [5, 6])
    }

    @Test("what the consumer of a lossless queue posts keeps its order, although there is room again in between")
    func consumerPostsInOrder() {
        let queue = EventQueue(capacity: 4, isLossless: true)
        func post(_ numbers: Range<Int64>) {
            for number in numbers { queue.post(.seekBegin(to: MediaTime(microseconds: number))) }
        }
        var drained = Self.drain(queue)
        post(0..<6)
        var received: [Int64] = []
        for later in [6..<8, 8..<8, 8..<8, 8..<8] as [Range<Int64>] {
            queue.drain(into: &drained, atMost: 2, waitingUpTo: 0)
            received += drained.events.map { $0.values[0] }
            post(later)
        }
        #expect(received == Array(0..<8))
    }

    @Test("the consumer of a lossless queue never waits for itself")
    func consumerPosts() {
        let queue = EventQueue(capacity: 4, isLossless: true)
        _ = Self.drain(queue)
        for _ in 0..<10 { queue.post(.completed) }
        #expect(Self.drain(queue).events.count == 10)
    }
}
