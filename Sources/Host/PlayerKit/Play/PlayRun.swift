// SPDX-License-Identifier: Apache-2.0

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
        _ settings: PlaySettings, configuration: Configuration = Configuration(), catalog: PluginCatalog, log: LogHub,
        onEvent: (@Sendable (PlayerEvent) -> Void)? = nil
    ) throws(SelectionError) {
        self.settings = settings
        self.log = log
        plan = try StrategyPlan(
            settings.strategies, configuration: configuration, catalog: catalog,
            defaultMonitors: BuiltinMonitors.standard)
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
        let stage = RunStage(
            RunStage.Equipment(
                plan: plan, log: log, clock: clock, factory: LibAVPlayerFactory(clock: clock, sinks: sinks(results)),
                isLossless: settings.isVirtualTime, network: settings.network, recorder: recorder, results: results,
                onSession: { [watch] in watch.sessionEnded($0.session) }))
        let controller = stage.controller
        stage.environment.dispatcher.attach(watch, stage: .notification, to: controller.id)
        controller.setRate(settings.playback.rate)
        controller.setLoop(settings.playback.loop)
        controller.setMuted(settings.playback.isMuted)
        controller.setVolume(settings.playback.volume)
        for model in settings.models {
            if isInterrupted.load(ordering: .sequentiallyConsistent) { break }
            play(model, on: controller)
            results.note(controller.strategyManager.statuses)
        }
        return (stage.end(), results.outputFailures)
    }

    private func sinks(_ results: RunResults) -> SinkFactory {
        .files(pictures: settings.pictures, sound: settings.sound, frameHashes: settings.frameHashes) {
            results.append(outputFailure: $0)
        }
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
