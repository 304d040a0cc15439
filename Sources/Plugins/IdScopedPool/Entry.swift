// SPDX-License-Identifier: Apache-2.0

public import PluginABI
internal import PluginStrategies
internal import PluginSupport

// The name is the header's.
// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation
public func kit_plugin_entry_v1(
    _ host: UnsafePointer<kit_host_v1>!, _ out: UnsafeMutablePointer<UnsafePointer<kit_plugin_v1>?>!
) -> kit_result {
    unsafe PluginExport.lifecycle(IdScopedPool.self, out)
}
