// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
package import PluginHost
package import Sessions

/// A selection whose files have been found and inspected and whose options have been checked. Nothing of a plugin has run.
package struct StrategyPlan: Sendable {
    /// A strategy under the name that this run gives it.
    package struct Choice: Sendable {
        package var name: String
        package var file: HostedPlugin
        package var options: [PluginOption]
        /// What a configuration gives it; nil if it is not from one.
        package var entry: Configuration.Entry?
        /// Whether it may act on its controller.
        package var mayAct: Bool { file.grants.mayAct }

        func makeMonitor(isLossless: Bool) -> PluginMonitorStrategy {
            PluginMonitorStrategy(
                plugin: file, name: name, options: options, isLossless: isLossless, mayAct: mayAct)
        }

        /// Starts a lifecycle strategy and waits until it can be asked.
        func makePolicy() throws -> PluginLifecyclePolicy {
            let policy = try PluginLifecyclePolicy(plugin: file, name: name, options: options)
            policy.waitUntilStarted(withinMilliseconds: CallDeadlines.longestStart)
            return policy
        }

        /// Lowers `max_pool_size` to `hard_max`, where there is one.
        mutating func keepSizeWithinHardMax() {
            func value(_ key: String) -> Int64? {
                for case .int(let value) in options.filter({ $0.key == key }).map(\.value) { return value }
                return nil
            }
            guard let bound = value("hard_max"), bound > 0, let size = value(StrategyPlan.poolSizeKey), size > bound
            else { return }
            options = options.map { $0.key == StrategyPlan.poolSizeKey ? PluginOption($0.key, .int(bound)) : $0 }
        }

        /// The row of one that could not be started.
        func failedStatus(of kind: PluginNote.Kinds, _ error: any Error) -> StrategyStatus {
            var status = file.status(name: name, kind: kind, instance: InstanceStatus())
            let fault = StrategyStatus.Fault(starting: error)
            status.health = fault.healthAtStart
            status.faults = [fault]
            return status
        }
    }

    static let poolSizeKey = "max_pool_size"

    /// Real time; twice what a plugin has for its end, and so enough for its host to give it up.
    private static let endMilliseconds = 4000

    /// In the order in which they start.
    package private(set) var monitors: [Choice] = []
    /// nil: the host's own decisions.
    package private(set) var lifecycle: Choice?
    /// Whether the selection has the lifecycle strategy, by name or in a plugin, and not the configuration.
    private(set) var isLifecycleSelected = false
    /// Whether somebody has chosen the size that the lifecycle strategy keeps.
    private(set) var isPoolSizeSet = false
    /// Why plugin files that were named are not used, refused or quarantined; the rest runs without them.
    package private(set) var refusals: [PlayerError] = []
    /// Their rows in the report.
    package private(set) var refused: [StrategyStatus] = []

    /// Finds and inspects what was selected.
    ///
    /// - Parameters:
    ///   - configuration: what is in force as far as the selection does not say otherwise.
    ///   - defaultMonitors: built-in monitors to run if neither names any.
    /// - Throws: `SelectionError` for a name, an option or a combination that cannot be.
    package init(
        _ selection: StrategySelection, configuration: Configuration = Configuration(), catalog: PluginCatalog,
        defaultMonitors: [String], withLifecycle: Bool = true
    ) throws(SelectionError) {
        var named = Named()
        for plugin in selection.plugins {
            do {
                let file = try catalog.stranger(
                    path: plugin.path, runs: selection.isolation == .inProcess ? .inProcess : .worker,
                    allowsInsecurePath: selection.allowsInsecurePaths, isRemembered: !plugin.isExplicit)
                let name = plugin.name ?? file.note.id
                if let former = named[name] {
                    let error = StrategyPlan.duplicate(name: name, path: plugin.path, former: former)
                    refuse(error, StrategyPlan.row(name: name, path: plugin.path, file.note))
                } else {
                    named.add(name, file)
                }
            } catch {
                let name = plugin.name ?? plugin.path.split(separator: "/").last.map(String.init) ?? plugin.path
                refuse(error, StrategyPlan.row(name: name, path: plugin.path, nil))
            }
        }
        let offers = Offers(selection: selection, configuration: configuration, named: named, catalog: catalog)
        try chooseMonitors(offers, configuration.monitors?.map(\.name) ?? defaultMonitors)
        if withLifecycle { try chooseLifecycle(offers) }
        try applySettings(selection)
        try checkGrants(selection)
        for index in monitors.indices { try monitors[index].grant(selection, kind: .monitor, catalog) }
        try lifecycle?.grant(selection, kind: .lifecycle, catalog)
        leaveOutQuarantined()
    }

    /// The built-in monitors that run under their own names, which have a place of their own in the report.
    var builtInReports: Set<SessionReport.BuiltIn> {
        Set(
            SessionReport.BuiltIn.allCases.filter { report in
                monitors.contains { $0.name == report.instance && $0.file.isBuiltin }
            })
    }

    /// Loads the built-in strategies. They come first, since a plugin that hangs while it is loaded in this process keeps the dynamic
    /// linker to itself.
    func loadBuiltIns() {
        // What fails here fails again, and is told, where the instance is made.
        for choice in monitors + [lifecycle].compactMap({ $0 }) where choice.file.isBuiltin {
            _ = try? choice.file.place()
        }
    }

    /// What makes the monitors of one controller.
    func monitorFactories(isLossless: Bool) -> [StrategyFactory] {
        monitors.map { choice in { choice.makeMonitor(isLossless: isLossless) } }
    }

    /// Starts the lifecycle strategy: what decides, nil for the host's own decisions, and the row of one that could not be started.
    func makePolicy(log: LogHub) -> (policy: PluginLifecyclePolicy?, failed: StrategyStatus?) {
        guard let choice = lifecycle else { return (nil, nil) }
        do {
            return (try choice.makePolicy(), nil)
        } catch {
            log.e("StrategyPlan", "lifecycle strategy \(choice.name) cannot be started, the default decides: \(error)")
            return (nil, choice.failedStatus(of: .lifecycle, error))
        }
    }

    /// Waits until the strategies of a run that has ended have come to their own ends or were given up; only then is what a report
    /// says of them final.
    func waitUntilEnded(log: LogHub) {
        for choice in monitors + [lifecycle].compactMap({ $0 })
        where !choice.file.waitUntilEnded(withinMilliseconds: StrategyPlan.endMilliseconds) {
            log.w("StrategyPlan", "\(choice.name) has not ended yet; what happens to it from now on is not reported")
        }
        // The report names the files that tell of faults.
        monitors.first?.file.health?.waitUntilWritten(withinMilliseconds: StrategyPlan.endMilliseconds)
        lifecycle?.file.health?.waitUntilWritten(withinMilliseconds: StrategyPlan.endMilliseconds)
    }

    /// The rows of a report: what the user gave comes first, then what was refused of it, then the built-ins.
    func inOrder(_ rows: [StrategyStatus]) -> [StrategyStatus] {
        let isBuiltin = { (row: StrategyStatus) in row.origin == HostedPlugin.builtinOrigin }
        return rows.filter { !isBuiltin($0) } + refused + rows.filter(isBuiltin)
    }

    // MARK: Choosing

    /// The plugins of the selection by name, in its order.
    private struct Named {
        private(set) var files: [(name: String, file: HostedPlugin)] = []

        subscript(name: String) -> HostedPlugin? {
            files.first { $0.name == name }?.file
        }

        mutating func add(_ name: String, _ file: HostedPlugin) {
            files.append((name, file))
        }

        func names(of kind: PluginNote.Kinds) -> [String] {
            files.filter { $0.file.note.kinds.contains(kind) }.map(\.name)
        }
    }

    /// Where strategies are looked for.
    private struct Offers {
        var selection: StrategySelection
        var configuration: Configuration
        var named: Named
        var catalog: PluginCatalog

        /// Reads every file in the directories.
        var search: PluginSearch {
            PluginSearch(catalog.pluginPath, allowsInsecurePaths: selection.allowsInsecurePaths)
        }
    }

    private mutating func chooseMonitors(_ offers: Offers, _ usual: [String]) throws(SelectionError) {
        var names = offers.selection.monitors ?? usual
        names += offers.named.names(of: .monitor).filter { !names.contains($0) }
        for name in names where !monitors.contains(where: { $0.name == name }) {
            if let choice = try find(name, kind: .monitor, offers) { monitors.append(choice) }
        }
    }

    private mutating func chooseLifecycle(_ offers: Offers) throws(SelectionError) {
        let offered = offers.named.names(of: .lifecycle)
        let wanted = offers.selection.lifecycle.map { [$0] } ?? []
        let all = wanted + offered.filter { !wanted.contains($0) }
        guard all.count < 2 else {
            throw SelectionError(
                "two lifecycle strategies are given, \(all[0]) and \(all[1])", hint: "One pool has one: leave one out.")
        }
        isLifecycleSelected = !all.isEmpty
        guard let name = all.first ?? offers.configuration.lifecycle?.name else { return }
        lifecycle = try find(name, kind: .lifecycle, offers)
    }

    /// The strategy of that name and kind: of the selection's plugins, then of what the configuration names, of the product's, and of the
    /// plugins in the directories. nil if none is but a refused plugin may have been meant, which then is what the user hears of.
    private mutating func find(
        _ name: String, kind: PluginNote.Kinds, _ offers: Offers
    ) throws(SelectionError) -> Choice? {
        let entry = offers.named[name] == nil ? offers.configuration.entries.first { $0.name == name } : nil
        let file: HostedPlugin?
        do throws(PlayerError) {
            if let known = offers.named[name] {
                file = known
            } else if let path = entry?.path {
                file = stranger(path, named: name, entry, offers)
            } else if let builtin = try offers.catalog.builtin(name) {
                file = builtin
            } else {
                file = offers.search[name].flatMap { stranger($0.inspection.path, named: name, entry, offers) }
            }
        } catch {
            throw SelectionError("the built-in strategy \(name) cannot be used: \(error.message)", hint: error.hint)
        }
        if let file, file.note.kinds.contains(kind) { return Choice(name: name, file: file, options: [], entry: entry) }
        if file == nil, !refused.isEmpty { return nil }
        let valid =
            offers.named.names(of: kind) + offers.catalog.builtinNames(of: kind) + offers.search.ids(of: kind)
            + (kind == .monitor ? ["none"] : [])
        throw SelectionError(
            file == nil
                ? "no \(kind.adjective) strategy is called '\(name)'" : "'\(name)' is no \(kind.adjective) strategy",
            hint: "Valid: \(valid.joined(separator: ", ")).", unknown: name, valid: valid)
    }

    /// A plugin that is named in a configuration or found by its id; nil if it is refused, which is then told.
    private mutating func stranger(
        _ path: String, named name: String, _ entry: Configuration.Entry?, _ offers: Offers
    ) -> HostedPlugin? {
        let selection = offers.selection
        do throws(PlayerError) {
            return try offers.catalog.stranger(
                path: path, runs: (selection.isolation ?? entry?.isolation) == .inProcess ? .inProcess : .worker,
                allowsInsecurePath: selection.allowsInsecurePaths, isRemembered: true, sha256: entry?.sha256)
        } catch {
            refuse(error, StrategyPlan.row(name: name, path: path, nil))
            return nil
        }
    }

    // MARK: Options

    private mutating func applySettings(_ selection: StrategySelection) throws(SelectionError) {
        let names = (monitors + [lifecycle].compactMap { $0 }).map(\.name)
        for setting in selection.settings where refused.isEmpty && !names.contains(setting.strategy) {
            throw SelectionError(
                "an option is set for '\(setting.strategy)', which does not run here",
                hint: names.isEmpty ? "No strategy runs." : "Running: \(names.joined(separator: ", ")).",
                unknown: setting.strategy, valid: names)
        }
        for index in monitors.indices {
            monitors[index].options = try StrategyPlan.options(of: monitors[index], selection)
        }
        if let choice = lifecycle {
            isPoolSizeSet = StrategyPlan.isSizeSet(of: choice, selection)
            var selection = selection
            if let size = StrategyPlan.poolSize(of: choice, selection) { selection.settings.append(size) }
            lifecycle?.options = try StrategyPlan.options(of: choice, selection)
            // A size that nobody has chosen must not contradict a bound that somebody has.
            if !isPoolSizeSet { lifecycle?.keepSizeWithinHardMax() }
        }
    }

    private static func isSizeSet(of choice: Choice, _ selection: StrategySelection) -> Bool {
        settings(of: choice, selection).contains { $0.key == poolSizeKey }
    }

    /// The size that the selection wants for a strategy of which it does not say it otherwise.
    private static func poolSize(of choice: Choice, _ selection: StrategySelection) -> StrategySelection.Setting? {
        guard let size = selection.poolSize, choice.file.options.options.contains(where: { $0.key == poolSizeKey }),
            !isSizeSet(of: choice, selection)
        else { return nil }
        return StrategySelection.Setting(strategy: choice.name, key: poolSizeKey, text: "\(size)")
    }

    /// What is set for it, the last of one key being the one that counts.
    private static func settings(of choice: Choice, _ selection: StrategySelection) -> [StrategySelection.Setting] {
        (choice.entry?.options ?? []) + selection.settings.filter { $0.strategy == choice.name }
    }

    private static func options(
        of choice: Choice, _ selection: StrategySelection
    ) throws(SelectionError) -> [PluginOption] {
        let settings = settings(of: choice, selection).map { OptionSetting(key: $0.key, text: $0.text) }
        do {
            return try choice.file.options.values(for: settings)
        } catch {
            let keys = choice.file.options.options.map(\.key)
            throw SelectionError(
                "strategy \(choice.name): \(error.message)", hint: error.hint,
                unknown: keys.contains(error.key) ? nil : error.key, valid: keys)
        }
    }

    // MARK: Refusals

    /// What failed too often in an earlier run, with the same options and grants, is not started.
    private mutating func leaveOutQuarantined() {
        for choice in monitors where leaveOut(choice, as: .monitor) {
            monitors.removeAll { $0.name == choice.name }
        }
        if let choice = lifecycle, leaveOut(choice, as: .lifecycle) { lifecycle = nil }
    }

    private mutating func leaveOut(_ choice: Choice, as kind: PluginNote.Kinds) -> Bool {
        guard let quarantine = choice.file.health?.quarantine(of: choice.options) else { return false }
        var row = choice.file.status(name: choice.name, kind: kind, instance: InstanceStatus())
        row.health = .quarantined
        row.faults = [quarantine.remembered]
        refused.append(row)
        refusals.append(
            PlayerError(
                .pluginFailed, "plugin \(choice.name) is quarantined since \(quarantine.since)",
                hint: "Mend it, or have it run again with kitshell plugin retry \(quarantine.id).",
                cause: quarantine.fault.detail))
        return true
    }

    private mutating func refuse(_ error: PlayerError, _ row: StrategyStatus) {
        var row = row
        row.faults = [
            StrategyStatus.Fault(
                .refused, during: "inspect", detail: "\(error.message) [\(error.cause)]. \(error.hint)")
        ]
        refusals.append(error)
        refused.append(row)
    }

    /// - Parameter note: nil if it could not be read.
    private static func row(name: String, path: String, _ note: PluginNote?) -> StrategyStatus {
        StrategyStatus(
            name: name, id: note?.id, kinds: note?.kinds.names ?? [], version: note?.version, origin: path,
            health: .refused)
    }

    private static func duplicate(name: String, path: String, former: HostedPlugin) -> PlayerError {
        PlayerError(
            .pluginRefused, "plugin \(path) is called \(name) like \(former.inspection.path), which came first",
            hint: "Give one a name of its own: --plugin NAME=\(path)", cause: "duplicate_id")
    }
}
