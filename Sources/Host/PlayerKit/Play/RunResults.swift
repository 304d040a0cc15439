// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Sessions
internal import Synchronization

/// What a run gathers while it goes on: the sessions that ended and what the strategies reported of them.
///
/// Thread: any.
final class RunResults: Sendable {
    private struct State {
        var records: [SessionRecord] = []
        var reports = ReportCollector()
        var outputFailures: [PlayerError] = []
    }

    private let state = Mutex(State())

    func accept(_ entry: ReportEntry, from instance: String) {
        state.withLock { $0.reports.accept(entry, instance: instance) }
    }

    func append(_ records: [SessionRecord]) {
        state.withLock { $0.records += records }
    }

    /// An output of the run is not complete.
    func append(outputFailure: PlayerError) {
        state.withLock { $0.outputFailures.append(outputFailure) }
    }

    /// In the order in which they came.
    var outputFailures: [PlayerError] { state.withLock { $0.outputFailures } }

    func report(plan: StrategyPlan, strategies: [StrategyStatus], pool: PoolReport?) -> PlaybackReport {
        let (records, reports) = state.withLock { ($0.records, $0.reports) }
        let builtIns = plan.builtInReports
        return PlaybackReport(
            host: HostVersions.report,
            sessions: records.sorted { $0.session < $1.session }
                .map { SessionReport(record: $0, reports: reports, builtIns: builtIns) },
            strategies: plan.inOrder(strategies), pool: pool)
    }
}
