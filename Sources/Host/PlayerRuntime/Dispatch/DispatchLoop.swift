// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Sessions
internal import Synchronization

/// What the dispatcher's thread does, and everything that only it touches.
final class DispatchLoop {
    /// So often a session that is open hears of the time, in real milliseconds.
    private static let tickMilliseconds: Int32 = 250

    private let dispatcher: EventDispatcher
    private var drained = EventQueue.Drained()
    private var timelines: [ControllerID: ControllerTimeline] = [:]
    /// Placed events of this round, by controller, and in the order of delivery for the recorder.
    private var batches: [ControllerID: [PlayerEvent]] = [:]
    private var recorded: [PlayerEvent] = []
    private var wanted: [PlayerEvent] = []
    /// How the machine is connected, as the controllers have been told.
    private var network: NetworkState?

    init(_ dispatcher: EventDispatcher) {
        self.dispatcher = dispatcher
    }

    func run() {
        var handled: UInt64 = 0
        while true {
            let (asked, isShutDown) = dispatcher.state.withLock { ($0.asked, $0.isShutDown) }
            if asked == handled, !isShutDown {
                dispatcher.queue.wait(milliseconds: hasOpenSession ? DispatchLoop.tickMilliseconds : -1)
            }
            // Before the ring is emptied: what happened before now must not come after a tick of now.
            let now = dispatcher.clock.now()
            dispatcher.queue.drain(into: &drained, waitingUpTo: 0)
            replayToLate()
            // Those whose first event is about to be placed learn of it then.
            let uninformed = takeNews() ? Array(timelines.keys) : []
            place(now: now)
            tellNetwork(to: uninformed, now: now)
            deliver()
            handled = asked
            finish(asked)
            if isShutDown, drained.events.isEmpty { return }
        }
    }

    private var hasOpenSession: Bool { timelines.values.contains { $0.openSession != nil } }

    func openRecords(at time: EventTime) -> [SessionRecord] {
        timelines.values.compactMap { $0.openRecord(at: time) }.sorted { $0.session < $1.session }
    }

    func release(_ controller: ControllerID) {
        batches[controller] = nil
        guard var timeline = timelines.removeValue(forKey: controller) else { return }
        timeline.finish()
        collect(&timeline)
    }

    // MARK: Placing

    private func place(now: EventTime) {
        var next = 0
        while next < drained.events.count { next = placeRun(from: next) }
        if drained.droppedEdges > 0 {
            dispatcher.log.e(
                "EventDispatcher",
                "\(drained.droppedEdges) events were lost: the ring is full; open sessions are incomplete")
            for controller in timelines.keys { timelines[controller]?.markIncomplete() }
        }
        // At virtual speed time runs ahead of the ring, so only an empty one shows that nothing happened until now.
        if !dispatcher.queue.isLossless || drained.events.isEmpty {
            for controller in timelines.keys where timelines[controller]?.openSession != nil {
                with(controller) { timeline, place in timeline.advance(to: now, deliver: place) }
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
        with(controller) { timeline, place in
            while next < drained.events.count, drained.events[next].controller == controller {
                if !timeline.accept(drained.events[next], deliver: place), drained.events[next].type != .sessionState {
                    late += 1
                }
                next += 1
            }
        }
        if late > 0 { dispatcher.state.withLock { $0.figures.lateEvents += late } }
        return next
    }

    private func with(
        _ controller: ControllerID, _ body: (inout ControllerTimeline, (PlayerEvent) -> Void) -> Void
    ) {
        var timeline = timelines.removeValue(forKey: controller) ?? makeTimeline(controller)
        var batch = batches.removeValue(forKey: controller) ?? []
        let records = dispatcher.recorder != nil
        body(&timeline) { event in
            batch.append(event)
            if records { recorded.append(event) }
        }
        collect(&timeline)
        batches[controller] = batch
        timelines[controller] = timeline
    }

    /// A timeline that tells of the network when its first session opens.
    private func makeTimeline(_ controller: ControllerID) -> ControllerTimeline {
        var timeline = ControllerTimeline(controller: controller, numbering: dispatcher.numbering)
        if let network { timeline.accept(.network(network)) { _ in } }
        return timeline
    }

    private func collect(_ timeline: inout ControllerTimeline) {
        for record in timeline.takeClosedRecords() { dispatcher.collectSession(record) }
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

    private func tellNetwork(to controllers: [ControllerID], now: EventTime) {
        guard let network else { return }
        for controller in controllers where timelines[controller] != nil {
            with(controller) { timeline, place in
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
        for controller in batches.keys.sorted() {
            guard let batch = batches[controller], !batch.isEmpty else { continue }
            // Who came late after this round began is told of it at the beginning of the next.
            for attachment in dispatcher.state.withLock({ $0.attachments[controller] ?? [] }) where !attachment.isLate {
                hand(batch, to: attachment.sink, of: controller)
            }
            batches[controller]?.removeAll(keepingCapacity: true)
        }
    }

    private func hand(_ batch: [PlayerEvent], to sink: any EventSink, of controller: ControllerID) {
        let interest = sink.interest
        if interest == .all {
            call(sink, of: controller) { sink.receive(batch) }
        } else {
            wanted.removeAll(keepingCapacity: true)
            for event in batch where interest.contains(event.type) { wanted.append(event) }
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
            var late: [(ControllerID, any EventSink)] = []
            for (controller, attachments) in state.attachments where attachments.contains(where: \.isLate) {
                for index in attachments.indices where attachments[index].isLate {
                    late.append((controller, attachments[index].sink))
                    state.attachments[controller]?[index].isLate = false
                }
            }
            return late
        }
        for (controller, sink) in late {
            guard let timeline = timelines[controller], timeline.openSession != nil else { continue }
            let missed = timeline.replayedEvents
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
