// SPDX-License-Identifier: Apache-2.0

internal import PluginABI
public import PluginSupport

/// Counts the loadings that the viewer sees after the first frame, and the time spent with and without them.
///
/// Purpose: one occurrence `stutters` when a stutter ends, and the record `stutter`, brought up to date with every batch and final
/// when the session ends. Nothing is excused: a loading while paused or after a seek counts; the host's stalls are the guarded figure.
/// Inputs: every event, since each of them says how far the session has come; play intent, player state, prepared, first frame, first
/// audio, loading and session state say more.
/// Tunables: `threshold_ms` (a shorter loading is no stutter, 0 or more, default 0); `thresholds_ms` (up to eight more, each with a
/// record `from_N_ms` of its own). Cost: constant per event, one record a batch and threshold.
public final class StutterDetect: MonitorPlugin {
    public static let wantedEvents: [PluginEventKind] = []

    /// Occurrences of one session; those beyond it are counted in the record only, which the host's limits must leave room for.
    static let listLimit = 500

    /// Thresholds besides the first.
    static let mostThresholds = 8

    private var round: StutterDetectRound

    public init(options: PluginOptions) throws {
        let threshold = options.duration("threshold_ms") ?? 0
        guard threshold >= 0 else { throw PluginFailure(.config, "threshold_ms must be at least 0") }
        var others: [Int64] = []
        for case .duration(let value) in options.all("thresholds_ms") where !others.contains(value) {
            others.append(value)
        }
        guard others.allSatisfy({ $0 >= 0 }) else {
            throw PluginFailure(.config, "each of thresholds_ms must be at least 0")
        }
        guard others.count <= StutterDetect.mostThresholds else {
            throw PluginFailure(.config, "thresholds_ms has more than \(StutterDetect.mostThresholds) values")
        }
        round = StutterDetectRound(session: 0, threshold: threshold, others: others)
    }

    public func handle(_ batch: PluginEventBatch, reports: any PluginReportOutput) throws {
        for event in batch.events where event.session != 0 {
            // The record comes before every occurrence, however the events are cut into batches.
            let isFirst = event.session != round.session
            if isFirst {
                try reportSoFar(to: reports)
                round = StutterDetectRound(opening: event, after: round)
            }
            guard !round.isOver else { continue }
            if let stutter = round.accept(event) { try emit(stutter, to: reports) }
            if isFirst || round.isOver { try emitRecords(to: reports) }
        }
        try reportSoFar(to: reports)
    }

    /// A session that is over has its last record.
    private func reportSoFar(to reports: any PluginReportOutput) throws {
        if round.session != 0, !round.isOver { try emitRecords(to: reports) }
    }

    private func emitRecords(to reports: any PluginReportOutput) throws {
        for record in round.records { try emit(record, to: reports) }
    }

    private func emit(_ report: PluginReport, to reports: any PluginReportOutput) throws {
        do {
            try reports.emit(report)
        } catch let failure as PluginFailure where failure.result == .limit {
            // The host counts what it cuts; it is no failure of the strategy.
        }
    }
}
