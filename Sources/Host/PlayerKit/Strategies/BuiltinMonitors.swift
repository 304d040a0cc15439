// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
internal import PluginHost

/// The monitoring strategies that run unless somebody chooses others.
enum BuiltinMonitors {
    /// By name, in the order in which they start.
    static let standard = ["first-frame", "stutter-detect", "traffic-protection"]

    /// What makes them for a controller; one whose plugin cannot be used throws when it is made.
    static func factories(of catalog: PluginCatalog) -> [StrategyFactory] {
        standard.map { name in
            {
                guard let plugin = try catalog.builtin(name) else {
                    throw PlayerError(
                        .notFound, "the built-in strategy \(name) is missing in \(catalog.builtinDirectory)",
                        hint: "Run make build in a source tree, or install the product again.")
                }
                return PluginMonitorStrategy(
                    plugin: plugin, name: name, options: try plugin.options.values(for: []), isLossless: false)
            }
        }
    }
}
