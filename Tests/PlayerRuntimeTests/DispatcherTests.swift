// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import Synchronization
import TestSupport
import Testing

@Suite("The dispatcher")
struct DispatcherTests {
    final class Sink: EventSink {
        let interest: EventMask
        private let name: String
        private let journal: Journal
        private let onEvents: (@Sendable () -> Void)?
        private let all = Mutex<[PlayerEvent]>([])

        init(
            _ name: String = "sink", interest: EventMask = .all, journal: Journal = Journal(),
            onEvents: (@Sendable () -> Void)? = nil
        ) {
            self.name = name
            self.interest = interest
            self.journal = journal
            self.onEvents = onEvents
        }

        var events: [PlayerEvent] { all.withLock { $0 } }

        func receive(_ events: [PlayerEvent]) {
            journal.note(name)
            all.withLock { $0 += events }
            onEvents?()
        }
    }

    let stage = FakeStage()
    var dispatcher: EventDispatcher { stage.environment.dispatcher }

    private func output(_ controller: UInt32, session: UInt32) -> EventOutput {
        EventOutput(
            controller: ControllerID(rawValue: controller), session: SessionID(rawValue: session), clock: stage.clock,
            queue: stage.environment.queue)
    }

    private func request(_ name: String = "a") -> PlayerEvent {
        .request(source: name, uniqueID: "url:" + name, player: 1, instance: .cold, continuedFrom: nil)
    }

    @Test("delivers each controller's events in order, numbered, to its own sinks only")
    func order() {
        let one = Sink()
        let two = Sink()
        dispatcher.attach(one, stage: .monitor, to: ControllerID(rawValue: 1))
        dispatcher.attach(two, stage: .monitor, to: ControllerID(rawValue: 2))
        let left = output(1, session: 1)
        let right = output(2, session: 2)
        for output in [left, right] { output.post(request()) }
        for _ in 0..<100 { for output in [left, right] { output.post(.loadingEnd) } }
        dispatcher.barrier()
        for (sink, session) in [(one, 1), (two, 2)] as [(Sink, UInt32)] {
            #expect(Set(sink.events.map(\.session)) == [SessionID(rawValue: session)])
            #expect(sink.events.map(\.sequence) == (1...UInt64(sink.events.count)).map { $0 })
            #expect(sink.events.filter { $0.type == .loadingEnd }.count == 100)
        }
        #expect(stage.events.count == one.events.count + two.events.count)
    }

    @Test("a batch reaches the recorder, then monitors, then the state, then delegates")
    func stages() {
        let journal = Journal()
        let id = ControllerID(rawValue: 9)
        dispatcher.attach(Sink("notification", journal: journal), stage: .notification, to: id)
        dispatcher.attach(Sink("monitor 1", journal: journal), stage: .monitor, to: id)
        dispatcher.attach(Sink("state", journal: journal), stage: .state, to: id)
        dispatcher.attach(Sink("monitor 2", journal: journal), stage: .monitor, to: id)
        output(9, session: 1).post(request())
        dispatcher.barrier()
        #expect(journal.lines == ["monitor 1", "monitor 2", "state", "notification"])
    }

    @Test("a sink gets what it wants and is not called for anything else")
    func interest() {
        let journal = Journal()
        let sink = Sink(interest: EventMask(.completed), journal: journal)
        dispatcher.attach(sink, stage: .monitor, to: ControllerID(rawValue: 1))
        let output = output(1, session: 1)
        output.post(request())
        dispatcher.barrier()
        #expect(journal.lines.isEmpty)
        output.post(.completed)
        dispatcher.barrier()
        #expect(sink.events.map(\.type) == [.completed])
    }

    @Test("sinks of two controllers that want the same get each its own")
    func sameInterest() {
        let sinks = (1...2).map { _ in Sink(interest: EventMask(.loadingEnd)) }
        for (index, sink) in sinks.enumerated() {
            dispatcher.attach(sink, stage: .monitor, to: ControllerID(rawValue: UInt32(index + 1)))
        }
        let outputs = [output(1, session: 1), output(2, session: 2)]
        for output in outputs { output.post(request()) }
        for output in outputs { output.post(.loadingEnd) }
        dispatcher.barrier()
        #expect(sinks.map { $0.events.map(\.session.rawValue) } == [[1], [2]])
    }

