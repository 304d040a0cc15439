// SPDX-License-Identifier: Apache-2.0

public import MediaCore
internal import PlayerEngine
internal import PlayerRuntime
package import PluginHost
internal import Sessions
internal import Synchronization

/// Plays a list of sources as a feed of short videos, in real time, and tells what swiping through it was like.
///
/// Each swipe configures the one controller with the next item and then announces what is near it.
///
/// Thread: `run` once, on the caller's thread, which it blocks; `interrupt` any.
public final class FeedRun: Sendable {
    /// What plays and how time passes.
    package struct Surroundings: Sendable {
        package var clock: any EventClock
        /// Makes the players, on that clock.
        package var factory: any PlayerFactory
        /// Takes the time in which an item is watched, by its position in the run; nil: real time, which an interrupt cuts short.
        package var watching: (@Sendable (Int) -> Void)?

        package init(
            clock: any EventClock, factory: any PlayerFactory, watching: (@Sendable (Int) -> Void)? = nil
        ) {
            self.clock = clock
            self.factory = factory
            self.watching = watching
        }
    }

    /// How far a run is.
    public struct Progress: Sendable {
        /// Counts from 0, which is the start.
        public var position: Int
        /// How often one swipes in all.
        public var swipeCount: Int
        /// The name of the strategy that decides.
        public var strategy: String
        /// As people may see it.
        public var source: String
    }

    private let settings: FeedSettings
    private let plan: StrategyPlan
    private let log: LogHub
    private let surroundings: Surroundings
    private let onItem: (@Sendable (Progress) -> Void)?
    private let recorder: RunRecorder?
    /// What the strategy is to keep, if it has such an option and nothing else is set.
    private let poolSize: Int64
    private let isInterrupted = Atomic<Bool>(false)
    private let gate = Gate()

    /// Resolves the strategies. No byte of a plugin has run when this returns.
    ///
    /// - Parameters:
    ///   - surroundings: nil: the kit's own players, in real time.
    ///   - onItem: called before each item is asked for, on the thread of the run.
    /// - Throws: `SelectionError` if the strategies cannot be had as selected.
    package init(
        _ settings: FeedSettings, configuration: Configuration = Configuration(), catalog: PluginCatalog, log: LogHub,
        surroundings: Surroundings? = nil,
        onItem: (@Sendable (Progress) -> Void)? = nil
    ) throws(SelectionError) {
        precondition(!settings.models.isEmpty, "a feed has at least one item")
        self.settings = settings
        self.log = log
        self.onItem = onItem
        poolSize = settings.strategies.poolSize ?? Int64(2 * settings.window + 1)
        var selection = settings.strategies
        selection.poolSize = poolSize
        plan = try StrategyPlan(
            selection, configuration: configuration, catalog: catalog, defaultMonitors: BuiltinMonitors.standard)
        self.surroundings = surroundings ?? FeedRun.realSurroundings
        recorder = settings.record.map { RunRecorder($0, isBuffered: false) }
    }

    private static var realSurroundings: Surroundings {
        let clock = MonotonicClock()
        return Surroundings(clock: clock, factory: LibAVPlayerFactory(clock: clock))
    }

    /// Ends the item that plays and the run with it; what was seen so far is reported.
    public func interrupt() {
        isInterrupted.store(true, ordering: .sequentiallyConsistent)
        gate.signal()
    }

    /// Plays the feed.
    ///
    /// - Returns: the report, and what kept outputs from being complete.
    public func run() -> (report: FeedReport, outputFailures: [PlayerError]) {
        let results = RunResults(observer: nil, keepsTraces: false)
        let ledger = FeedLedger()
        let stage = RunStage(
            RunStage.Equipment(
                plan: plan, log: log, clock: surroundings.clock, factory: surroundings.factory,
                network: settings.network, recorder: recorder, results: results, onOperation: ledger.note))
        let controller = stage.controller
        // What is not swiped away begins again, as feeds have it.
        controller.setLoop(.forever)
        let begun = surroundings.clock.now()
        // The size is the feed's own, so a log of it has to tell another pool, also where this one has no size.
        if let size = stage.pool.maxPoolSize {
            stage.pool.setMaxPoolSize(size)
        } else {
            recorder?.note(PoolRecord(.resize(poolSize), at: begun))
        }
        for position in 0...settings.swipeCount {
            if hasToEnd { break }
            ledger.begin()
            let model = settings.model(at: position)
            onItem?(
                Progress(
                    position: position, swipeCount: settings.swipeCount, strategy: strategy,
                    source: model.videoSource.displayName))
            controller.configure(model)
            // Of the wish, whatever asking took, so that a picture which did not come was late by no less.
            let asked = ledger.asked ?? surroundings.clock.now()
            controller.announce(upcoming: settings.ahead(of: position), behind: settings.behind(position))
            watch(position, since: asked)
        }
        let lasted = surroundings.clock.now() - begun
        let decisions = ledger.decisions
        controller.stop(hasToEnd ? .interrupted : .user)
        // What is ready and will not be played is given up now, so that its sessions are over when the report is made.
        controller.announce(upcoming: [])
        let (maxPoolSize, peak) = (stage.pool.maxPoolSize, ResidentMemory.peak)
        let report = FeedReport(
            stage.end(), strategy: strategy, controller: controller.id, decisions: decisions,
            swipeEvery: settings.swipeEvery.wholeMicroseconds, lasted: lasted, maxPoolSize: maxPoolSize,
            peakResidentBytes: peak, isInterrupted: hasToEnd)
        return (report, results.outputFailures)
    }

    /// The one that was asked for; the default decides in place of one that cannot be started.
    private var strategy: String { plan.lifecycle?.name ?? settings.strategies.lifecycle ?? "default" }

    private var hasToEnd: Bool { isInterrupted.load(ordering: .sequentiallyConsistent) }

    private func watch(_ position: Int, since asked: EventTime) {
        if let watching = surroundings.watching { return watching(position) }
        let left = settings.swipeEvery.wholeMicroseconds - (surroundings.clock.now() - asked)
        _ = gate.wait(milliseconds: Int(max(0, (left + 999) / 1000))) { hasToEnd }
    }
}
