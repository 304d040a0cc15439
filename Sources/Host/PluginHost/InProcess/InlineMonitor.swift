// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
internal import Sessions

/// A built-in monitor: called on the thread that delivers.
///
/// Thread: deliver, finish and destroy one at a time, as `MonitorInstance` asks; status any.
final class InlineMonitor: MonitorInstance {
    let interest: EventMask
    private let record: InstanceRecord
    // The caller keeps to one call at a time, which is what the calls need.
    nonisolated(unsafe) private let calls: MonitorCalls

    /// Makes the instance.
    ///
    /// - Throws: `PluginError` if the plugin refuses.
    init(
        library: PluginLibrary, name: String, options: [PluginOption], controller: ControllerID,
        actions: ActionPort, deadlines: CallDeadlines, health: PluginHealth?
    ) throws(PluginError) {
        record = InstanceRecord(health: health, options: options)
        interest = library.interest
        let instance = PluginInstance(
            library: library, name: name, record: record, deadlines: deadlines, watch: nil)
        unsafe calls = MonitorCalls(instance: instance, controller: controller, actions: actions, isBounded: false)
        unsafe calls.create(options: options)
        if let refusal = PluginError(creating: name, library: library, record: record) { throw refusal }
    }

    func deliver(_ events: [PlayerEvent], reports: ReportSink) {
        unsafe calls.handle(events, dropped: 0, reports: reports)
    }

    func finish(withinMilliseconds milliseconds: Int) -> Bool { true }

    func destroy() {
        unsafe calls.destroy()
    }

    var status: InstanceStatus { record.status }
}

extension PluginError {
    /// Why `create` gave no instance; nil if it did.
    init?(creating name: String, library: PluginLibrary, record: InstanceRecord) {
        guard record.isOver else { return nil }
        self.init(
            .create, path: library.path, record.status.faults.first?.detail ?? "create of \(name) failed",
            hint: "Check its options with kitshell plugin inspect \(library.path).")
    }
}
