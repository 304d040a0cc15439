// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import MediaCore
internal import Synchronization

/// A call that is made on the delivery queue.
protocol DeliveredCall: Sendable {
    associatedtype Receiver: Sendable

    func make(to receiver: Receiver)
    /// Which of the calls that wait says the same, only older; nil if none does.
    func outdated(in pending: [Self]) -> Int?
}

/// Receivers, held weakly, and the calls that wait for the delivery queue to be made to them.
///
/// At most `limit` calls wait: a queue that never drains costs no memory and holds nobody up. What finds no room is lost, and that is told
/// when it happens, each time that ten times as many are lost, and at the end.
///
/// Thread: any.
final class DeliveryBacklog<Call: DeliveredCall>: Sendable {
    private struct State {
        var receivers: [@Sendable () -> Call.Receiver?] = []
        var pending: [Call] = []
        var isScheduled = false
        /// Calls that found no room, and how many of them there were when that was last said.
        var lost = 0
        var lostSaid = 0
    }

    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let log: LogHub
    private let what: String

    /// Calls that may wait.
    static var limit: Int { 1024 }

    /// - Parameter what: the calls in a word, for the log.
    init(of what: String, on queue: DispatchQueue, log: LogHub) {
        self.what = what
        self.queue = queue
        self.log = log
    }

    deinit {
        let (lost, said) = state.withLock { ($0.lost, $0.lostSaid) }
        if lost > said { complain(lost) }
    }

    var hasReceivers: Bool { state.withLock { !$0.receivers.isEmpty } }

    /// Adds a receiver, once.
    ///
    /// - Parameter get: gives it for as long as it lives.
    func add(_ receiver: Call.Receiver, get: @escaping @Sendable () -> Call.Receiver?) {
        replace(receiver, by: get)
    }

    func remove(_ receiver: Call.Receiver) {
        replace(receiver, by: nil)
    }

    /// Takes a receiver out, and those that are gone.
    private func replace(_ receiver: Call.Receiver, by get: (@Sendable () -> Call.Receiver?)?) {
        // Held until the lock is given back: the end of a receiver may call back.
        let held = state.withLock { state in
            let living = state.receivers.compactMap { get in get().map { (get, $0) } }
            state.receivers = living.filter { $0.1 as AnyObject !== receiver as AnyObject }.map(\.0)
            if let get { state.receivers.append(get) }
            return living.map(\.1)
        }
        withExtendedLifetime(held) {}
    }

    /// Has calls made after those that wait; none if there is nobody to make them to.
    func append(_ calls: [Call]) {
        if calls.isEmpty { return }
        let (mustSchedule, lost) = state.withLock { state in
            guard !state.receivers.isEmpty else { return (false, Int?.none) }
            for call in calls {
                if let index = call.outdated(in: state.pending) { state.pending.remove(at: index) }
                if state.pending.count < Self.limit { state.pending.append(call) } else { state.lost += 1 }
            }
            defer { state.isScheduled = state.isScheduled || !state.pending.isEmpty }
            return (!state.isScheduled && !state.pending.isEmpty, Self.newLoss(in: &state))
        }
        if let lost { complain(lost) }
        if mustSchedule { queue.async { self.deliver() } }
    }

    private func deliver() {
        while true {
            let (calls, receivers) = state.withLock { state in
                let taken = (state.pending, state.receivers.compactMap { $0() })
                state.pending = []
                state.isScheduled = !taken.0.isEmpty
                return taken
            }
            if calls.isEmpty { return }
            for call in calls { for receiver in receivers { call.make(to: receiver) } }
        }
    }

    private static func newLoss(in state: inout State) -> Int? {
        guard state.lost > 0, state.lost >= state.lostSaid * 10 else { return nil }
        state.lostSaid = state.lost
        return state.lost
    }

    private func complain(_ lost: Int) {
        log.w(
            "Delivery",
            "\(what) lost so far: \(lost); the delivery queue does not keep up, return sooner from what it runs")
    }
}
