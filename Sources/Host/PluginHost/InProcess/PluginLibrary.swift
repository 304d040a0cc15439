// SPDX-License-Identifier: Apache-2.0

internal import FaultGuard
internal import MediaCore
internal import PluginABI

/// A plugin that is mapped into this process, with its table and interfaces checked. It stays mapped until the process ends:
/// unloading code that others may still point into is never safe.
///
/// Thread: any; what is [serial] in the ABI is serialised by the instances.
@safe
final class PluginLibrary: Sendable {
    let path: String
    let identity: FileIdentity
    /// Which events the plugin's monitors want.
    let interest: EventMask
    let services: HostServices
    /// Where calls into it are noted; nil for what ships with the product, and where nothing is remembered.
    let journal: JournalEntry?
    // Tables of the plugin: static and immutable by contract, read only.
    nonisolated(unsafe) let plugin: UnsafePointer<kit_plugin_v1>
    nonisolated(unsafe) let monitor: UnsafePointer<kit_monitor_v1>?
    nonisolated(unsafe) let lifecycle: UnsafePointer<kit_lifecycle_v1>?

    init(
        path: String, identity: FileIdentity, services: HostServices, journal: JournalEntry?,
        plugin: UnsafePointer<kit_plugin_v1>, monitor: UnsafePointer<kit_monitor_v1>?,
        lifecycle: UnsafePointer<kit_lifecycle_v1>?
    ) {
        self.path = path
        self.identity = identity
        self.services = services
        self.journal = journal
        unsafe self.plugin = plugin
        unsafe self.monitor = monitor
        unsafe self.lifecycle = lifecycle
        interest =
            unsafe monitor.map { unsafe EventMask(abi: $0.pointee.event_mask.0, $0.pointee.event_mask.1) } ?? .all
    }
}
