// SPDX-License-Identifier: Apache-2.0

internal import FaultGuard
internal import MediaCore
internal import PlayerRuntime
internal import PluginABI
internal import Sessions

/// A monitor instance as its plugin sees it: batches in, reports out.
///
/// Thread: one at a time, as `PluginInstance`.
final class MonitorCalls {
    private let instance: PluginInstance
    private let controller: ControllerID
    private let actions: ActionPort
    private let sink: PluginReportSink
    private var dropped: UInt64 = 0
    /// Whether it matters how many reports it makes in a second.
    private let isBounded: Bool

    init(instance: PluginInstance, controller: ControllerID, actions: ActionPort, isBounded: Bool) {
        self.isBounded = isBounded
        self.instance = instance
        self.controller = controller
        self.actions = actions
        sink = PluginReportSink(record: instance.record)
    }

    func create(options: [PluginOption]) {
        instance.create(kind: KIT_KIND_MONITOR, options: options)
        guard !instance.record.isOver else { return }
        unsafe instance.library.services.actions.add(instance.pointer, owner: self) {
            [actions, record = instance.record, denial = instance.denial] in
            // One that was given up may still run.
            guard !record.isOver else { return .badArgument }
            let result = actions.request(session: $0, sequence: $1, action: $2, argument: $3)
            if result == .denied { record.add(denial(), isFinal: false) }
            return result
        }
    }

    /// Hands events over in batches, until the instance is over; the rest is counted as dropped.
    ///
    /// - Parameter dropped: events lost since the former call.
    func handle(_ events: [PlayerEvent], dropped: UInt64, reports: ReportSink) {
        self.dropped += dropped
        var rest = events[...]
        EventBatchEncoder.withShared { encoder in
            while !rest.isEmpty, !instance.record.isOver {
                let batch = rest
                // Built-ins report too little for it to matter, and are called less often.
                let call = isBounded ? sink.sameSecond(rest) : rest
                rest = rest[encoder.fill(from: call, wanted: instance.library.interest).startIndex...]
                if encoder.count > 0 { hand(over: batch[..<rest.startIndex], in: encoder, reports) }
            }
        }
        let unhandled = UInt64(rest.count)
        if unhandled > 0 { instance.record.change { $0.eventsDropped += unhandled } }
    }

    func destroy() {
        instance.library.services.actions.remove(owner: self)
        instance.destroy()
        if let line = instance.record.status.cutLine { instance.library.services.write(.warn, line) }
    }

    private func hand(over events: ArraySlice<PlayerEvent>, in encoder: EventBatchEncoder, _ reports: ReportSink) {
        guard let monitor = unsafe instance.library.monitor else { return }
        sink.open(for: events, reports)
        if let session = events.last?.session { actions.note(session) }
        defer { sink.close() }
        let lost = dropped
        dropped = 0
        let count = UInt64(encoder.count)
        _ = unsafe encoder.withBatch(controller: controller, dropped: lost) { batch in
            unsafe instance.run("on_events", milliseconds: instance.deadlines.onEvents) { text in
                unsafe fault_guard_on_events(monitor, instance.pointer, batch, sink.pointer, text)
            }
        }
        instance.record.change { $0.eventsDelivered += count }
    }
}