    @Test("sessions that began at different times have each their own ticks")
    func staggeredTicks() {
        let first = output(1, session: 1)
        let second = output(2, session: 2)
        first.post(request())
        dispatcher.barrier()
        stage.clock.advance(milliseconds: 100)
        second.post(request())
        dispatcher.barrier()
        for _ in 0..<16 {
            stage.clock.advance(milliseconds: 25)
            dispatcher.barrier()
        }
        for output in [first, second] { output.post(.completed) }
        dispatcher.barrier()
        let ticks = stage.events.filter { $0.type == .tick }
        #expect(
            [1, 2].map { id in ticks.filter { $0.session.rawValue == id }.map(\.time.microseconds) }
                == [[250_000, 500_000], [350_000]])
    }

    @Test("B07: who comes late is told first what was, marked as replayed, with its time")
    func late() {
        let output = output(1, session: 1)
        output.post(request())
        stage.clock.advance(milliseconds: 3)
        output.post(.prepared(MediaDescription(container: "x")))
        dispatcher.barrier()
        stage.clock.advance(milliseconds: 4)
        let sink = Sink(interest: EventMask(.prepared, .loadingBegin))
        dispatcher.attach(sink, stage: .monitor, to: ControllerID(rawValue: 1), isLate: true)
        dispatcher.barrier()
        output.post(.loadingBegin(cause: .network))
        dispatcher.barrier()
        #expect(sink.events.map(\.type) == [.prepared, .loadingBegin])
        #expect(sink.events.map { $0.flags.contains(.replayed) } == [true, false])
        #expect(sink.events.map(\.time.microseconds) == [3000, 7000])
    }

    @Test("who comes late while a batch is being handed out is told nothing twice")
    func lateInTheMiddle() {
        let queue = EventQueue()
        let dispatcher = EventDispatcher(queue: queue, clock: stage.clock, log: stage.log)
        let late = Sink(interest: EventMask(.prepared))
        let isAttached = Mutex(false)
        let first = Sink(interest: EventMask(.request)) {
            let mustAttach = isAttached.withLock { isAttached in
                defer { isAttached = true }
                return !isAttached
            }
            if mustAttach { dispatcher.attach(late, stage: .monitor, to: ControllerID(rawValue: 2), isLate: true) }
        }
        dispatcher.attach(first, stage: .monitor, to: ControllerID(rawValue: 1))
        for id: UInt32 in [1, 2] {
            let output = EventOutput(
                controller: ControllerID(rawValue: id), session: SessionID(rawValue: id), clock: stage.clock,
                queue: queue)
            output.post(request())
            output.post(.prepared(MediaDescription(container: "x")))
        }
        // Everything is in one round, and the first controller's sinks come first.
        dispatcher.start()
        dispatcher.barrier()
        dispatcher.barrier()
        #expect(late.events.map { $0.flags.contains(.replayed) } == [true])
        dispatcher.shutDown()
    }

    @Test("a sink that was detached is not called any more, even if it detaches itself")
    func detach() {
        let output = output(1, session: 1)
        output.post(request())
        let dispatcher = dispatcher
        let box = Mutex<Sink?>(nil)
        let sink = Sink { box.withLock { $0 }.map { dispatcher.detach($0, from: ControllerID(rawValue: 1)) } }
        box.withLock { $0 = sink }
        dispatcher.attach(sink, stage: .monitor, to: ControllerID(rawValue: 1))
        output.post(.loadingEnd)
        dispatcher.barrier()
        let count = sink.events.count
        output.post(.loadingEnd)
        dispatcher.barrier()
        #expect(sink.events.count == count)
        box.withLock { $0 = nil }
    }

    @Test("a barrier on its own thread does not wait for itself")
    func barrierInside() {
        let dispatcher = dispatcher
        let journal = Journal()
        let sink = Sink {
            dispatcher.barrier()
            journal.note("came back")
        }
        dispatcher.attach(sink, stage: .monitor, to: ControllerID(rawValue: 1))
        output(1, session: 1).post(request())
        dispatcher.barrier()
        #expect(journal.lines == ["came back"])
    }

    @Test("time that passes without events shows as ticks")
    func ticks() {
        let output = output(1, session: 1)
        output.post(request())
        dispatcher.barrier()
        stage.clock.advance(milliseconds: 600)
        #expect(stage.events.filter { $0.type == .tick }.map(\.time.microseconds) == [250_000, 500_000])
        stage.clock.advance(milliseconds: 400)
        output.post(.completed)
        #expect(
            stage.events.filter { $0.type == .tick }.map(\.time.microseconds) == [250_000, 500_000, 750_000, 1_000_000])
    }

    @Test("sleep of more than a second is told to the sessions that are open, once, and is in no other state")
    func sleep() {
        stage.clock.sleep(milliseconds: 90_000)
        let output = output(1, session: 1)
        output.post(request())
        output.post(.playIntent)
        dispatcher.barrier()
        stage.clock.advance(milliseconds: 300)
        dispatcher.barrier()
        for slept: Int64 in [1000, 5000, 0] {
            stage.clock.sleep(milliseconds: slept)
            stage.clock.advance(milliseconds: 300)
            dispatcher.barrier()
        }
        #expect(stage.events.filter { $0.type == .suspended }.map { $0.value(0) } == [5_000_000])
        output.post(.stop(.user))
        dispatcher.barrier()
        #expect(stage.sessions.map { $0.states[.suspended] } == [5_000_000])
        #expect(stage.sessions.map(\.elapsed) == [6_200_000])
        #expect(stage.sessions.map(\.defect) == [nil])
    }

    @Test("the state that says again how a session ended is no late event", arguments: [true, false])
    func repeatedEnd(isTheSame: Bool) {
        let output = output(1, session: 1)
        output.post(request())
        output.post(.completed)
        output.post(.state(isTheSame ? .completed : .playing))
        dispatcher.barrier()
        #expect(dispatcher.figures.lateEvents == (isTheSame ? 0 : 1))
    }

    @Test("events of a session that is over are dropped and counted")
    func lateEvents() {
        let output = output(1, session: 1)
        output.post(request())
        output.post(.completed)
        output.post(.loadingBegin(cause: .network))
        #expect(!stage.posted.contains(.loadingBegin))
        #expect(dispatcher.figures.lateEvents == 1)
    }

    @Test("a controller that was released does not come back: all that it posts is late")
    func lateController() {
        let output = output(1, session: 1)
        output.post(request())
        dispatcher.barrier()
        dispatcher.release(ControllerID(rawValue: 1))
        dispatcher.barrier()
        let count = stage.events.count
        for event in [.playIntent, .state(.playing), .background, request()] as [PlayerEvent] { output.post(event) }
        dispatcher.barrier()
        #expect(stage.events.count == count)
        #expect(dispatcher.figures.lateEvents == 4)
        #expect(dispatcher.openRecords().isEmpty)
        let other = self.output(2, session: 2)
        other.post(request())
        #expect(dispatcher.openRecords().map(\.session.rawValue) == [2])
    }

    @Test("however many events are pending, each keeps its time: no tick of now comes before them")
    func manyPending() {
        let queue = EventQueue()
        let dispatcher = EventDispatcher(queue: queue, clock: stage.clock, log: stage.log)
        let sink = Sink(interest: EventMask(.position))
        dispatcher.attach(sink, stage: .monitor, to: ControllerID(rawValue: 1))
        let output = EventOutput(
            controller: ControllerID(rawValue: 1), session: SessionID(rawValue: 1), clock: stage.clock, queue: queue)
        output.post(request())
        let times = (1...2000).map { EventTime(microseconds: $0 * 1000) }
        for time in times { output.post(.position(.zero, buffered: nil), at: time) }
        stage.clock.advance(milliseconds: 2000)
        // All of it is pending when the thread begins.
        dispatcher.start()
        dispatcher.barrier()
        #expect(sink.events.map(\.time) == times)
        dispatcher.shutDown()
    }

    @Test("sessions are handed out once, when they end; open ones can be looked at")
    func records() {
        let output = output(1, session: 1)
        output.post(request("a"))
        output.post(.playIntent)
        #expect(dispatcher.openRecords().map(\.session.rawValue) == [1])
        #expect(stage.sessions.isEmpty)
        output.post(.stop(.interrupted))
        #expect(stage.sessions.map(\.endReason) == [.interrupted])
        #expect(dispatcher.openRecords().isEmpty)
        dispatcher.release(ControllerID(rawValue: 1))
        dispatcher.barrier()
        #expect(stage.sessions.count == 1)
    }

    @Test("a lossless ring loses nothing, however slow the sinks are")
    func lossless() {
        let stage = FakeStage(isLossless: true)
        let sink = Sink()
        stage.environment.dispatcher.attach(sink, stage: .monitor, to: ControllerID(rawValue: 1))
        let output = EventOutput(
            controller: ControllerID(rawValue: 1), session: SessionID(rawValue: 1), clock: stage.clock,
            queue: stage.environment.queue)
        output.post(request())
        for number in 0..<40_000 { output.post(.position(MediaTime(microseconds: Int64(number)), buffered: nil)) }
        stage.environment.dispatcher.barrier()
        #expect(sink.events.filter { $0.type == .position }.map { $0.values[0] } == Array(0..<40_000))
    }

    // MARK: The network

    private func networks(of controller: UInt32) -> [PlayerEvent] {
        stage.events.filter { $0.type == .network && $0.controller == ControllerID(rawValue: controller) }
    }

    @Test("how the machine is connected follows the first request of every controller")
    func networkAtTheStart() {
        stage.environment.setNetwork(NetworkState(.wifi, isMetered: false))
        for controller: UInt32 in [1, 2] { output(controller, session: controller).post(request()) }
        for controller: UInt32 in [1, 2] {
            let events = stage.events.filter { $0.controller == ControllerID(rawValue: controller) }
            #expect(events.map(\.type).prefix(3) == [.request, .sessionState, .network])
            #expect(networks(of: controller).map { [$0.value(0), $0.value(1)] } == [[2, 0]])
        }
    }

    @Test("a change is told to every controller once, in the session that is open")
    func networkChanges() {
        stage.environment.setNetwork(NetworkState(.wifi))
        let first = output(1, session: 1)
        first.post(request())
        output(2, session: 2).post(request())
        dispatcher.barrier()
        stage.clock.advance(milliseconds: 100)
        for _ in 0..<2 { stage.environment.setNetwork(NetworkState(.cellular, isMetered: true)) }
        dispatcher.barrier()
        for controller: UInt32 in [1, 2] {
            #expect(networks(of: controller).map { [$0.value(0), $0.value(1)] } == [[2, nil], [4, 1]])
            #expect(networks(of: controller).map(\.time.microseconds) == [0, 100_000])
            #expect(networks(of: controller).allSatisfy { $0.session.rawValue == controller })
        }
        first.post(.completed)
        dispatcher.barrier()
        stage.environment.setNetwork(NetworkState(.none))
        output(1, session: 3).post(request())
        #expect(networks(of: 1).map { [$0.session.rawValue, UInt32($0.values[0])] } == [[1, 2], [1, 4], [3, 1]])
    }

    @Test("a controller that was released is not told any more")
    func networkAfterTheEnd() {
        let output = output(1, session: 1)
        output.post(request())
        output.post(.completed)
        dispatcher.release(ControllerID(rawValue: 1))
        dispatcher.barrier()
        stage.environment.setNetwork(NetworkState(.wifi))
        #expect(networks(of: 1).isEmpty)
        #expect(dispatcher.openRecords().isEmpty)
    }

    @Test("of a network that nobody told nothing is told")
    func networkUnknown() {
        output(1, session: 1).post(request())
        #expect(networks(of: 1).isEmpty)
    }
}
