// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Pairs entries to and exits from state stalled into stalls: one a loading, resumed if a pause, background or suppression cut it.
struct StallLedger {
    private struct Open {
        var stall: StallRecord.Stall
        /// When the state was entered; nil while the stall is cut.
        var enteredAt: EventTime?
    }

    /// Shorter ones are noise: neither listed nor counted.
    private static let shortest: Int64 = 1000

    private(set) var count: Int64 = 0
    private(set) var list: [StallRecord.Stall] = []
    /// Microseconds stalled for want of data from the network.
    private(set) var connectionTime: Int64 = 0
    private(set) var onResumeCount: Int64 = 0
    private(set) var onResumeTime: Int64 = 0
    private var open: Open?

    /// State stalled is entered at `time`, which is `offset` microseconds after the request.
    mutating func enter(at time: EventTime, offset: Int64, cause: LoadingCause, kind: StallRecord.Kind) {
        if open == nil {
            open = Open(stall: .init(start: offset, duration: 0, cause: cause, kind: kind))
        }
        open?.enteredAt = time
    }

    /// State stalled is left at `time`.
    mutating func leave(at time: EventTime) {
        guard let open, let enteredAt = open.enteredAt else { return }
        let span = time - enteredAt
        if open.stall.cause == .network || open.stall.cause == .liveEdge { connectionTime += span }
        if open.stall.kind == .onResume { onResumeTime += span }
        self.open?.stall.duration += span
        self.open?.enteredAt = nil
    }

    /// The loading is over, or a seek or the session's end closes its stall.
    mutating func close() {
        guard let stall = open?.stall else { return }
        open = nil
        guard stall.duration >= StallLedger.shortest else { return }
        count += 1
        if stall.kind == .onResume { onResumeCount += 1 }
        if list.count < SessionRecord.listLimit { list.append(stall) }
    }
}
