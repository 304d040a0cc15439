// SPDX-License-Identifier: Apache-2.0

internal import MachineNetwork
public import MediaCore
internal import PlayerEngine
internal import PlayerRuntime
package import PluginHost
public import Sessions
internal import Synchronization

/// Plays sources headless, one after the other on one controller, under the selected strategies, and tells what came of it.
///
/// Thread: `run` once, on the caller's thread, which it blocks; `interrupt` any.
public final class PlayRun: Sendable {
    private let settings: PlaySettings
    private let plan: StrategyPlan
    private let log: LogHub
    private let isInterrupted = Atomic<Bool>(false)
    private let watch: SessionWatch
    private let longestPause: Duration
    private let recorder: RunRecorder?

    /// Resolves the strategies. No byte of a plugin has run when this returns.
    ///
    /// - Parameters:
    ///   - onEvent: called for every event that was delivered, on the dispatcher's thread; must return quickly.
    /// - Throws: `SelectionError` if the strategies cannot be had as selected.
    package init(
        _ settings: PlaySettings, catalog: PluginCatalog, log: LogHub,
        onEvent: (@Sendable (PlayerEvent) -> Void)? = nil
    ) throws(SelectionError) {
        self.settings = settings
        self.log = log
        plan = try StrategyPlan(settings.strategies, catalog: catalog, defaultMonitors: BuiltinMonitors.standard)
        longestPause = settings.isVirtualTime ? min(settings.longestPause, .seconds(1)) : settings.longestPause
        watch = SessionWatch(until: settings.until, longestPause: longestPause, onEvent: onEvent)
        recorder = settings.record.map { RunRecorder($0, isBuffered: settings.isVirtualTime) }
    }

    /// Ends the session that plays and the run with it; what was seen so far is reported.
    public func interrupt() {
        isInterrupted.store(true, ordering: .sequentiallyConsistent)
        watch.wake()
    }

    /// Plays everything.
    ///
    /// - Parameter observer: hears of sessions and reports as they come.
    /// - Returns: the report, and what kept outputs from being complete.
    public func run(
        observer: (any RunObserver)? = nil
    ) -> (report: PlaybackReport, outputFailures: [PlayerError]) {
        let results = RunResults(observer: observer, keepsTraces: settings.keepsTraces)
        let clock: any MediaClock = settings.isVirtualTime ? VirtualClock() : MonotonicClock()
        recorder?.begin(at: clock.now())
        let factories = plan.monitorFactories(isLossless: settings.isVirtualTime)
        let environment = PlayerEnvironment(
            clock: clock, factory: LibAVPlayerFactory(clock: clock, sinks: sinks(results)),
            registry: StrategyRegistry(builtIns: { factories }),
            log: log, isLossless: settings.isVirtualTime, recorder: record(into: results),
            finishMilliseconds: CallDeadlines.longestFinish,
            collectReport: { entry, instance in results.accept(entry, from: instance) },
            collectSession: { [watch] record in
                results.append([record])
                watch.sessionEnded(record.session)
            })
        plan.loadBuiltIns()
        // After the built-ins, since it loads a library too.
        let network = watchNetwork(for: environment)
        defer { network?.stop() }
        let lifecycle = plan.makePolicy(log: log)
        let pool = PlayerPool(policy: lifecycle.policy, clock: clock, log: log, onOperation: recordOperation)
        let controller = PlayerController(environment: environment, lifecycleStrategy: pool)
        environment.dispatcher.attach(watch, stage: .notification, to: controller.id)
        controller.setRate(settings.playback.rate)
        controller.setLoop(settings.playback.loop)
        controller.setMuted(settings.playback.isMuted)
        controller.setVolume(settings.playback.volume)
        for model in settings.models {
            if isInterrupted.load(ordering: .sequentiallyConsistent) { break }
            play(model, on: controller)
            results.note(controller.strategyManager.statuses)
        }
        controller.destroy()
        environment.dispatcher.barrier()
        recorder?.end()
        if let failure = recorder?.failure { results.append(outputFailure: failure) }
        lifecycle.policy?.destroy()
        plan.waitUntilEnded(log: log)
        let decider = lifecycle.failed ?? (lifecycle.policy == nil ? nil : pool.status)
        let strategies = controller.strategyManager.statuses + [decider].compactMap { $0 }
        let figures = environment.dispatcher.figures
        var losses = Losses()
        losses.outOfSession = figures.lateEvents
        losses.lostEdges = figures.droppedEdges
        losses.lostLevels = figures.droppedLevels
        let report = results.report(plan: plan, strategies: strategies, pool: pool.counts, losses: losses)
        return (report, results.outputFailures)
    }

    /// What gets every event; nil if nobody wants them.
    private func record(into results: RunResults) -> EventRecorder? {
        let keepsTraces = settings.keepsTraces
        guard recorder != nil || keepsTraces else { return nil }
        return { [recorder] events in
            recorder?.write(events)
            if keepsTraces { results.trace(events) }
        }
    }

    /// What gets every operation of the pool; nil if nobody wants them.
    private var recordOperation: (@Sendable (PoolRecord) -> Void)? {
        guard let recorder else { return nil }
        return { recorder.note($0) }
    }

    private func sinks(_ results: RunResults) -> SinkFactory {
        .files(pictures: settings.pictures, sound: settings.sound, frameHashes: settings.frameHashes) {
            results.append(outputFailure: $0)
        }
    }

    /// Tells what was asked for, or else what the machine reports, from now on.
    private func watchNetwork(for environment: PlayerEnvironment) -> NetworkWatch? {
        if let network = settings.network {
            environment.setNetwork(NetworkState(network))
            return nil
        }
        let watch = NetworkWatch(log: log)
        environment.setNetwork(watch.state)
        watch.start { environment.setNetwork($0) }
        return watch
    }

    // MARK: One source

    private func play(_ model: PlayerModel, on controller: PlayerController) {
        var model = model
        // The player itself ends there: asked from here, it would play on for as long as the asking takes.
        if settings.until == .firstFrame { model.endsAtFirstFrame = true }
        watch.expect()
        controller.configure(model)
        while true {
            switch watch.wait() {
            case .ended: return
            case .reached: controller.stop(.until)
            case .leftPaused:
                log.w("PlayRun", "paused for \(longestPause) and nothing has resumed it: playback is stopped")
                controller.stop()
            case .woken where isInterrupted.load(ordering: .sequentiallyConsistent): controller.stop(.interrupted)
            case .woken: continue
            }
        }
    }
}
