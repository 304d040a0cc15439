// SPDX-License-Identifier: Apache-2.0

package import MediaCore
package import Sessions
internal import Synchronization

/// Gives every event its place and hands it to those who want it, on one thread.
///
/// A batch goes to the recorder first, then for each controller to its monitors, its state store, its delegates and streams.
///
/// Thread: any; sinks are called on the dispatcher's thread, no lock held.
public final class EventDispatcher: Sendable {
    /// What did not come through, since the start.
    public struct Figures: Sendable {
        /// Levels that found no room in the ring; a newer one followed.
        public var droppedLevels: UInt64 = 0
        /// Edges that found no room; the sessions that were open then are incomplete.
        public var droppedEdges: UInt64 = 0
        /// Events of sessions that were over.
        public var lateEvents: UInt64 = 0
    }

    struct Attachment {
        var sink: any EventSink
        var stage: EventStage
        /// It has not yet been told what it missed.
        var isLate: Bool
    }

    struct State {
        var attachments: [ControllerID: [Attachment]] = [:]
        /// Those that have not yet been told what they missed.
        var late: [(ControllerID, any EventSink)] = []
        var busy: ObjectIdentifier?
        var work: [@Sendable (DispatchLoop) -> Void] = []
        var asked: UInt64 = 0
        var done: UInt64 = 0
        var isShutDown = false
        /// What every controller is told when it opens its first session; nil until somebody says how the machine is connected.
        var network: NetworkState?
        /// Whether the controllers that there are have still to be told.
        var isNetworkNew = false
        var figures = Figures()
    }

    let queue: EventQueue
    let clock: any EventClock
    let recorder: EventRecorder?
    let collectSession: @Sendable (SessionRecord) -> Void
    let numbering: SessionNumbering
    let log: LogHub
    let state = Mutex(State())
    /// Where those wait who need something done by the dispatcher.
    let progress = Gate()

    package init(
        queue: EventQueue, clock: any EventClock, numbering: SessionNumbering = SessionNumbering(),
        log: LogHub = .shared,
        recorder: EventRecorder? = nil, collectSession: @escaping @Sendable (SessionRecord) -> Void = { _ in }
    ) {
        self.queue = queue
        self.clock = clock
        self.numbering = numbering
        self.log = log
        self.recorder = recorder
        self.collectSession = collectSession
    }

    /// Starts the thread. Once.
    package func start() {
        PlainThread.start("kit-dispatch") {
            ThreadMark.set { DispatchLoop(self).run() }
        }
    }

    /// Ends the thread after what was posted so far. Returns at once.
    package func shutDown() {
        state.withLock { $0.isShutDown = true }
        queue.wake()
    }

    /// What did not come through so far.
    public var figures: Figures { state.withLock { $0.figures } }

    /// Waits until everything posted so far has reached the recorder, the monitors and the state stores, and the delivery queue
    /// has been given its part. At once on the dispatcher's own thread and after its end.
    public func barrier() {
        perform { _ in }
    }

    /// The sessions that are open, as of now, after everything posted so far.
    package func openRecords() -> [SessionRecord] {
        let records = Mutex<[SessionRecord]>([])
        perform { [clock] loop in
            let now = clock.now()
            let open = loop.openRecords(at: now)
            records.withLock { $0 = open }
        }
        return records.withLock { $0 }
    }

    /// Tells every controller, and each that comes later, how the machine is connected. Returns at once; the same twice is told once.
    package func setNetwork(_ network: NetworkState) {
        let isNew = state.withLock { state in
            guard state.network != network else { return false }
            state.network = network
            state.isNetworkNew = true
            return true
        }
        if isNew { queue.wake() }
    }

    /// Forgets a controller that posts no more, after everything posted so far. Returns at once.
    package func release(_ controller: ControllerID) {
        state.withLock { state in
            state.work.append { $0.release(controller) }
            state.asked += 1
        }
        queue.wake()
    }

    /// Adds a sink; it gets what is posted from now on, and perhaps a little of what was just before.
    ///
    /// - Parameter isLate: whether it is told first what it missed of an open session, as `replayed` events.
    package func attach(_ sink: any EventSink, stage: EventStage, to controller: ControllerID, isLate: Bool = false) {
        state.withLock { state in
            var attachments = state.attachments[controller] ?? []
            let position = attachments.firstIndex { $0.stage > stage } ?? attachments.count
            attachments.insert(Attachment(sink: sink, stage: stage, isLate: isLate), at: position)
            state.attachments[controller] = attachments
            if isLate { state.late.append((controller, sink)) }
        }
        if isLate { queue.wake() }
    }

    /// Removes a sink. It is not called any more when this returns, unless it calls this itself.
    package func detach(_ sink: any EventSink, from controller: ControllerID) {
        state.withLock { state in
            state.attachments[controller]?.removeAll { $0.sink === sink }
            if state.attachments[controller]?.isEmpty == true { state.attachments[controller] = nil }
            state.late.removeAll { $0.1 === sink }
        }
        if onDispatcher { return }
        progress.wait { state.withLock { $0.busy != ObjectIdentifier(sink) } }
    }

    /// At the end: a sink may hold what holds this.
    func forgetSinks() {
        let forgotten = state.withLock { state in
            defer { (state.attachments, state.late) = ([:], []) }
            return (state.attachments, state.late)
        }
        // They may end here, with the lock given back.
        withExtendedLifetime(forgotten) {}
    }

    /// Runs `work` on the dispatcher's thread after everything posted so far was delivered, and waits for it.
    private func perform(_ work: @escaping @Sendable (DispatchLoop) -> Void) {
        guard !onDispatcher else { return }
        let number = state.withLock { state -> UInt64? in
            guard !state.isShutDown else { return nil }
            state.work.append(work)
            state.asked += 1
            return state.asked
        }
        guard let number else { return }
        queue.wake()
        progress.wait { state.withLock { $0.done >= number } }
    }

    private var onDispatcher: Bool { queue.isConsumer }
}
