// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import MediaCore
internal import Sessions
internal import Synchronization

/// Tells the observers of one controller's reports, on the delivery queue. At most `backlogLimit` calls wait, as with `PlayerNotifier`.
///
/// Thread: any.
final class ReportNotifier: EventSink {
    static let backlogLimit = 1024

    private enum Call {
        case report(ReportEntry, instance: String)
        case finish(SessionID)
        case end

        /// Whether `next` says the same, only newer.
        func isReplaced(by next: Call) -> Bool {
            guard case .report(let former, let instance) = self, case .report(let entry, let other) = next else {
                return false
            }
            return former.kind == .record && entry.kind == .record && instance == other
                && (former.session, former.name) == (entry.session, entry.name)
        }

        func make(to observer: any ReportObserver) {
            switch self {
            case .report(let entry, let instance): observer.strategyDidReport(entry, instance: instance)
            case .finish(let session): observer.strategiesDidFinish(session)
            case .end: observer.strategiesDidEnd()
            }
        }
    }

    private struct WeakObserver {
        weak var observer: (any ReportObserver)?
    }

    private struct State {
        var observers: [WeakObserver] = []
        var pending: [Call] = []
        var dropped = 0
        var isScheduled = false
        var isAttached = false
        var isOver = false
    }

    let interest = EventMask(.sessionState)
    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let log: LogHub

    init(queue: DispatchQueue, log: LogHub) {
        self.queue = queue
        self.log = log
    }

    /// - Returns: whether it is the first ever, so that the notifier has to be attached.
    func add(_ observer: any ReportObserver) -> Bool {
        replace(observer) { $0.append(WeakObserver(observer: observer)) }
        let (isFirst, isOver) = state.withLock { state in
            defer { state.isAttached = true }
            return (!state.isAttached && !state.isOver, state.isOver)
        }
        if isOver { queue.async { observer.strategiesDidEnd() } }
        return isFirst
    }

    func remove(_ observer: any ReportObserver) {
        replace(observer) { _ in }
    }

    /// Takes an observer out, and those that are gone, then lets `change` add.
    private func replace(_ observer: any ReportObserver, _ change: (inout [WeakObserver]) -> Void) {
        // Held until the lock is given back: the end of an observer may call back.
        let held = state.withLock { state in
            let held = state.observers.compactMap(\.observer)
            state.observers = held.filter { $0 !== observer }.map(WeakObserver.init)
            change(&state.observers)
            return held
        }
        withExtendedLifetime(held) {}
    }

    func accept(_ entry: ReportEntry, from instance: String) {
        append([.report(entry, instance: instance)])
    }

    func receive(_ events: [PlayerEvent]) {
        let finished = events.filter { event in
            SessionState(rawValue: Int32(clamping: event.values[0]))?.isTerminal == true
        }
        append(finished.map { .finish($0.session) })
    }

    /// The controller is gone.
    func end() {
        state.withLock { $0.isOver = true }
        append([.end])
    }

    private func append(_ calls: [Call]) {
        let mustSchedule = state.withLock { state in
            guard !state.observers.isEmpty else { return false }
            for call in calls {
                if let last = state.pending.lastIndex(where: { $0.isReplaced(by: call) }) {
                    state.pending.remove(at: last)
                }
                if state.pending.count < ReportNotifier.backlogLimit {
                    state.pending.append(call)
                } else {
                    state.dropped += 1
                }
            }
            defer { state.isScheduled = state.isScheduled || !state.pending.isEmpty }
            return !state.isScheduled && !state.pending.isEmpty
        }
        if mustSchedule { queue.async { self.deliver() } }
    }

    private func deliver() {
        while true {
            let (calls, observers, dropped) = state.withLock { state in
                let taken = (state.pending, state.observers.compactMap(\.observer), state.dropped)
                state.pending = []
                state.dropped = 0
                state.isScheduled = !taken.0.isEmpty
                return taken
            }
            if dropped > 0 {
                log.w("ReportNotifier", "\(dropped) reports were not told: the delivery queue does not drain")
            }
            if calls.isEmpty { return }
            for call in calls { for observer in observers { call.make(to: observer) } }
        }
    }
}
