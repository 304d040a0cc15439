// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
import Synchronization

/// A stranger's monitor in this process: called on a lane of its own, fed through a bounded queue.
///
/// Thread: any.
final class LaneMonitor: MonitorInstance {
    /// Events that wait for the plugin at most; what comes on top is dropped and counted.
    static let queueLimit = 4096

    private struct Batch {
        var events: [PlayerEvent]
        var reports: ReportSink
    }

    private struct Queue {
        var batches: [Batch] = []
        /// Events in the batches.
        var waiting = 0
        /// Events that found no room since the last batch was taken.
        var dropped: UInt64 = 0

        mutating func take() -> (Batch, dropped: UInt64)? {
            guard !batches.isEmpty else { return nil }
            let batch = batches.removeFirst()
            waiting -= batch.events.count
            defer { dropped = 0 }
            return (batch, dropped)
        }
    }

    private let library: PluginLibrary
    private let name: String
    private let deadlines: CallDeadlines
    private let record: InstanceRecord
    private let watch = CallWatch()
    private let lane: Lane
    private let queue = Mutex(Queue())
    // Touched by jobs of the lane only.
    nonisolated(unsafe) private let calls: MonitorCalls

    /// Starts the lane and queues the creation; events are held from now on.
    init(
        library: PluginLibrary, name: String, options: [PluginOption], controller: ControllerID,
        actions: ActionPort, deadlines: CallDeadlines, health: PluginHealth?
    ) {
        self.library = library
        self.name = name
        self.deadlines = deadlines
        record = InstanceRecord(health: health, options: options)
        lane = Lane(watch: watch)
        let instance = PluginInstance(
            library: library, name: name, record: record, deadlines: deadlines, watch: watch)
        unsafe calls = MonitorCalls(instance: instance, controller: controller, actions: actions, isBounded: true)
        lane.submit { unsafe self.calls.create(options: options) }
    }

    deinit {
        lane.close()
    }

    var interest: EventMask { library.interest }

    func deliver(_ events: [PlayerEvent], reports: ReportSink) {
        look()
        let hasRoom =
            !record.isOver
            && queue.withLock { queue in
                guard queue.waiting == 0 || queue.waiting + events.count <= LaneMonitor.queueLimit else {
                    queue.dropped += UInt64(events.count)
                    return false
                }
                queue.waiting += events.count
                queue.batches.append(Batch(events: events, reports: reports))
                return true
            }
        guard hasRoom else {
            record.change { $0.eventsDropped += UInt64(events.count) }
            return
        }
        lane.submit {
            guard let (batch, dropped) = self.queue.withLock({ $0.take() }) else { return }
            unsafe self.calls.handle(batch.events, dropped: dropped, reports: batch.reports)
        }
    }

    func finish(withinMilliseconds milliseconds: Int) -> Bool {
        let end = RealTime.now() + milliseconds
        while true {
            look()
            let now = RealTime.now()
            // A call that has not begun yet cannot be overdue before the shortest deadline is over.
            let next = min(end, watch.due ?? now + deadlines.shortest)
            // One millisecond more than asked, so that a call that is due then is overdue at the next look.
            if lane.waitUntilIdle(milliseconds: now.milliseconds(until: next) + 1) { return !watch.isAbandoned }
            look()
            if watch.isAbandoned || RealTime.now() >= end { return false }
        }
    }

    func destroy() {
        lane.close { unsafe self.calls.destroy() }
        let unhandled = queue.withLock { queue in
            defer { queue = Queue() }
            return UInt64(queue.waiting)
        }
        if unhandled > 0 { record.change { $0.eventsDropped += unhandled } }
        if finish(withinMilliseconds: deadlines.destroy) { return }
        if let call = watch.abandon() { PluginInstance.recordHang(call, of: name, library: library, in: record) }
    }

    var status: InstanceStatus {
        look()
        return record.status
    }

    /// Finds out whether the running call hangs.
    private func look() {
        if let call = watch.findOverdue() { PluginInstance.recordHang(call, of: name, library: library, in: record) }
    }
}
