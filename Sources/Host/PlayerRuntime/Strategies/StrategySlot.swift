// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Sessions
internal import Synchronization

/// One registered strategy: isolates its calls and remembers what it did wrong.
///
/// Thread: start, stop and reset one at a time; the rest any.
final class StrategySlot: Sendable {
    /// Faults that are remembered one by one; what comes later is only logged.
    static let faultLimit = 64

    private struct State {
        var context: StrategyContext?
        var feed: MonitorFeed?
        var faults: [StrategyStatus.Fault] = []
        var health = StrategyStatus.Health.running
    }

    let name: String
    let strategy: any StrategyProtocol
    private let environment: PlayerEnvironment
    private let state = Mutex(State())

    init(_ strategy: any StrategyProtocol, name: String, environment: PlayerEnvironment) {
        self.strategy = strategy
        self.name = name
        self.environment = environment
    }

    /// Whether it was started and has not been stopped since.
    var isRunning: Bool { state.withLock { $0.context != nil } }

    func start(_ controller: PlayerController, model: PlayedModel) {
        guard !isRunning else { return }
        let collect = environment.collectReport
        let reports = ReportSink(instance: name) { [weak self, observers = controller.reports] entry, instance in
            guard let self, isRunning else { return }
            collect(entry, instance)
            observers.accept(entry, from: instance)
        }
        let context = StrategyContext(controller: controller, playerModel: model, reports: reports)
        state.withLock { state in
            state.context = context
            state.health = .running
        }
        guard isolate("start", { try strategy.strategyDidStart(context) }) else {
            state.withLock { state in
                state.context = nil
                state.health = .quarantined
            }
            return end(context)
        }
        guard let monitor = strategy as? any MonitorStrategy else { return }
        let feed = MonitorFeed(monitor, reports: reports) { [weak self] error, isLast in
            self?.noteFailedBatch(error, isLast: isLast)
        }
        state.withLock { $0.feed = feed }
        environment.dispatcher.attach(feed, stage: .monitor, to: controller.id, isLate: true)
    }

    func reset(_ model: PlayedModel) {
        guard let context = state.withLock({ $0.context }) else { return }
        context.update(model)
        isolate("reset") { try strategy.strategyDidReset(context) }
    }

    /// Stops it, after it has handled what it was given.
    func stop(_ controller: ControllerID) {
        guard let context = state.withLock({ $0.context }) else { return }
        if let feed = state.withLock({ $0.feed }) {
            environment.dispatcher.detach(feed, from: controller)
            let limit = environment.finishMilliseconds
            // One that was given up has a fault of its own that says why.
            if !feed.monitor.finish(withinMilliseconds: limit), status.health == .running {
                record(
                    StrategyStatus.Fault(
                        .hang, during: "finish",
                        detail: "\(name) did not handle its last events within \(limit) ms; its reports are incomplete."
                    ))
            }
        }
        isolate("stop") { try strategy.strategyDidStop() }
        end(context)
        state.withLock { $0.context = nil }
    }

    /// Takes away what a strategy got at its start, whether or not it came to giving that back.
    private func end(_ context: StrategyContext) {
        if let delegate = strategy as? any PlayerNotificationDelegate, let controller = try? context.controller {
            controller.removeNotificationDelegate(delegate)
        }
        context.invalidate()
    }

    var status: StrategyStatus {
        let (feed, faults, health) = state.withLock { ($0.feed, $0.faults, $0.health) }
        if let reporting = strategy as? any StatusReporting {
            var status = reporting.status
            // What a strategy says of itself is more exact; what only its manager saw must not be lost.
            if status.faults.isEmpty {
                status.faults = faults
                if status.health == .running { status.health = health }
            }
            return status
        }
        var status = StrategyStatus(
            name: name, id: nil, kinds: strategy is any MonitorStrategy ? ["monitor"] : [], origin: "native",
            runs: .inProcess, health: health)
        status.faults = faults
        (status.calls, status.eventsDelivered, status.eventsDropped) = feed?.figures ?? (0, 0, 0)
        return status
    }

    /// Its status after its stop; of a strategy that tells its own, as it then becomes.
    var finalStatus: @Sendable () -> StrategyStatus {
        if strategy is any StatusReporting { return { self.status } }
        let status = status
        return { status }
    }

    @discardableResult
    private func isolate(_ call: String, _ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            record(
                StrategyStatus.Fault(
                    .exception, during: call,
                    detail: "\(name) failed in \(call), the rest goes on without it: \(error)"))
            return false
        }
    }

    private func noteFailedBatch(_ error: any Error, isLast: Bool) {
        let consequence = isLast ? "It gets no more events." : "It goes on."
        record(
            StrategyStatus.Fault(
                .exception, during: "receive", detail: "\(name) failed to handle events: \(error). \(consequence)"))
        if isLast { state.withLock { $0.health = .quarantined } }
    }

    private func record(_ fault: StrategyStatus.Fault) {
        state.withLock { state in
            if state.faults.count < StrategySlot.faultLimit { state.faults.append(fault) }
        }
        environment.log.e("StrategyManager", fault.detail)
    }
}
