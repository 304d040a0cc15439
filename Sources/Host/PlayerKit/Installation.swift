// SPDX-License-Identifier: Apache-2.0

public import MediaCore
package import PluginHost

/// The product as it is on this machine: its built-in strategies, its worker program, what it ships for users. Makes runs.
///
/// Thread: any.
public final class Installation: Sendable {
    package let catalog: PluginCatalog
    /// In force as far as the settings of a run do not say otherwise.
    public let configuration: Configuration
    let log: LogHub
    private let layout: InstallLayout

    /// Finds the built-in strategies.
    ///
    /// - Parameters:
    ///   - pluginDirectory: where they are; nil: beside the executable, or in the installed copy that it belongs to.
    ///   - workerExecutable: the program that strangers' plugins run in; nil: the one of this installation.
    ///   - stateDirectory: where quarantines, faults and the calls of plugins in this process are remembered from one run to the next;
    ///     made when it is needed. nil: nothing is remembered.
    ///   - configuration: what runs are made with as far as their settings leave it open.
    /// - Throws: `io.not_found` that names the places that were looked in, or the directory that is none.
    public convenience init(
        pluginDirectory: String? = nil, workerExecutable: String? = nil, stateDirectory: String? = nil,
        configuration: Configuration = Configuration(), log: LogHub = .shared
    ) throws(PlayerError) {
        try self.init(
            layout: InstallLayout(), pluginDirectory: pluginDirectory, workerExecutable: workerExecutable,
            health: stateDirectory.map { HealthStore(path: $0, hostVersion: HostVersions.product, log: log) },
            configuration: configuration, log: log)
    }

    package init(
        layout: InstallLayout, pluginDirectory: String? = nil, workerExecutable: String? = nil,
        health: HealthStore? = nil, configuration: Configuration = Configuration(), log: LogHub = .shared
    ) throws(PlayerError) {
        self.layout = layout
        self.configuration = configuration
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
            builtinDirectory: directory, pluginPath: configuration.pluginPath, health: health,
            makePlace: PluginPlaces.maker(
                log: log, workerExecutable: workerExecutable, deadlines: configuration.workers.deadlines,
                restarts: configuration.workers.restarts))
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
        var settings = settings
        settings.models = settings.models.map(configured)
        return try PlayRun(settings, configuration: configuration, catalog: catalog, log: log, onEvent: onEvent)
    }

    /// Resolves the strategies of a feed; no byte of a plugin has run when this returns.
    ///
    /// - Parameter onItem: called before each item is asked for, on the thread of the run.
    /// - Throws: `SelectionError` if the strategies cannot be had as selected.
    public func makeFeedRun(
        _ settings: FeedSettings, onItem: (@Sendable (FeedRun.Progress) -> Void)? = nil
    ) throws(SelectionError) -> FeedRun {
        var settings = settings
        settings.models = settings.models.map(configured)
        return try FeedRun(settings, configuration: configuration, catalog: catalog, log: log, onItem: onItem)
    }

    /// Resolves the lifecycle strategy of a pool script; no byte of a plugin has run when this returns.
    ///
    /// - Throws: `SelectionError` if the strategy cannot be had as selected.
    public func makePoolRun(_ selection: StrategySelection) throws(SelectionError) -> PoolRun {
        try PoolRun(selection, configuration: configuration, catalog: catalog, log: log)
    }

    /// Resolves the strategies of a replay; no byte of a plugin has run when this returns.
    ///
    /// - Throws: `SelectionError` if the strategies cannot be had as selected.
    public func makeReplayRun(_ selection: StrategySelection) throws(SelectionError) -> ReplayRun {
        try ReplayRun(selection, configuration: configuration, catalog: catalog, log: log)
    }

    /// The model with what the configuration says of playing and the model does not.
    private func configured(_ model: PlayerModel) -> PlayerModel {
        var model = model
        let usual = configuration.player
        model.configuration.startBuffer = model.configuration.startBuffer ?? usual.startBuffer
        model.configuration.highBuffer = model.configuration.highBuffer ?? usual.highBuffer
        model.configuration.maxBuffer = model.configuration.maxBuffer ?? usual.maxBuffer
        model.configuration.networkTimeout = model.configuration.networkTimeout ?? usual.networkTimeout
        model.configuration.networkRetryCount = model.configuration.networkRetryCount ?? usual.networkRetryCount
        return model
    }
}
