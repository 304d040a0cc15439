// SPDX-License-Identifier: Apache-2.0

public import MediaCore
public import PlayerRuntime
internal import Sessions

extension PlayerKit {
    /// Gives controllers further strategies, as `kitshell` takes them: plugin files by their paths, built-in ones by their names.
    ///
    /// ```swift
    /// var selection = StrategySelection()
    /// selection.plugins = [.init(path: "/opt/app/plugins/libcounter.so")]
    /// try PlayerKit.addStrategies(selection)
    /// ```
    ///
    /// Every controller made from now on gets the monitoring strategies, besides those it has anyway: an empty selection adds none. One that
    /// is called like another takes its place. Files are inspected here; they run when the first controller is made, a lifecycle
    /// strategy at once.
    ///
    /// Thread: any; blocks while files are read and a lifecycle strategy starts.
    ///
    /// - Returns: a pool under the lifecycle strategy, for controllers to share; nil if the selection has none.
    /// - Throws: what is wrong with the selection or one of its files; nothing is added then. `misc.illegal_state` before `setup`.
    @discardableResult
    public static func addStrategies(_ selection: StrategySelection) throws(PlayerError) -> PlayerPool? {
        guard let installation else {
            throw PlayerError(
                .illegalState, "strategies are added before the kit was set up",
                hint: "Call PlayerKit.setup first.")
        }
        let plan = try resolve(selection, installation)
        var pool: PlayerPool?
        if let choice = plan.lifecycle { pool = try makePool(under: choice) }
        for factory in plan.monitorFactories(isLossless: false) {
            StrategyRegistry.shared.addGlobalStrategyFactory(factory)
        }
        return pool
    }

    private static func resolve(
        _ selection: StrategySelection, _ installation: Installation
    ) throws(PlayerError) -> StrategyPlan {
        let plan: StrategyPlan
        do throws(SelectionError) {
            plan = try StrategyPlan(selection, catalog: installation.catalog, defaultMonitors: [])
        } catch {
            throw PlayerError(.invalidConfiguration, error.message, hint: error.hint)
        }
        // A run goes on without a plugin that is refused; who adds it here is told.
        if let refused = plan.refusals.first { throw refused }
        return plan
    }

    private static func makePool(under choice: StrategyPlan.Choice) throws(PlayerError) -> PlayerPool {
        do {
            return PlayerPool(policy: try choice.makePolicy(), clock: environment.clock)
        } catch {
            throw PlayerError(
                .pluginFailed, "lifecycle strategy \(choice.name) cannot be started",
                hint: "Look at the log for what it says, or play with another one.", cause: "\(error)")
        }
    }
}
