// SPDX-License-Identifier: Apache-2.0

public import MediaCore
public import PlayerRuntime
public import Sessions
internal import Synchronization

/// Hears from the built-in `first-frame` strategy of a controller how long the first frame took.
///
/// Thread: the delivery queue of the controller, one call at a time.
public protocol FirstFrameStrategyDelegate: AnyObject, Sendable {
    /// The first frame of a session was rendered. Once a session; the parts are nil if their beginning was not seen.
    func firstFrameStrategy(
        _ strategy: FirstFrameStrategy, didRenderFirstFrameWithPrepareTime prepareTime: Duration?,
        renderTime: Duration?, totalTime: Duration)
}

/// Time to first frame of a controller's sessions, as its built-in `first-frame` strategy reports it.
///
/// Thread: any. It tells from its creation on, as long as it is held.
public final class FirstFrameStrategy: ReportObserver, Sendable {
    /// The first frame of one session.
    public struct FirstFrame: Hashable, Sendable {
        public var session: SessionID
        /// From the request of the source to prepared.
        public var prepareTime: Duration?
        /// From prepared to the first frame.
        public var renderTime: Duration?
        public var totalTime: Duration
    }

    /// The name of the strategy whose reports it reads.
    public static let strategyName = SessionReport.BuiltIn.firstFrame.instance

    private struct State {
        weak var delegate: (any FirstFrameStrategyDelegate)?
        var told: SessionID?
    }

    private let state = Mutex(State())
    private let broadcast = Broadcast<FirstFrame>()

    public init(controller: PlayerController) {
        controller.addReportObserver(self)
    }

    /// Held weakly.
    public var delegate: (any FirstFrameStrategyDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// A new stream of first frames from now on, until the controller is destroyed.
    public var firstFrames: AsyncStream<FirstFrame> { broadcast.stream }

    public func strategyDidReport(_ entry: ReportEntry, instance: String) {
        guard instance == FirstFrameStrategy.strategyName, entry.name == "first_frame",
            let total = entry.duration("total_ms")
        else { return }
        // The record comes again with the first audio.
        let delegate = state.withLock { state -> (any FirstFrameStrategyDelegate)?? in
            guard state.told != entry.session else { return nil }
            state.told = entry.session
            return .some(state.delegate)
        }
        guard let delegate else { return }
        let frame = FirstFrame(
            session: entry.session, prepareTime: entry.duration("prepare_ms"), renderTime: entry.duration("render_ms"),
            totalTime: total)
        delegate?.firstFrameStrategy(
            self, didRenderFirstFrameWithPrepareTime: frame.prepareTime, renderTime: frame.renderTime,
            totalTime: total)
        broadcast.send(frame)
    }

    public func strategiesDidFinish(_ session: SessionID) {}

    public func strategiesDidEnd() {
        broadcast.finish()
    }
}
