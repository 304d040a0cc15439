// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
internal import PluginHost
internal import Sessions

/// One controller of a log: its events in their place, fed to monitors of its own.
///
/// Thread: one.
final class ReplayedController {
    private struct Monitor {
        var strategy: PluginMonitorStrategy
        var sink: ReportSink
        var pending: [PlayerEvent] = []
    }

    /// Events that are handed over at a time.
    private static let batchSize = 256

    private var timeline: ControllerTimeline
    private var monitors: [Monitor] = []
    private let trace: (([PlayerEvent]) -> Void)?

    /// - Parameter trace: gets every event in its place; nil if nobody wants them.
    init(
        _ controller: ControllerID, plan: StrategyPlan, numbering: SessionNumbering, log: LogHub,
        trace: (([PlayerEvent]) -> Void)?,
        collect: @escaping @Sendable (ReportEntry, String) -> Void
    ) {
        self.trace = trace
        timeline = ControllerTimeline(controller: controller, numbering: numbering)
        for choice in plan.monitors {
            let strategy = choice.makeMonitor(isLossless: true)
            do {
                try strategy.startReplaying(controller: controller)
            } catch {
                log.e("ReplayRun", "monitor \(choice.name) cannot be started, the rest goes on: \(error)")
            }
            monitors.append(Monitor(strategy: strategy, sink: ReportSink(instance: choice.name, deliver: collect)))
        }
    }

    /// - Returns: the sessions that the event ended.
    func accept(_ event: PlayerEvent) -> [SessionRecord] {
        var event = event
        timeline.accept(&event) { event in
            trace?([event])
            for index in monitors.indices where monitors[index].strategy.interest.contains(event.type) {
                monitors[index].pending.append(event)
                if monitors[index].pending.count >= ReplayedController.batchSize { flush(index) }
            }
        }
        return timeline.takeClosedRecords()
    }

    /// Events that belonged to no open session.
    var droppedEvents: UInt64 { timeline.dropped.values.reduce(0, +) }
    var timesClamped: UInt64 { timeline.timesClamped }

    /// How the monitors fare.
    var statuses: [StrategyStatus] { monitors.map(\.strategy.status) }

    /// Closes the session that is open and ends the monitors once they have handled everything.
    func end() -> [SessionRecord] {
        timeline.finish()
        for index in monitors.indices {
            flush(index)
            // One that has not come to its end by then has been given up, which its status tells.
            _ = monitors[index].strategy.finish(withinMilliseconds: CallDeadlines.longestFinish)
            monitors[index].strategy.strategyDidStop()
        }
        return timeline.takeClosedRecords()
    }

    private func flush(_ index: Int) {
        guard !monitors[index].pending.isEmpty else { return }
        monitors[index].strategy.receive(monitors[index].pending, reports: monitors[index].sink)
        monitors[index].pending.removeAll(keepingCapacity: true)
    }
}
