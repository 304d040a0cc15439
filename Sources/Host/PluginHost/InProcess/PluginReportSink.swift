// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
internal import PluginABI
internal import Sessions
import Synchronization

/// The sink that a monitor of this process pushes its reports into: open during a call, checks and limits what comes.
///
/// Thread: any; a plugin may report from a thread of its own during the call.
@safe
final class PluginReportSink: Sendable {
    private struct State {
        var limits = ReportLimits()
        var reports: ReportSink?
    }

    private let state = Mutex(State())
    private let record: InstanceRecord
    // Written once in init, before anybody else has the object.
    nonisolated(unsafe) private let table: UnsafeMutablePointer<kit_report_sink_v1>

    /// - Parameter record: counts the reports that are refused.
    init(record: InstanceRecord) {
        self.record = record
        unsafe table = .allocate(capacity: 1)
        unsafe table.initialize(
            to: kit_report_sink_v1(
                struct_size: UInt32(MemoryLayout<kit_report_sink_v1>.size), reserved: 0, host_context: nil,
                emit: reportSinkEmitThunk))
        // The owner of the sink outlives the calls that are lent it, so the table needs no reference of its own.
        unsafe table.pointee.host_context = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        unsafe table.deallocate()
    }

    var pointer: UnsafePointer<kit_report_sink_v1> { unsafe UnsafePointer(table) }

    /// The events at the front that one call may have.
    func sameSecond(_ events: ArraySlice<PlayerEvent>) -> ArraySlice<PlayerEvent> {
        state.withLock { $0.limits.sameSecond(events) }
    }

    /// Accepts reports on the sessions of these events and of former ones.
    func open(for events: ArraySlice<PlayerEvent>, _ reports: ReportSink) {
        state.withLock { state in
            state.limits.note(events)
            state.reports = reports
        }
    }

    /// Refuses everything until it is opened again.
    func close() {
        state.withLock { $0.reports = nil }
    }

    fileprivate func emit(_ report: UnsafePointer<kit_report_v1>?) -> KitResult {
        let result = unsafe take(report)
        if result != .ok { record.change { $0.reportsCut += 1 } }
        return result
    }

    private func take(_ report: UnsafePointer<kit_report_v1>?) -> KitResult {
        // What floods is refused before it costs anything.
        guard !state.withLock(\.limits.isExhausted) else { return .limit }
        let entry: ReportEntry
        do {
            entry = try unsafe ReportDecoder.decode(report)
        } catch {
            return error
        }
        let (result, reports) = state.withLock { state -> (KitResult, ReportSink?) in
            guard let reports = state.reports else { return (.stale, nil) }
            return (state.limits.admit(entry), reports)
        }
        if result == .ok { reports?.emit(entry) }
        return result
    }

    fileprivate static func of(_ sink: UnsafePointer<kit_report_sink_v1>?) -> PluginReportSink? {
        guard let context = unsafe sink?.pointee.host_context else { return nil }
        return unsafe Unmanaged<PluginReportSink>.fromOpaque(context).takeUnretainedValue()
    }
}

private func reportSinkEmitThunk(
    sink: UnsafePointer<kit_report_sink_v1>?, report: UnsafePointer<kit_report_v1>?
) -> kit_result {
    guard let sink = unsafe PluginReportSink.of(sink) else { return KitResult.badArgument.rawValue }
    return unsafe sink.emit(report).rawValue
}
