// SPDX-License-Identifier: Apache-2.0

public import MediaCore
package import PluginHost

/// The product as it is on this machine: its built-in strategies, its worker program, what it ships for users. Makes runs.
///
/// Thread: any.
public final class Installation: Sendable {
    package let catalog: PluginCatalog
    let log: LogHub
    private let layout: InstallLayout

    /// Finds the built-in strategies.
    ///
    /// - Parameters:
    ///   - pluginDirectory: where they are; nil: beside the executable, or in the installed copy that it belongs to.
    ///   - workerExecutable: the program that strangers' plugins run in; nil: the one of this installation.
    ///   - stateDirectory: where quarantines, faults and the calls of plugins in this process are remembered from one run to the next;
    ///     made when it is needed. nil: nothing is remembered.
    /// - Throws: `io.not_found` that names the places that were looked in, or the directory that is none.
    public convenience init(
        pluginDirectory: String? = nil, workerExecutable: String? = nil, stateDirectory: String? = nil,
        log: LogHub = .shared
    ) throws(PlayerError) {
        try self.init(
            layout: InstallLayout(), pluginDirectory: pluginDirectory, workerExecutable: workerExecutable,
            health: stateDirectory.map { HealthStore(path: $0, hostVersion: HostVersions.product, log: log) }, log: log)
    }

    package init(
        layout: InstallLayout, pluginDirectory: String? = nil, workerExecutable: String? = nil,
        health: HealthStore? = nil, log: LogHub = .shared
    ) throws(PlayerError) {
        self.layout = layout
        self.log = log
        guard let directory = pluginDirectory ?? layout.builtinDirectory else {
            throw PlayerError(
                .notFound,
                "the built-in strategies are missing; looked in \(layout.builtinCandidates.joined(separator: " and "))",
                hint:
                    "Run make build in a source tree, or install the product again; an application may say where they are "
                    + "with PlayerKit.setup(pluginDirectory:).")
        }
        guard InstallLayout.isDirectory(directory) else {
            throw PlayerError(
                .notFound, "the built-in strategies are missing; there is no directory \(directory)",
                hint:
                    "Give the directory that holds them: .build/release/builtin of a source tree after make build, or "
                    + "lib/kitshell/builtin of an installed copy.")
        }
        catalog = PluginCatalog(
            builtinDirectory: directory, health: health,
            makePlace: PluginPlaces.maker(log: log, workerExecutable: workerExecutable))
        health?.tellLastWords()
    }

    /// Where the product keeps what it remembers unless its user says otherwise: `$KITSHELL_STATE_DIR`, else `$XDG_STATE_HOME/kitshell`,
    /// else `~/.local/state/kitshell`; nil where there is no home.
    public static var usualStateDirectory: String? { StateDirectory.usualPath }

    /// Ends its part of the state directory: waits for what is being written, and notes that this process did not die of a plugin. Nothing
    /// is run afterwards.
    public func end() {
        catalog.health?.end()
    }

    /// The clip that ships with the product.
    ///
    /// - Throws: `io.not_found` that names the places that were looked in.
    public func demoClip() throws(PlayerError) -> String { try shared("demo.mp4", called: "the demo clip") }

    /// The list of the clips that ship with the product, for a feed.
    ///
    /// - Throws: `io.not_found` that names the places that were looked in.
    public func demoFeed() throws(PlayerError) -> String { try shared("feed/feed.txt", called: "the demo feed") }

    private func shared(_ name: String, called what: String) throws(PlayerError) -> String {
        let places = layout.shareCandidates(name)
        guard let found = places.first(where: InstallLayout.isFile) else {
            throw PlayerError(
                .notFound, "\(what) is missing; looked for \(places.joined(separator: " and "))",
                hint: "Name a source, run make build in a source tree, or install the product again.")
        }
        return found
    }

    /// Resolves the strategies of a run; no byte of a plugin has run when this returns.
    ///
    /// - Parameter onEvent: called for every event that was delivered, on the dispatcher's thread; must return quickly.
    /// - Throws: `SelectionError` if the strategies cannot be had as selected.
    public func makePlayRun(
        _ settings: PlaySettings, onEvent: (@Sendable (PlayerEvent) -> Void)? = nil
    ) throws(SelectionError) -> PlayRun {
        try PlayRun(settings, catalog: catalog, log: log, onEvent: onEvent)
    }

    /// Resolves the strategies of a feed; no byte of a plugin has run when this returns.
    ///
    /// - Parameter onItem: called before each item is asked for, on the thread of the run.
    /// - Throws: `SelectionError` if the strategies cannot be had as selected.
    public func makeFeedRun(
        _ settings: FeedSettings, onItem: (@Sendable (FeedRun.Progress) -> Void)? = nil
    ) throws(SelectionError) -> FeedRun {
        try FeedRun(settings, catalog: catalog, log: log, onItem: onItem)
    }

    /// Resolves the lifecycle strategy of a pool script; no byte of a plugin has run when this returns.
    ///
    /// - Throws: `SelectionError` if the strategy cannot be had as selected.
    public func makePoolRun(_ selection: StrategySelection) throws(SelectionError) -> PoolRun {
        try PoolRun(selection, catalog: catalog, log: log)
    }

    /// Resolves the strategies of a replay; no byte of a plugin has run when this returns.
    ///
    /// - Throws: `SelectionError` if the strategies cannot be had as selected.
    public func makeReplayRun(_ selection: StrategySelection) throws(SelectionError) -> ReplayRun {
        try ReplayRun(selection, catalog: catalog, log: log)
    }
}
