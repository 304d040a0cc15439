// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Sessions
internal import Synchronization

/// What the dispatcher's thread does, and everything that only it touches.
final class DispatchLoop {
    /// So often a session that is open hears of the time, in real milliseconds.
    private static let tickMilliseconds: Int32 = 250
    private static let lookMicroseconds: Int64 = 50_000
    /// Less sleep than this is none.
    private static let shortestSleep: Int64 = 1_000_000

    private let dispatcher: EventDispatcher
    private var drained = EventQueue.Drained()
    private var seats: [ControllerID: ControllerSeat] = [:]
    /// Those with events of this round.
    private var busy: [ControllerSeat] = []
    /// Those with an open session.
    private var openCount = 0
    /// When the next tick is due at the earliest; nil: never. A round costs nothing for the controllers that it is not about.
    private var nextTick: EventTime?
    /// Those that are due are looked for no sooner than this: of thousands of sessions some tick is always due.
    private var nextLook = EventTime.zero
    /// The storage of a batch that was delivered, for the next.
    private var spare: [PlayerEvent] = []
    /// Placed events of this round in their order.
    private var recorded: [PlayerEvent] = []
    private var wanted: [PlayerEvent] = []
    /// Whose part of the batch that is being delivered `wanted` holds; sinks of one kind want the same.
    private var wantedFor: EventMask?
    /// How the machine is connected, as the controllers have been told.
    private var network: NetworkState?
    /// How long the machine had slept when that was looked at last.
    private var slept: Int64
    /// What the times of the log count from.
    private let start: EventTime

    init(_ dispatcher: EventDispatcher) {
        self.dispatcher = dispatcher
        start = dispatcher.clock.now()
        slept = dispatcher.clock.slept
    }

    func run() {
        var handled: UInt64 = 0
        while true {
            let (asked, isShutDown) = dispatcher.state.withLock { ($0.asked, $0.isShutDown) }
            if asked == handled, !isShutDown {
                dispatcher.queue.wait(milliseconds: openCount > 0 ? DispatchLoop.tickMilliseconds : -1)
            }
            // What the machine slept while no session was open is none of the next one's.
            if openCount == 0 { slept = dispatcher.clock.slept }
            // Before the ring is emptied: what happened before now must not come after a tick of now.
            let now = dispatcher.clock.now()
            dispatcher.queue.drain(into: &drained, waitingUpTo: 0)
            replayToLate()
            // Those whose first event is about to be placed learn of it then.
            let uninformed = takeNews() ? Array(seats.values) : []
            place(now: now)
            tellNetwork(to: uninformed, now: now)
            deliver()
            handled = asked
            finish(asked)
            if isShutDown, drained.events.isEmpty { return dispatcher.forgetSinks() }
        }
    }

    func openRecords(at time: EventTime) -> [SessionRecord] {
        seats.values.compactMap { $0.timeline.openRecord(at: time) }.sorted { $0.session < $1.session }
    }

    func release(_ controller: ControllerID) {
        guard let seat = seats.removeValue(forKey: controller) else { return }
        if seat.isOpen { openCount -= 1 }
        seat.timeline.finish()
        collect(seat)
    }

    // MARK: Placing

    private func place(now: EventTime) {
        var next = 0
        while next < drained.events.count { next = placeRun(from: next) }
        if drained.droppedEdges > 0 {
            dispatcher.log.e(
                "EventDispatcher",
                "\(drained.droppedEdges) events were lost: the ring is full; open sessions are incomplete")
            for seat in seats.values { seat.timeline.markIncomplete() }
        }
        // At virtual speed time runs ahead of the ring, so only an empty one shows that nothing happened until now.
        guard !dispatcher.queue.isLossless || drained.events.isEmpty, let due = nextTick, due <= now,
            now >= nextLook
        else { return }
        nextLook = now + DispatchLoop.lookMicroseconds
        nextTick = nil
        tellSleep(now: now)
        for seat in seats.values where seat.isOpen {
            with(seat) { timeline, place in timeline.advance(to: now, deliver: place) }
        }
    }

    /// Tells the open sessions that the machine slept.
    private func tellSleep(now: EventTime) {
        let (before, after) = (slept, dispatcher.clock.slept)
        slept = after
        guard after - before > DispatchLoop.shortestSleep else { return }
        for seat in seats.values where seat.isOpen {
            with(seat) { timeline, place in
                var event = PlayerEvent.suspended(slept: after - before)
                event.time = max(now, timeline.lastTime ?? now)
                timeline.accept(event, deliver: place)
            }
        }
    }

    /// Places the events from `start` on that are of one controller.
    ///
    /// - Returns: where the next controller's begin.
    private func placeRun(from start: Int) -> Int {
        let controller = drained.events[start].controller
        var next = start
        var late: UInt64 = 0
        with(seat(of: controller)) { timeline, place in
            while next < drained.events.count, drained.events[next].controller == controller {
                if !timeline.accept(drained.events[next], deliver: place) { late += 1 }
                next += 1
            }
        }
        if late > 0 { dispatcher.state.withLock { $0.figures.lateEvents += late } }
        return next
    }

    private func with(_ seat: ControllerSeat, _ body: (inout ControllerTimeline, (PlayerEvent) -> Void) -> Void) {
        let (wasOpen, wasIdle) = (seat.isOpen, seat.batch.isEmpty)
        // In a variable of its own for as long as it grows: no access to be checked for each event.
        var batch: [PlayerEvent] = []
        if wasIdle { swap(&batch, &spare) } else { swap(&batch, &seat.batch) }
        let records = dispatcher.recorder != nil
        body(&seat.timeline) { event in
            batch.append(event)
            if records { recorded.append(event) }
        }
        if batch.isEmpty {
            swap(&batch, &spare)
        } else {
            swap(&batch, &seat.batch)
            if wasIdle { busy.append(seat) }
        }
        if seat.isOpen != wasOpen { openCount += wasOpen ? -1 : 1 }
        if let due = seat.timeline.nextTick { nextTick = min(nextTick ?? due, due) }
        collect(seat)
    }

