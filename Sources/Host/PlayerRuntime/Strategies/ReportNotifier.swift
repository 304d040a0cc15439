// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import MediaCore
internal import Sessions
internal import Synchronization

/// Tells the observers of one controller's reports, on the delivery queue.
///
/// Thread: any.
final class ReportNotifier: EventSink {
    private enum Call: DeliveredCall {
        case report(ReportEntry, instance: String)
        case finish(SessionID)
        case end

        func outdated(in pending: [Call]) -> Int? {
            guard case .report(let entry, let instance) = self, entry.kind == .record else { return nil }
            return pending.lastIndex { call in
                guard case .report(let former, let other) = call else { return false }
                return former.kind == .record && instance == other
                    && (former.session, former.name) == (entry.session, entry.name)
            }
        }

        func make(to observer: any ReportObserver) {
            switch self {
            case .report(let entry, let instance): observer.strategyDidReport(entry, instance: instance)
            case .finish(let session): observer.strategiesDidFinish(session)
            case .end: observer.strategiesDidEnd()
            }
        }
    }

    private struct State {
        var isAttached = false
        var isOver = false
    }

    let interest = EventMask(.sessionState)
    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let backlog: DeliveryBacklog<Call>

    init(queue: DispatchQueue, log: LogHub) {
        self.queue = queue
        backlog = DeliveryBacklog(of: "reports", on: queue, log: log)
    }

    /// - Returns: whether it is the first ever, so that the notifier has to be attached.
    func add(_ observer: any ReportObserver) -> Bool {
        backlog.add(observer) { [weak observer] in observer }
        let (isFirst, isOver) = state.withLock { state in
            defer { state.isAttached = true }
            return (!state.isAttached && !state.isOver, state.isOver)
        }
        if isOver { queue.async { observer.strategiesDidEnd() } }
        return isFirst
    }

    func remove(_ observer: any ReportObserver) {
        backlog.remove(observer)
    }

    func accept(_ entry: ReportEntry, from instance: String) {
        backlog.append([.report(entry, instance: instance)])
    }

    func receive(_ events: [PlayerEvent]) {
        let finished = events.filter { event in
            SessionState(rawValue: Int32(clamping: event.values[0]))?.isTerminal == true
        }
        backlog.append(finished.map { .finish($0.session) })
    }

    /// The controller is gone.
    func end() {
        state.withLock { $0.isOver = true }
        backlog.append([.end])
    }
}
