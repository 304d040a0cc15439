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

    /// What has changed since the dispatcher's thread looked.
    struct News {
        /// The sinks that each of these controllers has now.
        var attachments: [ControllerID: [Attachment]] = [:]
        /// How the machine is connected now.
        var network: NetworkState?
    }

    struct State {
        /// The sinks of each controller in the order in which they are called.
        var attachments: [ControllerID: [Attachment]] = [:]
        var network: NetworkState?
        var news = News()
        /// What the dispatcher's thread is to do, oldest first.
        var work: [@Sendable (DispatchLoop) -> Void] = []
        var asked: UInt64 = 0
        var done: UInt64 = 0
        var isShutDown = false
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
        append(isLast: true) { $0.end() }
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
            state.news.network = network
            return true
        }
        if isNew { queue.wake() }
    }

    /// Forgets a controller that posts no more, after everything posted so far. Returns at once.
    package func release(_ controller: ControllerID) {
        append { $0.release(controller) }
    }

    /// Adds a sink; it gets what is posted from now on, and perhaps a little of what was just before.
    ///
    /// - Parameter isLate: whether it is told first what it missed of an open session, as `replayed` events.
    package func attach(_ sink: any EventSink, stage: EventStage, to controller: ControllerID, isLate: Bool = false) {
        change(controller) { attachments in
            let position = attachments.firstIndex { $0.stage > stage } ?? attachments.count
            attachments.insert(Attachment(sink, stage: stage, isLate: isLate), at: position)
        }
        if isLate { queue.wake() }
    }

    /// Removes a sink. It is not called any more when this returns, unless it calls this itself.
    package func detach(_ sink: any EventSink, from controller: ControllerID) {
        let detached = change(controller) { attachments in
            defer { attachments.removeAll { $0.sink === sink } }
            return attachments.filter { $0.sink === sink }
        }
        for attachment in detached { attachment.detach() }
        if onDispatcher { return }
        progress.wait { detached.allSatisfy(\.isDetached) }
    }

    private func change<Result: Sendable>(
        _ controller: ControllerID, _ body: @Sendable (inout [Attachment]) -> Result
    ) -> Result {
        state.withLock { state in
            var attachments = state.attachments[controller] ?? []
            defer {
                state.attachments[controller] = attachments.isEmpty ? nil : attachments
                state.news.attachments[controller] = attachments
            }
            return body(&attachments)
        }
    }

    /// At the end: a sink may hold what holds this.
    func forgetSinks() {
        let forgotten = state.withLock { state in
            defer { (state.attachments, state.news) = ([:], News()) }
            return (state.attachments, state.news)
        }
        // They may end here, with the lock given back.
        withExtendedLifetime(forgotten) {}
    }

    /// Runs `work` on the dispatcher's thread after everything posted so far was delivered, and waits for it.
    private func perform(_ work: @escaping @Sendable (DispatchLoop) -> Void) {
        guard !onDispatcher else { return }
        guard let number = append(work) else { return }
        progress.wait { state.withLock { $0.done >= number } }
    }

    /// - Returns: the number of `work`, which is done when as many are; nil after the end, when nothing is done any more.
    @discardableResult
    private func append(isLast: Bool = false, _ work: @escaping @Sendable (DispatchLoop) -> Void) -> UInt64? {
        let number = state.withLock { state -> UInt64? in
            guard !state.isShutDown else { return nil }
            state.isShutDown = isLast
            state.work.append(work)
            state.asked += 1
            return state.asked
        }
        if number != nil { queue.wake() }
        return number
    }

    private var onDispatcher: Bool { queue.isConsumer }
}
