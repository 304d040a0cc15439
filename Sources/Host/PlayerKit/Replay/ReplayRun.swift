// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
package import PluginHost
public import Sessions
internal import Synchronization

/// Runs monitoring strategies over a recorded event log and tells the same as the run that recorded it. Executes nothing.
///
/// Thread: `run` once, on the caller's thread, which it blocks; `interrupt` any.
public final class ReplayRun: Sendable {
    /// What came of a replay.
    public struct Outcome: Sendable {
        /// As far as the log was read.
        public var report: PlaybackReport
        /// Why reading ended before the end; nil if it did not.
        public var failure: InputFailure?
    }

    private let plan: StrategyPlan
    private let log: LogHub
    private let isInterrupted = Atomic<Bool>(false)
    /// Ends a read that waits for a pipe's writer.
    private let wakeUp = EventSignal()

    /// Resolves the strategies. No byte of a plugin has run when this returns.
    ///
    /// - Throws: `SelectionError` if the strategies cannot be had as selected.
    package init(
        _ selection: StrategySelection, configuration: Configuration, catalog: PluginCatalog, log: LogHub
    ) throws(SelectionError) {
        self.log = log
        plan = try StrategyPlan(
            selection, configuration: configuration, catalog: catalog, defaultMonitors: BuiltinMonitors.standard,
            withLifecycle: false)
    }

    /// Ends the replay early; what was read so far is reported.
    public func interrupt() {
        isInterrupted.store(true, ordering: .sequentiallyConsistent)
        wakeUp.raise()
    }

    /// Replays the log in an open descriptor, which the caller closes.
    ///
    /// - Parameters:
    ///   - keepGoing: count malformed lines and pass over them.
    ///   - observer: hears of sessions and reports as they come.
    ///   - keepsTraces: whether the report keeps how sessions went over time.
    public func run(
        descriptor: Int32, keepGoing: Bool, observer: (any RunObserver)? = nil, keepsTraces: Bool = false
    ) -> Outcome {
        var reader = EventLogReader(descriptor: descriptor, keepGoing: keepGoing, interrupt: wakeUp)
        let numbering = SessionNumbering()
        var controllers: [ControllerID: ReplayedController] = [:]
        let results = RunResults(observer: observer, keepsTraces: keepsTraces)
        var trace: (([PlayerEvent]) -> Void)?
        if keepsTraces { trace = { results.trace($0) } }
        plan.loadBuiltIns()
        var failure: InputFailure?
        do {
            while !isInterrupted.load(ordering: .sequentiallyConsistent), let event = try reader.next() {
                let replayed: ReplayedController
                if let known = controllers[event.controller] {
                    replayed = known
                } else {
                    replayed = ReplayedController(
                        event.controller, plan: plan, numbering: numbering, log: log, trace: trace
                    ) { entry, instance in results.accept(entry, from: instance) }
                    controllers[event.controller] = replayed
                }
                let ended = replayed.accept(event)
                if !ended.isEmpty { results.append(ended, log: log) }
            }
        } catch {
            // An interrupt may come in the middle of a line.
            if !isInterrupted.load(ordering: .sequentiallyConsistent) { failure = InputFailure(error) }
        }
        let inOrder = controllers.sorted { $0.key < $1.key }.map(\.value)
        for controller in inOrder {
            results.append(controller.end(), log: log)
        }
        plan.waitUntilEnded(log: log)
        var losses = Losses()
        losses.malformedLines = reader.skippedLines
        losses.unknownEvents = reader.unknownEvents
        losses.clampedTimes = inOrder.reduce(0) { $0 + $1.timesClamped }
        losses.outOfSession = inOrder.reduce(0) { $0 + $1.droppedEvents }
        let report = results.report(
            plan: plan, strategies: inOrder.flatMap(\.statuses), pool: nil, losses: losses)
        return Outcome(report: report, failure: failure)
    }
}
