// SPDX-License-Identifier: Apache-2.0

package import MediaCore
package import PluginABI
import Synchronization

/// The services that one plugin of this process is offered, as the `kit_host_v1` it keeps.
///
/// Once a plugin has been given it, it lives as long as the process: a plugin is never unloaded and may keep the table.
///
/// Thread: any.
@safe
package final class HostServices: Sendable {
    /// Takes what a plugin writes to the host's log.
    package typealias Log = @Sendable (_ level: LogLevel, _ text: String) -> Void

    private let lines: LineLimit
    let notes = ErrorNotes()
    let actions = ActionPorts()
    private let drift = Mutex("")
    // Written once in init, before anybody else has the object.
    nonisolated(unsafe) private let table: UnsafeMutablePointer<kit_host_v1>

    package init(log: @escaping Log) {
        lines = LineLimit(log: log)
        unsafe table = .allocate(capacity: 1)
        unsafe table.initialize(
            to: kit_host_v1(
                struct_size: UInt32(MemoryLayout<kit_host_v1>.size), abi_minor: UInt32(KIT_ABI_MINOR),
                host_context: nil, log: hostLogThunk, report_error: hostReportErrorThunk,
                request_action: hostRequestActionThunk, get_interface: hostGetInterfaceThunk))
        unsafe table.pointee.host_context = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        unsafe table.deallocate()
    }

    /// What the plugin's entry and `create` are given, after `keepForever`.
    package var pointer: UnsafePointer<kit_host_v1> { unsafe UnsafePointer(table) }

    /// The plugin is about to be given the table, and holds it until the process ends. Once.
    func keepForever() {
        unsafe _ = Unmanaged.passRetained(self)
    }

    /// Writes a line as the plugin would: flooding is cut.
    func write(_ level: LogLevel, _ text: String) {
        lines.write(level, text)
    }

    /// What loading the plugin changed for the whole process, as a sentence; empty if nothing.
    var driftNote: String { drift.withLock { $0 } }

    /// Loading the plugin has changed the state of the process, which was put back as far as it can be.
    ///
    /// - Parameter changes: parts of a sentence that begins with "it changed".
    func noteDrift(_ changes: [String], of path: String) {
        let list =
            changes.count > 1
            ? changes.dropLast().joined(separator: ", ") + " and " + changes[changes.count - 1] : changes.joined()
        let text =
            "loading \(path) changed \(list) for the whole process; the host has put back what can be. "
            + "Run it in a worker (--isolation worker), or mend its constructor or entry."
        drift.withLock { $0 = text }
        write(.warn, text)
    }

    fileprivate static func of(_ host: UnsafePointer<kit_host_v1>?) -> HostServices? {
        guard let context = unsafe host?.pointee.host_context else { return nil }
        return unsafe Unmanaged<HostServices>.fromOpaque(context).takeUnretainedValue()
    }
}

private func hostLogThunk(host: UnsafePointer<kit_host_v1>?, level: Int32, text: kit_str) {
    guard let services = unsafe HostServices.of(host), let text = unsafe KitText.string(text) else { return }
    services.write(LogLevel(abi: level), text)
}

private func hostReportErrorThunk(
    host: UnsafePointer<kit_host_v1>?, instance: UnsafeMutableRawPointer?, result: kit_result, text: kit_str
) {
    guard let services = unsafe HostServices.of(host), let text = unsafe KitText.string(text) else { return }
    services.notes.add(instance: UInt(bitPattern: instance), text: text)
}

private func hostRequestActionThunk(
    host: UnsafePointer<kit_host_v1>?, instance: UnsafeMutableRawPointer?, session: UInt32, sequence: UInt64,
    action: Int32, argument: Int64
) -> kit_result {
    guard let port = unsafe HostServices.of(host)?.actions.port(of: instance) else {
        return KitResult.badArgument.rawValue
    }
    return port(session, sequence, action, argument).rawValue
}

private func hostGetInterfaceThunk(
    host: UnsafePointer<kit_host_v1>?, id: UnsafePointer<CChar>?
) -> UnsafeRawPointer? {
    nil
}
