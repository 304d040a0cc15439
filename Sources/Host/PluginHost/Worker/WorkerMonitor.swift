// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
internal import Synchronization

/// A monitor of a plugin in a worker.
///
/// Thread: any; `deliver` one at a time.
final class WorkerMonitor: MonitorInstance {
    private let place: WorkerPlace
    private let instance: WorkerInstance
    private let process: UInt64
    private let isDestroyed = Atomic(false)

    init(place: WorkerPlace, instance: WorkerInstance, process: UInt64) {
        self.place = place
        self.instance = instance
        self.process = process
    }

    deinit {
        destroy()
    }

    var interest: EventMask { place.order.record.interest }
    var status: InstanceStatus {
        var status = instance.record.status
        (status.eventsDelivered, status.eventsDropped) = instance.backlog.figures
        return status
    }

    func deliver(_ events: [PlayerEvent], reports: ReportSink) {
        if instance.backlog.append(events, sink: reports) { WorkerSupervisor.shared.wake() }
    }

    func finish(withinMilliseconds milliseconds: Int) -> Bool {
        instance.backlog.waitUntilIdle(milliseconds: milliseconds)
    }

    /// Returns at once; what the plugin does in its destroy shows in the status once the worker has ended.
    func destroy() {
        guard !isDestroyed.exchange(true, ordering: .relaxed) else { return }
        place.destroy(instance, process: process)
    }
}
