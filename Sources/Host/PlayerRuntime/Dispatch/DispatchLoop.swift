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
    /// Events of a round: so few that they stay in the processor's nearest cache while they are handed round.
    private static let roundSize = 256

    private let dispatcher: EventDispatcher
    private var drained = EventQueue.Drained()
    private var seats: [ControllerID: ControllerSeat] = [:]
    /// Controllers that come back no more. Numbers are given out in their order, so this has few ranges: one more at most than there are
    /// controllers.
    private var released = RangeSet<Int>()
    private var isOver = false
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
    private var lateEvents: UInt64 = 0
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
        while true {
            if !isOver { dispatcher.queue.wait(milliseconds: openCount > 0 ? DispatchLoop.tickMilliseconds : -1) }
            // Before the ring is looked at: what was posted before it was asked for is delivered before it is done.
            let work = dispatcher.state.withLock { state in
                defer { state.work = [] }
                return state.work
            }
            deliverPending()
            perform(work)
            if isOver, drained.events.isEmpty { return dispatcher.forgetSinks() }
        }
    }

    /// Delivers what is in the ring now, in rounds.
    private func deliverPending() {
        // What the machine slept while no session was open is none of the next one's.
        if openCount == 0 { slept = dispatcher.clock.slept }
        // Before the ring is looked at: what happened before now must not come after a tick of now.
        let now = dispatcher.clock.now()
        drain()
        // After that: what was posted after a sink was attached reaches the sink.
        let uninformed = takeNews()
        while true {
            placeEvents()
            if drained.isComplete {
                tick(now: now)
                tellNetwork(to: uninformed, now: now)
            }
            deliver()
            noteFigures()
            if drained.isComplete { return }
            drain()
        }
    }

    private func drain() {
        dispatcher.queue.drain(into: &drained, atMost: DispatchLoop.roundSize, waitingUpTo: 0)
    }

    private func perform(_ work: [@Sendable (DispatchLoop) -> Void]) {
        guard !work.isEmpty else { return }
        for item in work { item(self) }
        dispatcher.state.withLock { $0.done += UInt64(work.count) }
        dispatcher.progress.signal()
    }

    private func noteFigures() {
        guard drained.droppedLevels > 0 || drained.droppedEdges > 0 || lateEvents > 0 else { return }
        dispatcher.state.withLock { state in
            state.figures.droppedLevels += drained.droppedLevels
            state.figures.droppedEdges += drained.droppedEdges
            state.figures.lateEvents += lateEvents
        }
        lateEvents = 0
    }

    // MARK: What is asked of it

    /// Ends the loop once nothing is pending.
    func end() {
        isOver = true
    }

    func openRecords(at time: EventTime) -> [SessionRecord] {
        seats.values.compactMap { $0.timeline.openRecord(at: time) }.sorted { $0.session < $1.session }
    }

    func release(_ controller: ControllerID) {
        released.insert(contentsOf: Int(controller.rawValue)..<Int(controller.rawValue) + 1)
        guard let seat = seats.removeValue(forKey: controller) else { return }
        if seat.isOpen { openCount -= 1 }
        seat.timeline.finish()
        collect(seat)
    }

    // MARK: Placing

    private func placeEvents() {
        // In a variable of its own meanwhile: no access to be checked for each event.
        var events: [PlayerEvent] = []
        swap(&events, &drained.events)
        var next = 0
        while next < events.count { next = placeRun(from: next, of: &events) }
        swap(&events, &drained.events)
        if drained.droppedEdges > 0 {
            dispatcher.log.e(
                "EventDispatcher",
                "\(drained.droppedEdges) events were lost: the ring is full; open sessions are incomplete")
            for seat in seats.values { seat.timeline.markIncomplete() }
        }
    }

    private func tick(now: EventTime) {
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
                timeline.accept(&event, deliver: place)
            }
        }
    }

    /// Places the events from `start` on that are of one controller.
    ///
    /// - Returns: where the next controller's begin.
    private func placeRun(from start: Int, of events: inout [PlayerEvent]) -> Int {
        let controller = events[start].controller
        var end = start + 1
        while end < events.count, events[end].controller == controller { end += 1 }
        guard let seat = seat(of: controller) else {
            lateEvents += UInt64(end - start)
            return end
        }
        var late: UInt64 = 0
        with(seat) { timeline, place in
            for index in start..<end {
                if !timeline.accept(&events[index], deliver: place) { late += 1 }
            }
        }
        lateEvents += late
        return end
    }

    private func with(
        _ seat: ControllerSeat, _ body: (inout ControllerTimeline, (PlayerEvent) -> Void) -> Void
    ) {
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
        if seat.isOpen {
            let due = seat.timeline.ticks.last + TickSchedule.period
            nextTick = min(nextTick ?? due, due)
        }
        collect(seat)
    }

    /// The seat of a controller, which it gets now if it has none; nil if it was released.
    private func seat(of controller: ControllerID) -> ControllerSeat? {
        if let seat = seats[controller] { return seat }
        guard !released.contains(Int(controller.rawValue)) else { return nil }
        let attachments = dispatcher.state.withLock { $0.attachments[controller] ?? [] }
        let seat = ControllerSeat(makeTimeline(controller), attachments: attachments)
        seats[controller] = seat
        return seat
    }

    /// A timeline that tells of the network when its first session opens.
    private func makeTimeline(_ controller: ControllerID) -> ControllerTimeline {
        var timeline = ControllerTimeline(controller: controller, numbering: dispatcher.numbering)
        if let network {
            var event = PlayerEvent.network(network)
            timeline.accept(&event) { _ in }
        }
        return timeline
    }

    private func collect(_ seat: ControllerSeat) {
        for record in seat.timeline.takeClosedRecords() {
            if let defect = record.defect { dispatcher.log.e("Sessions", defect) }
            dispatcher.collectSession(record)
        }
    }

    // MARK: News

    /// Takes note of new sinks, tells late ones what they missed, and takes note of how the machine is connected.
    ///
    /// - Returns: those who have to be told of that. Who gets a seat later learns of it there.
    private func takeNews() -> [ControllerSeat] {
        let news = dispatcher.state.withLock { state in
            defer { state.news = EventDispatcher.News() }
            return state.news
        }
        for (controller, attachments) in news.attachments {
            guard let seat = seats[controller] else { continue }
            let late = attachments.filter { new in new.isLate && !seat.attachments.contains { $0 === new } }
            seat.attachments = attachments
            guard seat.isOpen, !late.isEmpty else { continue }
            let missed = seat.timeline.replayedEvents
            wantedFor = nil
            for attachment in late where !missed.isEmpty { hand(missed, to: attachment) }
        }
        guard let news = news.network else { return [] }
        network = news
        return Array(seats.values)
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
        timeline.accept(&event, deliver: deliver)
    }

    // MARK: Delivering

    private func deliver() {
        if let recorder = dispatcher.recorder, !recorded.isEmpty { recorder(recorded) }
        recorded.removeAll(keepingCapacity: true)
        busy.sort { $0.controller < $1.controller }
        for seat in busy {
            log(seat.batch)
            wantedFor = nil
            for attachment in seat.attachments { hand(seat.batch, to: attachment) }
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

    private func hand(_ batch: [PlayerEvent], to attachment: Attachment) {
        let isAwaited = attachment.call { sink in
            let interest = sink.interest
            if interest == .all { return sink.receive(batch) }
            if interest != wantedFor {
                wanted.removeAll(keepingCapacity: true)
                for event in batch where interest.contains(event.type) { wanted.append(event) }
                wantedFor = interest
            }
            if !wanted.isEmpty { sink.receive(wanted) }
        }
        if isAwaited { dispatcher.progress.signal() }
    }
}
