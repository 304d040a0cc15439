// SPDX-License-Identifier: Apache-2.0

internal import MachineNetwork
internal import MediaCore
internal import PlayerRuntime
internal import PluginHost
internal import Sessions

/// What a run plays on: an environment of its own, a pool under the lifecycle strategy of its plan, and one controller.
///
/// Thread: that of the run, which `end` blocks.
final class RunStage {
    /// What a run brings to it.
    struct Equipment {
        var plan: StrategyPlan
        var log: LogHub
        var clock: any EventClock
        /// Makes the players, on that clock.
        var factory: any PlayerFactory
        /// Nothing may be lost, since time waits: virtual time.
        var isLossless = false
        /// In place of what the machine reports.
        var network: NetworkType?
        /// Where events and operations of the pool are written.
        var recorder: RunRecorder?
        /// Gathers what comes of it.
        var results: RunResults
        /// Hears of every session that ends, on the dispatcher's thread.
        var onSession: @Sendable (SessionRecord) -> Void = { _ in }
        /// Hears of every operation of the pool, on the thread of whoever uses it; must not use the pool.
        var onOperation: (@Sendable (PoolRecord) -> Void)?
    }

    let controller: PlayerController
    let environment: PlayerEnvironment
    let pool: PlayerPool
    private let equipment: Equipment
    private let lifecycle: (policy: PluginLifecyclePolicy?, failed: StrategyStatus?)
    private var network: NetworkWatch?

    /// Starts the strategies: the first of plugins runs here.
    init(_ equipment: Equipment) {
        self.equipment = equipment
        let (plan, log, clock, results) = (equipment.plan, equipment.log, equipment.clock, equipment.results)
        equipment.recorder?.begin(at: clock.now())
        let factories = plan.monitorFactories(isLossless: equipment.isLossless)
        environment = PlayerEnvironment(
            clock: clock, factory: equipment.factory, registry: StrategyRegistry(builtIns: { factories }), log: log,
            isLossless: equipment.isLossless, recorder: RunStage.record(equipment),
            finishMilliseconds: CallDeadlines.longestFinish,
            collectReport: { entry, instance in results.accept(entry, from: instance) },
            collectSession: { [onSession = equipment.onSession] record in
                results.append([record])
                onSession(record)
            })
        plan.loadBuiltIns()
        // After the built-ins, since it loads a library too.
        network = RunStage.watchNetwork(for: environment, equipment)
        lifecycle = plan.makePolicy(log: log)
        pool = PlayerPool(
            policy: lifecycle.policy, clock: clock, log: log, onOperation: RunStage.recordOperation(equipment))
        controller = PlayerController(environment: environment, lifecycleStrategy: pool)
    }

    /// Ends the controller, the strategies and the log.
    ///
    /// - Returns: what came of it all.
    func end() -> PlaybackReport {
        let (plan, results) = (equipment.plan, equipment.results)
        controller.destroy()
        environment.dispatcher.barrier()
        equipment.recorder?.end()
        if let failure = equipment.recorder?.failure { results.append(outputFailure: failure) }
        lifecycle.policy?.destroy()
        plan.waitUntilEnded(log: equipment.log)
        network?.stop()
        let decider = lifecycle.failed ?? (lifecycle.policy == nil ? nil : pool.status)
        let strategies = controller.strategyManager.statuses + [decider].compactMap { $0 }
        let figures = environment.dispatcher.figures
        var losses = Losses()
        losses.outOfSession = figures.lateEvents
        losses.lostEdges = figures.droppedEdges
        losses.lostLevels = figures.droppedLevels
        return results.report(plan: plan, strategies: strategies, pool: pool.counts, losses: losses)
    }

    /// What gets every event; nil if nobody wants them.
    private static func record(_ equipment: Equipment) -> EventRecorder? {
        let (recorder, results) = (equipment.recorder, equipment.results)
        guard recorder != nil || results.keepsTraces else { return nil }
        return { events in
            recorder?.write(events)
            if results.keepsTraces { results.trace(events) }
        }
    }

    /// What gets every operation of the pool; nil if nobody wants them.
    private static func recordOperation(_ equipment: Equipment) -> (@Sendable (PoolRecord) -> Void)? {
        let (recorder, onOperation) = (equipment.recorder, equipment.onOperation)
        guard recorder != nil || onOperation != nil else { return nil }
        return { record in
            recorder?.note(record)
            onOperation?(record)
        }
    }

    /// Tells what was asked for, or else what the machine reports, from now on.
    private static func watchNetwork(for environment: PlayerEnvironment, _ equipment: Equipment) -> NetworkWatch? {
        if let network = equipment.network {
            environment.setNetwork(NetworkState(network))
            return nil
        }
        let watch = NetworkWatch(log: equipment.log)
        environment.setNetwork(watch.state)
        watch.start { environment.setNetwork($0) }
        return watch
    }
}
