// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Sessions
internal import Synchronization

/// What a run gathers while it goes on: the sessions that ended, what the strategies reported of them, and traces if they are wanted.
///
/// An observer is told of each as it comes, no lock held.
///
/// Thread: any.
final class RunResults: Sendable {
    private struct State {
        var records: [SessionRecord] = []
        var reports = ReportCollector()
        var outputFailures: [PlayerError] = []
        var traces: TraceCollector?
        /// Faults of each strategy that the observer was told of.
        var toldFaults: [String: Int] = [:]
    }

    let keepsTraces: Bool
    private let observer: (any RunObserver)?
    private let state: Mutex<State>

    init(observer: (any RunObserver)?, keepsTraces: Bool) {
        self.observer = observer
        self.keepsTraces = keepsTraces
        state = Mutex(State(traces: keepsTraces ? TraceCollector() : nil))
    }

    func accept(_ entry: ReportEntry, from instance: String) {
        let isKept = state.withLock { $0.reports.accept(entry, instance: instance) }
        if isKept { observer?.reported(entry, by: instance) }
    }

    /// - Parameter log: hears of records that are wrong; nil where it has heard of them.
    func append(_ records: [SessionRecord], log: LogHub? = nil) {
        for defect in records.compactMap(\.defect) { log?.e("Sessions", defect) }
        state.withLock { $0.records += records }
        if let observer { records.forEach(observer.sessionEnded) }
    }

    /// Takes events in the order of delivery.
    func trace(_ events: [PlayerEvent]) {
        state.withLock { state in
            for event in events { state.traces?.accept(event) }
        }
    }

    /// Tells the observer of faults that it has not heard of.
    func note(_ rows: [StrategyStatus]) {
        guard let observer else { return }
        for (name, group) in Dictionary(grouping: rows, by: \.name).sorted(by: { $0.key < $1.key }) {
            let faults = group.flatMap(\.faults)
            let told = state.withLock { state in
                defer { state.toldFaults[name] = max(state.toldFaults[name] ?? 0, faults.count) }
                return state.toldFaults[name] ?? 0
            }
            for fault in faults.dropFirst(told) { observer.failed(fault, in: name) }
        }
    }

    /// An output of the run is not complete.
    func append(outputFailure: PlayerError) {
        state.withLock { $0.outputFailures.append(outputFailure) }
    }

    /// In the order in which they came.
    var outputFailures: [PlayerError] { state.withLock { $0.outputFailures } }

    func report(
        plan: StrategyPlan, strategies: [StrategyStatus], pool: PoolReport?, losses: Losses
    ) -> PlaybackReport {
        let (records, reports, traces) = state.withLock { ($0.records, $0.reports, $0.traces?.traces ?? [:]) }
        let builtIns = plan.builtInReports
        var rows = plan.inOrder(strategies)
        // An instance has a row for each controller; what was not kept of it is told once.
        for (instance, cut) in reports.cut {
            if let row = rows.firstIndex(where: { $0.name == instance }) { rows[row].reportsCut += cut }
        }
        note(rows)
        var losses = losses
        losses.inconsistentSessions = UInt64(records.count { $0.defect != nil })
        losses.cutReports = rows.reduce(0) { $0 + $1.reportsCut }
        var report = PlaybackReport(
            host: HostVersions.report,
            sessions: records.sorted { $0.session < $1.session }
                .map { SessionReport(record: $0, reports: reports, builtIns: builtIns) },
            strategies: rows, pool: pool, losses: losses)
        report.traces = traces
        return report
    }
}
