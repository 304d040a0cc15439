// SPDX-License-Identifier: Apache-2.0

public import PluginABI

/// Makes a Swift type the plugin of the shared library it is linked into: the tables, and a catch at every boundary.
///
/// The library's one `@c` function is written as
///
///     @c @implementation
///     public func kit_plugin_entry_v1(host: …, out: …) -> kit_result {
///         PluginExport.monitor(MyMonitor.self, out)
///     }
public enum PluginExport {
    /// The entry of a library that holds a monitoring strategy.
    public static func monitor<Plugin: MonitorPlugin>(
        _ type: Plugin.Type, _ out: UnsafeMutablePointer<UnsafePointer<kit_plugin_v1>?>?
    ) -> kit_result {
        unsafe export(PluginTables(monitor: type, lifecycle: nil), out)
    }

    /// The entry of a library that holds a lifecycle strategy.
    public static func lifecycle<Plugin: LifecyclePlugin>(
        _ type: Plugin.Type, _ out: UnsafeMutablePointer<UnsafePointer<kit_plugin_v1>?>?
    ) -> kit_result {
        unsafe export(PluginTables(monitor: nil, lifecycle: type), out)
    }

    private static func export(
        _ tables: PluginTables, _ out: UnsafeMutablePointer<UnsafePointer<kit_plugin_v1>?>?
    ) -> kit_result {
        guard let out = unsafe out else { return kit_result(KIT_BAD_ARG) }
        unsafe PluginTables.exported = tables
        unsafe out.pointee = tables.plugin
        return kit_result(KIT_OK)
    }
}
