// SPDX-License-Identifier: Apache-2.0

package import MediaCore
package import Sessions
import Synchronization

/// Finds the plugins: the built-in ones in their own directory, strangers where the user says. A file is inspected before it is offered
/// and offered once, however often it is asked for.
///
/// Thread: any.
package final class PluginCatalog: Sendable {
    /// Makes the place in which an accepted file runs.
    package typealias PlaceMaker =
        @Sendable (
            _ inspection: PluginInspection, _ isBuiltin: Bool, _ runs: StrategyStatus.Place,
            _ grants: PluginGrants, _ health: PluginHealth?
        ) throws -> any PluginPlace

    private struct Key: Hashable {
        var identity: FileIdentity
        var runs: StrategyStatus.Place
        var grants: PluginGrants
        var isRemembered: Bool
    }

    /// Where the built-in strategies are: a file `<id>.so` for each.
    package let builtinDirectory: String
    /// What is remembered of plugins; nil: nothing is.
    package let health: HealthStore?
    /// Directories in which strangers' plugins are looked up by their ids, in this order; absolute.
    package let pluginPath: [String]
    private let makePlace: PlaceMaker
    private let files = Mutex<[Key: HostedPlugin]>([:])

    package init(
        builtinDirectory: String, pluginPath: [String] = [], health: HealthStore? = nil,
        makePlace: @escaping PlaceMaker
    ) {
        self.builtinDirectory = builtinDirectory
        self.pluginPath = pluginPath
        self.health = health
        self.makePlace = makePlace
    }

    /// The built-in strategies by name, sorted.
    package func builtinNames() -> [String] {
        PluginCatalog.builtinNames(in: builtinDirectory)
    }

    private static func builtinNames(in directory: String) -> [String] {
        Directory.entries(of: directory).filter { $0.hasSuffix(".so") && !$0.hasPrefix(".") }
            .map { String($0.dropLast(3)) }.sorted()
    }

    /// Whether a path leads to the file of a built-in strategy itself; a copy elsewhere is a stranger's.
    package static func isBuiltin(_ path: String, in directory: String) -> Bool {
        guard let identity = FileIdentity(path: path) else { return false }
        return builtinNames(in: directory).contains { FileIdentity(path: "\(directory)/\($0).so") == identity }
    }

    /// Names of the accepted built-in strategies of one kind, sorted. Reads every file.
    package func builtinNames(of kind: PluginNote.Kinds) -> [String] {
        inspectBuiltins().filter { $0.refusal == nil }.compactMap(\.note).filter { $0.kinds.contains(kind) }.map(\.id)
    }

    /// Reads every built-in, the refused ones too, in the order of their names.
    package func inspectBuiltins() -> [PluginInspection] {
        builtinNames().map { PluginInspector.inspect(path: path(of: $0), policy: LoadPolicy(origin: .builtIn)) }
    }

    /// The built-in strategy of that id; nil if there is none.
    ///
    /// - Throws: `plugin.refused` if its file is there but not accepted.
    package func builtin(_ name: String) throws(PlayerError) -> HostedPlugin? {
        // A name is a file name here: nothing but an id may reach the path.
        guard PluginNote.isID(name.utf8) else { return nil }
        let path = path(of: name)
        guard FileIdentity(path: path) != nil else { return nil }
        return try offer(
            PluginInspector.inspect(path: path, policy: LoadPolicy(origin: .builtIn)), isBuiltin: true, runs: .inProcess
        )
    }

    /// A stranger's plugin.
    ///
    /// - Parameters:
    ///   - isRemembered: whether it may be quarantined from one run to the next: not if its user has just named it.
    ///   - sha256: that its file must have; nil: any.
    /// - Throws: `plugin.refused` with the reason and what to do about it.
    package func stranger(
        path: String, runs: StrategyStatus.Place, allowsInsecurePath: Bool, isRemembered: Bool = false,
        sha256: String? = nil
    ) throws(PlayerError) -> HostedPlugin {
        let policy = LoadPolicy(
            origin: .stranger, allowsInsecurePath: allowsInsecurePath, sharesProcess: runs == .inProcess, sha256: sha256
        )
        return try offer(
            PluginInspector.inspect(path: path, policy: policy), isBuiltin: false, runs: runs,
            isRemembered: isRemembered)
    }

    /// The same file with rights of its own: what is granted to one instance is not granted to the others, which run elsewhere.
    package func granting(_ grants: PluginGrants, to file: HostedPlugin) throws(PlayerError) -> HostedPlugin {
        try offer(
            file.inspection, isBuiltin: file.isBuiltin, runs: file.runs, grants: grants,
            isRemembered: file.isRemembered)
    }

    private func offer(
        _ inspection: PluginInspection, isBuiltin: Bool, runs: StrategyStatus.Place,
        grants: PluginGrants = PluginGrants(), isRemembered: Bool = false
    ) throws(PlayerError) -> HostedPlugin {
        let makePlace = makePlace
        let file = try HostedPlugin(
            inspection: inspection, isBuiltin: isBuiltin, runs: runs, grants: grants, store: health,
            isRemembered: isRemembered
        ) {
            try makePlace($0, isBuiltin, runs, grants, $1)
        }
        guard let identity = inspection.identity else { return file }
        return files.withLock { files in
            let key = Key(identity: identity, runs: runs, grants: grants, isRemembered: isRemembered)
            if let known = files[key] { return known }
            files[key] = file
            return file
        }
    }

    private func path(of name: String) -> String {
        "\(builtinDirectory)/\(name).so"
    }
}