    private func seat(of controller: ControllerID) -> ControllerSeat {
        if let seat = seats[controller] { return seat }
        let seat = ControllerSeat(makeTimeline(controller))
        seats[controller] = seat
        return seat
    }

    /// A timeline that tells of the network when its first session opens.
    private func makeTimeline(_ controller: ControllerID) -> ControllerTimeline {
        var timeline = ControllerTimeline(controller: controller, numbering: dispatcher.numbering)
        if let network { timeline.accept(.network(network)) { _ in } }
        return timeline
    }

    private func collect(_ seat: ControllerSeat) {
        for record in seat.timeline.takeClosedRecords() {
            if let defect = record.defect { dispatcher.log.e("Sessions", defect) }
            dispatcher.collectSession(record)
        }
    }

    // MARK: The network

    /// Takes note of how the machine is connected.
    ///
    /// - Returns: whether that has changed.
    private func takeNews() -> Bool {
        dispatcher.state.withLock { state in
            guard state.isNetworkNew else { return false }
            state.isNetworkNew = false
            network = state.network
            return true
        }
    }

    private func tellNetwork(to seats: [ControllerSeat], now: EventTime) {
        guard let network else { return }
        for seat in seats {
            with(seat) { timeline, place in
                DispatchLoop.tell(network, to: &timeline, now: now, deliver: place)
            }
        }
    }

    private static func tell(
        _ network: NetworkState, to timeline: inout ControllerTimeline, now: EventTime, deliver: (PlayerEvent) -> Void
    ) {
        var event = PlayerEvent.network(network)
        // At virtual speed events may be ahead of the clock that was read before them.
        event.time = max(now, timeline.lastTime ?? now)
        timeline.accept(event, deliver: deliver)
    }

    // MARK: Delivering

    private func deliver() {
        if let recorder = dispatcher.recorder, !recorded.isEmpty { recorder(recorded) }
        recorded.removeAll(keepingCapacity: true)
        busy.sort { $0.controller < $1.controller }
        for seat in busy {
            let controller = seat.controller
            log(seat.batch)
            // Who came late after this round began is told of it at the beginning of the next.
            wantedFor = nil
            for attachment in dispatcher.state.withLock({ $0.attachments[controller] ?? [] }) where !attachment.isLate {
                hand(seat.batch, to: attachment.sink, of: controller)
            }
            seat.batch.removeAll(keepingCapacity: true)
            swap(&seat.batch, &spare)
            seat.batch = []
        }
        busy.removeAll(keepingCapacity: true)
    }

    /// Tells whoever looks at the log what happens, in the words of the event log.
    private func log(_ batch: [PlayerEvent]) {
        guard dispatcher.log.isEnabled(.debug) else { return }
        for event in batch {
            dispatcher.log.log(
                event.type.isLevel ? .verbose : .debug, tag: "Events", EventLogWriter.line(event, origin: start))
        }
    }

    private func hand(_ batch: [PlayerEvent], to sink: any EventSink, of controller: ControllerID) {
        let interest = sink.interest
        if interest == .all {
            call(sink, of: controller) { sink.receive(batch) }
        } else {
            if interest != wantedFor {
                wanted.removeAll(keepingCapacity: true)
                for event in batch where interest.contains(event.type) { wanted.append(event) }
                wantedFor = interest
            }
            if !wanted.isEmpty { call(sink, of: controller) { sink.receive(wanted) } }
        }
    }

    /// Calls a sink unless it was detached meanwhile, and lets `detach` see that it is being called.
    private func call(_ sink: any EventSink, of controller: ControllerID, _ body: () -> Void) {
        let isAttached = dispatcher.state.withLock { state in
            guard state.attachments[controller]?.contains(where: { $0.sink === sink }) == true else { return false }
            state.busy = ObjectIdentifier(sink)
            return true
        }
        guard isAttached else { return }
        body()
        dispatcher.state.withLock { $0.busy = nil }
        dispatcher.progress.signal()
    }

    private func replayToLate() {
        let late = dispatcher.state.withLock { state in
            for (controller, sink) in state.late {
                let index = state.attachments[controller]?.firstIndex { $0.sink === sink }
                if let index { state.attachments[controller]?[index].isLate = false }
            }
            defer { state.late = [] }
            return state.late
        }
        for (controller, sink) in late {
            guard let seat = seats[controller], seat.isOpen else { continue }
            let missed = seat.timeline.replayedEvents
            wantedFor = nil
            if !missed.isEmpty { hand(missed, to: sink, of: controller) }
        }
    }

    private func finish(_ asked: UInt64) {
        let work = dispatcher.state.withLock { state in
            state.figures.droppedLevels += drained.droppedLevels
            state.figures.droppedEdges += drained.droppedEdges
            guard asked > state.done else { return [@Sendable (DispatchLoop) -> Void]() }
            let count = Int(asked - state.done)
            defer { state.work.removeFirst(count) }
            return Array(state.work.prefix(count))
        }
        guard !work.isEmpty else { return }
        for item in work { item(self) }
        dispatcher.state.withLock { $0.done = asked }
        dispatcher.progress.signal()
    }
}
