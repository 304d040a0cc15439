// SPDX-License-Identifier: Apache-2.0

public import MediaCore
internal import Synchronization

/// A strategy that hears the controller's notifications between start and stop. Subclasses override what they need.
///
/// A subclass must override `strategyName`, and must call super where it overrides start, stop or reset.
///
/// Thread: start, stop, reset and `resetInternalState` on the thread that drives the manager; notifications on the
/// delivery queue.
// Unchecked: `current` is guarded by its lock; a subclass guards its own state, as any Sendable class does.
open class BaseStrategy: StrategyProtocol, PlayerNotificationDelegate, @unchecked Sendable {
    private let current = Mutex<StrategyContext?>(nil)

    public init() {}

    /// Unique within a manager.
    open var strategyName: String {
        get throws { throw StrategyError.unnamed(String(describing: type(of: self))) }
    }

    /// The context; nil unless the strategy runs.
    public final var context: StrategyContext? { current.withLock { $0 } }

    /// Forget what belonged to the former source: counters, sums, pending decisions.
    open func resetInternalState() {}

    open func strategyDidStart(_ context: StrategyContext) throws {
        current.withLock { $0 = context }
        try context.controller.addNotificationDelegate(self)
    }

    open func strategyDidStop() throws {
        if let controller = try? context?.controller { controller.removeNotificationDelegate(self) }
        current.withLock { $0 = nil }
    }

    open func strategyDidReset(_ context: StrategyContext) throws {
        current.withLock { $0 = context }
        resetInternalState()
    }

    open func playerDidChangeState(_ state: PlayerState) {}
    open func playerDidPrepared(duration: MediaTime?) {}
    open func playerDidRenderFirstFrame() {}
    open func playerDidCompletion() {}
    open func playerDidUpdateCurrentPosition(
        _ position: MediaTime, duration: MediaTime?, bufferedPosition: MediaTime?
    ) {}
    open func playerDidEncounterError(_ error: PlayerError) {}
    open func playerDidChangeVideo(width: Int, height: Int) {}
    open func playerDidLoadingBegin() {}
    open func playerDidLoadingEnd() {}
    open func playerDidUpdateLoadingProgress(_ progress: Int) {}
    open func playerDidSeek(to position: MediaTime) {}
    open func playerDidTrackReady(_ tracks: [TrackInfo]) {}
    open func playerDidTrackChanged(_ track: TrackInfo) {}
}
