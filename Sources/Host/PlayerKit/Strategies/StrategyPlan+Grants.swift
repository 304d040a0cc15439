// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PluginHost

/// What strategies are allowed beyond computing.
extension StrategyPlan {
    /// Grants name strategies that run.
    func checkGrants(_ selection: StrategySelection) throws(SelectionError) {
        let names = monitors.map(\.name) + [lifecycle].compactMap { $0?.name }
        for grant in selection.grants where !names.contains(grant.strategy) {
            // A plugin that was refused may have been meant, which then is what the user hears of.
            guard refused.isEmpty else { continue }
            throw SelectionError(
                "\(grant.capability) is granted to '\(grant.strategy)', which does not run here",
                hint: names.isEmpty ? "No strategy runs." : "Running: \(names.joined(separator: ", ")).",
                unknown: grant.strategy, valid: names)
        }
    }
}

extension StrategyPlan.Choice {
    /// Gives it what the selection and its entry grant it.
    mutating func grant(
        _ selection: StrategySelection, kind: PluginNote.Kinds, _ catalog: PluginCatalog
    ) throws(SelectionError) {
        var grants = PluginGrants()
        let own = (entry?.grants ?? []).map { StrategySelection.Grant(strategy: name, capability: $0) }
        for grant in own + selection.grants where grant.strategy == name {
            try grants.add(grant, to: file, running: kind)
        }
        guard grants != PluginGrants() else { return }
        do throws(PlayerError) {
            file = try catalog.granting(grants, to: file)
        } catch {
            throw SelectionError("\(name) cannot be given its grants: \(error.message)", hint: error.hint)
        }
    }
}

extension PluginGrants {
    /// Everything: no sandbox.
    private static let all = "all"
    private static let grantable: [PluginNote.Capabilities] = [.actions, .network, .threads, .readPaths, .writePaths]

    /// Adds what a plugin is granted that runs as a strategy of a kind.
    ///
    /// - Throws: `SelectionError` for what cannot be granted to it.
    mutating func add(
        _ grant: StrategySelection.Grant, to file: HostedPlugin, running kind: PluginNote.Kinds
    ) throws(SelectionError) {
        let name = grant.strategy
        if grant.capability == PluginGrants.all {
            if file.isBuiltin {
                throw SelectionError(
                    "all is granted to \(name), which runs in this process and has every right",
                    hint: "Leave the grant out.")
            }
            isOpen = true
            return
        }
        let (capability, path) = try PluginGrants.capability(of: grant)
        guard capability != .actions || kind == .monitor else {
            throw SelectionError(
                "actions is granted to \(name), which is no monitoring strategy", hint: "Leave the grant out.")
        }
        guard file.note.capabilities.contains(capability) else {
            throw SelectionError(
                "\(grant.capability) is granted to \(name), whose note does not ask for it",
                hint: "Leave the grant out; kitshell plugin inspect shows what a plugin asks for.")
        }
        capabilities.insert(capability)
        if let path, capability == .readPaths { readablePaths.append(path) }
        if let path, capability == .writePaths { writablePaths.append(path) }
    }

    /// Reads `CAPABILITY` or `CAPABILITY=PATH`.
    private static func capability(
        of grant: StrategySelection.Grant
    ) throws(SelectionError) -> (PluginNote.Capabilities, path: String?) {
        let parts = grant.capability.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let word = String(parts.first ?? "")
        let names = grantable.flatMap(\.names)
        guard let capability = grantable.first(where: { $0.names == [word] }) else {
            throw SelectionError(
                "'\(word)' is nothing that can be granted", hint: "Valid: \((names + [all]).joined(separator: ", ")).",
                unknown: word, valid: names + [all])
        }
        guard [.readPaths, .writePaths].contains(capability) else {
            if parts.count == 1 { return (capability, nil) }
            throw SelectionError("\(word) is granted without a value", hint: "It is granted as \(word).")
        }
        guard parts.count == 2, !parts[1].isEmpty, !parts[1].utf8.contains(0) else {
            throw SelectionError(
                "\(word) needs a path", hint: "It is granted as \(word)=PATH, once for each file or directory.")
        }
        return (capability, FilePath.absolute(String(parts[1])))
    }
}
