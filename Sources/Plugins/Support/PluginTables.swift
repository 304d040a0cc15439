// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

/// The C tables of the one plugin in this library. They live as long as the library, which is never unloaded.
@safe
struct PluginTables {
    /// Set by the entry, which the host calls once and before anything else; only read afterwards.
    nonisolated(unsafe) static var exported: PluginTables?

    let monitorType: (any MonitorPlugin.Type)?
    let lifecycleType: (any LifecyclePlugin.Type)?
    let plugin: UnsafePointer<kit_plugin_v1>
    let monitor: UnsafePointer<kit_monitor_v1>?
    let lifecycle: UnsafePointer<kit_lifecycle_v1>?

    init(monitor monitorType: (any MonitorPlugin.Type)?, lifecycle lifecycleType: (any LifecyclePlugin.Type)?) {
        self.monitorType = monitorType
        self.lifecycleType = lifecycleType
        unsafe plugin = PluginTables.permanent(
            kit_plugin_v1(
                struct_size: UInt32(MemoryLayout<kit_plugin_v1>.size), abi_minor: UInt32(KIT_ABI_MINOR),
                create: createThunk, destroy: destroyThunk, get_interface: getInterfaceThunk))
        unsafe monitor = monitorType.map { type in
            unsafe PluginTables.permanent(
                kit_monitor_v1(
                    struct_size: UInt32(MemoryLayout<kit_monitor_v1>.size), reserved: 0,
                    event_mask: PluginTables.mask(of: type.wantedEvents), on_events: onEventsThunk))
        }
        unsafe lifecycle = lifecycleType.map { _ in
            unsafe PluginTables.permanent(
                kit_lifecycle_v1(
                    struct_size: UInt32(MemoryLayout<kit_lifecycle_v1>.size), reserved: 0, decide: decideThunk))
        }
    }

    private static func permanent<Table>(_ table: Table) -> UnsafePointer<Table> {
        let place = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        unsafe place.initialize(to: table)
        return unsafe UnsafePointer(place)
    }

    private static func mask(of kinds: [PluginEventKind]) -> (UInt64, UInt64) {
        var mask: (UInt64, UInt64) = (0, 0)
        for kind in kinds where kind.rawValue < UInt32(KIT_EVENT_TYPE_LIMIT) {
            let bit = UInt64(1) << UInt64(kind.rawValue % 64)
            if kind.rawValue < 64 { mask.0 |= bit } else { mask.1 |= bit }
        }
        return mask
    }
}

/// What a `self` pointer of this library stands for.
@safe
final class PluginInstanceBox {
    let host: UnsafePointer<kit_host_v1>
    let monitor: (any MonitorPlugin)?
    let lifecycle: (any LifecyclePlugin)?

    init(host: UnsafePointer<kit_host_v1>, how: kit_create_v1) throws {
        unsafe self.host = host
        let options = try unsafe PluginOptions(how)
        monitor =
            try unsafe how.kind == UInt32(KIT_KIND_MONITOR)
            ? PluginTables.exported?.monitorType?.init(options: options) : nil
        lifecycle =
            try unsafe how.kind == UInt32(KIT_KIND_LIFECYCLE)
            ? PluginTables.exported?.lifecycleType?.init(options: options) : nil
        if monitor == nil, lifecycle == nil { throw PluginFailure(.unsupported, "this plugin has no such interface") }
    }

    static func of(_ instance: UnsafeMutableRawPointer?) throws -> PluginInstanceBox {
        guard let instance = unsafe instance else { throw PluginFailure(.badArgument, "self is null") }
        return unsafe Unmanaged<PluginInstanceBox>.fromOpaque(instance).takeUnretainedValue()
    }
}

/// Turns what a body throws into a result and the host's error text.
private func guarded(
    _ host: UnsafePointer<kit_host_v1>?, _ instance: UnsafeMutableRawPointer?, _ body: () throws -> kit_result
) -> kit_result {
    do {
        return try body()
    } catch {
        let result = (error as? PluginFailure)?.result.rawValue ?? kit_result(KIT_INTERNAL)
        var text = "\(error)"
        text.withUTF8 { bytes in
            let characters = unsafe UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            guard let host = unsafe host else { return }
            unsafe host.pointee.report_error(host, instance, result, kit_str(ptr: characters, len: UInt64(bytes.count)))
        }
        return result
    }
}

private func createThunk(
    host: UnsafePointer<kit_host_v1>?, how: UnsafePointer<kit_create_v1>?,
    instance: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> kit_result {
    unsafe guarded(host, nil) {
        guard
            let host = unsafe host, let how = unsafe how, let instance = unsafe instance,
            unsafe how.pointee.struct_size >= MemoryLayout<kit_create_v1>.size
        else { throw PluginFailure(.badArgument, "an argument of create is null or too short") }
        let box = try unsafe PluginInstanceBox(host: host, how: how.pointee)
        // Released by destroyThunk, below.
        unsafe instance.pointee = Unmanaged.passRetained(box).toOpaque()
        return kit_result(KIT_OK)
    }
}

private func destroyThunk(instance: UnsafeMutableRawPointer?) {
    guard let instance = unsafe instance else { return }
    unsafe Unmanaged<PluginInstanceBox>.fromOpaque(instance).release()
}

private func getInterfaceThunk(id: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
    guard let id = unsafe id, let tables = unsafe PluginTables.exported else { return nil }
    switch unsafe String(cString: id) {
    case KIT_MONITOR_ID: return unsafe UnsafeRawPointer(tables.monitor)
    case KIT_LIFECYCLE_ID: return unsafe UnsafeRawPointer(tables.lifecycle)
    default: return nil
    }
}

private func onEventsThunk(
    instance: UnsafeMutableRawPointer?, batch: UnsafePointer<kit_event_batch_v1>?,
    sink: UnsafePointer<kit_report_sink_v1>?
) -> kit_result {
    guard let box = try? unsafe PluginInstanceBox.of(instance) else { return kit_result(KIT_BAD_ARG) }
    return unsafe guarded(box.host, instance) {
        guard let monitor = box.monitor else { throw PluginFailure(.unsupported, "not a monitor") }
        try unsafe monitor.handle(PluginEventBatch(batch), reports: SinkOutput(sink))
        return kit_result(KIT_OK)
    }
}

private func decideThunk(
    instance: UnsafeMutableRawPointer?, request: UnsafePointer<kit_pool_request_v1>?,
    decision: UnsafeMutablePointer<kit_pool_decision_v1>?
) -> kit_result {
    guard let box = try? unsafe PluginInstanceBox.of(instance) else { return kit_result(KIT_BAD_ARG) }
    return unsafe guarded(box.host, instance) {
        guard let lifecycle = box.lifecycle else { throw PluginFailure(.unsupported, "not a lifecycle strategy") }
        guard let answer = try unsafe lifecycle.decide(PluginPoolRequest(request)) else {
            return kit_result(KIT_DECLINE)
        }
        try unsafe answer.write(to: decision)
        return kit_result(KIT_OK)
    }
}
