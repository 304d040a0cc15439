// SPDX-License-Identifier: Apache-2.0

package import MediaCore
package import PluginABI
import Synchronization

/// The services that one plugin of this process is offered, as the `kit_host_v1` it keeps.
///
/// It lives as long as the process: a plugin is never unloaded and may keep the table.
///
/// Thread: any.
@safe
package final class HostServices: Sendable {
    /// Takes what a plugin writes to the host's log.
    package typealias Log = @Sendable (_ level: LogLevel, _ text: String) -> Void

    /// Lines kept in a second of real time; what comes on top is counted.
    package static let maxLinesPerSecond = 200

    private struct Flood {
        var second: UInt64 = 0
        var lines = 0
        var cut = 0
    }

    private let log: Log
    private let flood = Mutex(Flood())
    let notes = ErrorNotes()
    // Written once in init, before anybody else has the object.
    nonisolated(unsafe) private let table: UnsafeMutablePointer<kit_host_v1>

    package init(log: @escaping Log) {
        self.log = log
        unsafe table = .allocate(capacity: 1)
        unsafe table.initialize(
            to: kit_host_v1(
                struct_size: UInt32(MemoryLayout<kit_host_v1>.size), abi_minor: UInt32(KIT_ABI_MINOR),
                host_context: nil, log: hostLogThunk, report_error: hostReportErrorThunk,
                request_action: hostRequestActionThunk, get_interface: hostGetInterfaceThunk))
        // Never released: the plugin holds the table until the process ends.
        unsafe table.pointee.host_context = Unmanaged.passRetained(self).toOpaque()
    }

    /// What the plugin's entry and `create` are given.
    package var pointer: UnsafePointer<kit_host_v1> { unsafe UnsafePointer(table) }

    /// Writes a line as the plugin would: flooding is cut.
    func write(_ level: LogLevel, _ text: String) {
        let second = RealTime.now().nanoseconds / 1_000_000_000
        let (isKept, cut) = flood.withLock { flood -> (Bool, Int) in
            var cut = 0
            if flood.second != second {
                cut = flood.cut
                flood = Flood(second: second)
            }
            flood.lines += 1
            if flood.lines > HostServices.maxLinesPerSecond { flood.cut += 1 }
            return (flood.lines <= HostServices.maxLinesPerSecond, cut)
        }
        if cut > 0 {
            log(.warn, "\(cut) log lines were cut: more than \(HostServices.maxLinesPerSecond) a second")
        }
        if isKept { log(level, text) }
    }

    fileprivate static func of(_ host: UnsafePointer<kit_host_v1>?) -> HostServices? {
        guard let context = unsafe host?.pointee.host_context else { return nil }
        return unsafe Unmanaged<HostServices>.fromOpaque(context).takeUnretainedValue()
    }
}

private func hostLogThunk(host: UnsafePointer<kit_host_v1>?, level: Int32, text: kit_str) {
    guard let services = unsafe HostServices.of(host), let text = unsafe KitText.string(text) else { return }
    // The numbers are the same; one that is no level of a line counts as info.
    let known = LogLevel(rawValue: level) ?? .info
    services.write(known == .none ? .info : known, text)
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
    KitResult.unsupported.rawValue
}

private func hostGetInterfaceThunk(
    host: UnsafePointer<kit_host_v1>?, id: UnsafePointer<CChar>?
) -> UnsafeRawPointer? {
    nil
}
