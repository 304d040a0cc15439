// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PluginHost

extension Installation {
    /// Whether a selection itself has a lifecycle strategy, by name or in a plugin. No byte of a plugin runs.
    ///
    /// - Throws: `SelectionError` if the strategies cannot be had as selected.
    public func hasLifecycleStrategy(_ selection: StrategySelection) throws(SelectionError) -> Bool {
        let plan = try StrategyPlan(
            selection, configuration: configuration, catalog: catalog, defaultMonitors: BuiltinMonitors.standard)
        return plan.isLifecycleSelected && plan.lifecycle != nil
    }

    /// What each of several lifecycle strategies runs with: the selection without the plugins that bring another of them, and without
    /// another's options and grants.
    ///
    /// Files are looked at; no byte of them runs.
    ///
    /// - Parameters:
    ///   - names: of built-in strategies, or of plugins of the selection.
    ///   - selection: names no lifecycle strategy of its own.
    public func selections(comparing names: [String], in selection: StrategySelection) -> [StrategySelection] {
        let brought = selection.plugins.map { plugin in
            // One that is refused has no name yet; whoever is named after it hears why.
            plugin.name
                ?? (try? catalog.stranger(
                    path: plugin.path, runs: selection.isolation == .inProcess ? .inProcess : .worker,
                    allowsInsecurePath: selection.allowsInsecurePaths))?.note.id
        }
        return names.map { name in
            let others = Set(names).subtracting([name])
            var own = selection
            own.lifecycle = name
            own.plugins = zip(selection.plugins, brought)
                .filter { _, id in id.map { !others.contains($0) } ?? true }.map(\.0)
            own.settings.removeAll { others.contains($0.strategy) }
            own.grants.removeAll { others.contains($0.strategy) }
            return own
        }
    }
}
