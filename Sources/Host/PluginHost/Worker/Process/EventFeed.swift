// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
internal import Sessions

/// The events of one instance on their way into its worker.
///
/// Thread: the supervisor's.
final class EventFeed {
    let instance: WorkerInstance
    private var limits = ReportLimits()
    private var unsent: ArraySlice<PlayerEvent> = []
    /// Events that the batch in flight covers, and how many of them it carries.
    private var covered = 0
    private var carried = 0

    init(_ instance: WorkerInstance) {
        self.instance = instance
    }

    /// Makes the next batch of what waits.
    ///
    /// - Returns: nil if there is nothing that the plugin wants.
    func nextBatch(_ encoder: EventBatchEncoder, wanted: EventMask) -> WireWriter? {
        while true {
            if unsent.isEmpty { unsent = instance.backlog.takePending()[...] }
            guard !unsent.isEmpty else { return nil }
            let rest = unsent[encoder.fill(from: limits.sameSecond(unsent), wanted: wanted).startIndex...]
            limits.note(unsent[..<rest.startIndex])
            if let last = unsent[..<rest.startIndex].last { instance.actions?.note(last.session) }
            covered = rest.startIndex - unsent.startIndex
            carried = encoder.count
            unsent = rest
            if carried > 0 { break }
            instance.backlog.acknowledge(covered, delivered: 0)
        }
        return .events(encoder, controller: instance.controller, dropped: instance.backlog.takeDropped())
    }

    /// A report of the batch in flight.
    func take(_ report: Result<ReportEntry, KitResult>) {
        guard case .success(let entry) = report, limits.admit(entry) == .ok else {
            noteCut(1)
            return
        }
        instance.backlog.sink?.emit(entry)
    }

    /// Reports broke the grammar or a limit, or came when none were asked for.
    func noteCut(_ count: UInt64) {
        if count > 0 { instance.record.change { $0.reportsCut += count } }
    }

    /// The batch in flight was handled.
    func acknowledge() {
        instance.backlog.acknowledge(covered, delivered: carried)
    }
}
