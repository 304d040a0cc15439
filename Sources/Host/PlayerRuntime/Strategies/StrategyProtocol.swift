// SPDX-License-Identifier: Apache-2.0

public import MediaCore
public import Sessions

/// The contract of a strategy that accompanies one controller, native Swift and plugin alike.
///
/// Every member may throw; `StrategyManager` isolates each call, so a strategy that fails is recorded and the rest goes on.
///
/// Thread: one call at a time, on the thread that drives the manager. No lock of the host is held.
public protocol StrategyProtocol: AnyObject, Sendable {
    /// Unique within a manager; a second strategy of the same name replaces the first.
    var strategyName: String { get throws }
    /// Starts and binds to the context, which stays valid until `strategyDidStop`.
    func strategyDidStart(_ context: StrategyContext) throws
    /// Stops. The context is invalid afterwards.
    func strategyDidStop() throws
    /// The source was switched; forget what belonged to the former one.
    func strategyDidReset(_ context: StrategyContext) throws
}

/// A strategy that is fed the controller's events in batches, as plugins are.
///
/// Thread: `receive` is called by the dispatcher, one call at a time, between start and stop; it must return quickly. What
/// takes longer queues inside the strategy.
public protocol MonitorStrategy: StrategyProtocol {
    /// Which events it wants.
    var interest: EventMask { get }
    /// Handles events of the controller, in order. Only wanted ones; never empty.
    func receive(_ events: [PlayerEvent], reports: ReportSink) throws
    /// Waits until everything received so far has been handled and its reports have been emitted.
    ///
    /// - Parameter milliseconds: real time it may take.
    /// - Returns: false if it did not manage in time.
    func finish(withinMilliseconds milliseconds: Int) -> Bool
}

/// A strategy that can tell how it fares. What does not is described by its manager.
public protocol StatusReporting: AnyObject {
    /// A snapshot. Thread: any.
    var status: StrategyStatus { get }
}
