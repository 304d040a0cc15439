// SPDX-License-Identifier: Apache-2.0

public import Sessions

/// Hears of what a run finds out while it goes on.
///
/// Thread: any; several threads may call at once. A call that takes long holds up the delivery of events.
public protocol RunObserver: Sendable {
    /// A session is over. What strategies say of it may still come.
    func sessionEnded(_ session: SessionRecord)
    /// A strategy reported.
    func reported(_ entry: ReportEntry, by instance: String)
    /// A strategy did something wrong. Told when the source that plays, or the log, is at its end.
    func failed(_ fault: StrategyStatus.Fault, in strategy: String)
}
