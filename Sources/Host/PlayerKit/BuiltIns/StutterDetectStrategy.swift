// SPDX-License-Identifier: Apache-2.0

public import MediaCore
public import PlayerRuntime
public import Sessions
internal import Synchronization

/// Hears from the built-in `stutter-detect` strategy of a controller.
///
/// Thread: the delivery queue of the controller, one call at a time.
public protocol StutterDetectStrategyDelegate: AnyObject, Sendable {
    /// A stutter ended.
    func stutterDetectStrategy(_ strategy: StutterDetectStrategy, didStutter duration: Duration)
    /// A session ended. `stayDuration` is nil if it was never prepared.
    func stutterDetectStrategy(
        _ strategy: StutterDetectStrategy, didAnalyzeSession stayDuration: Duration?, validPlayDuration: Duration,
        totalStutterDuration: Duration, stutterCount: Int)
}

/// Stutters of a controller's sessions, as its built-in `stutter-detect` strategy reports them.
///
/// Thread: any. It tells from its creation on, as long as it is held.
public final class StutterDetectStrategy: ReportObserver, Sendable {
    /// One stutter.
    public struct Stutter: Hashable, Sendable {
        public var session: SessionID
        /// From the request of the source to its begin; nil if the request was not seen.
        public var start: Duration?
        public var duration: Duration
    }

    /// The figures of one session.
    public struct Analysis: Hashable, Sendable {
        public var session: SessionID
        /// A shorter loading is no stutter.
        public var stutterThreshold: Duration
        /// From prepared to the end; nil if it was never prepared.
        public var stayDuration: Duration?
        /// Time that was played, without loading.
        public var validPlayDuration: Duration
        public var totalStutterDuration: Duration
        public var stutterCount: Int
    }

    /// The name of the strategy whose reports it reads.
    public static let strategyName = SessionReport.BuiltIn.stutter.instance

    private struct State {
        weak var delegate: (any StutterDetectStrategyDelegate)?
        /// Of the newest session, as far as it was told.
        var current: Analysis?
    }

    private let state = Mutex(State())
    private let stutterBroadcast = Broadcast<Stutter>()
    private let analysisBroadcast = Broadcast<Analysis>()

    public init(controller: PlayerController) {
        controller.addReportObserver(self)
    }

    /// Held weakly.
    public var delegate: (any StutterDetectStrategyDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// The figures of the current session, or of the last one; nil before the first report.
    public var analysis: Analysis? { state.withLock { $0.current } }
    /// Stutters of the current session, or of the last one.
    public var stutterCount: Int { analysis?.stutterCount ?? 0 }
    /// Their time in all.
    public var totalStutterDuration: Duration { analysis?.totalStutterDuration ?? .zero }

    /// A new stream of stutters from now on, until the controller is destroyed.
    public var stutters: AsyncStream<Stutter> { stutterBroadcast.stream }
    /// A new stream of the figures of sessions that end from now on, until the controller is destroyed.
    public var analyses: AsyncStream<Analysis> { analysisBroadcast.stream }

    public func strategyDidReport(_ entry: ReportEntry, instance: String) {
        guard instance == StutterDetectStrategy.strategyName else { return }
        switch (entry.kind, entry.name) {
        case (.record, "stutter"):
            if let analysis = Analysis(entry) { state.withLock { $0.current = analysis } }
        case (.occurrence, "stutters"):
            guard let duration = entry.duration("duration_ms") else { return }
            delegate?.stutterDetectStrategy(self, didStutter: duration)
            stutterBroadcast.send(
                Stutter(session: entry.session, start: entry.duration("start_ms"), duration: duration))
        default: break
        }
    }

    public func strategiesDidFinish(_ session: SessionID) {
        guard let analysis, analysis.session == session else { return }
        delegate?.stutterDetectStrategy(
            self, didAnalyzeSession: analysis.stayDuration, validPlayDuration: analysis.validPlayDuration,
            totalStutterDuration: analysis.totalStutterDuration, stutterCount: analysis.stutterCount)
        analysisBroadcast.send(analysis)
    }

    public func strategiesDidEnd() {
        stutterBroadcast.finish()
        analysisBroadcast.finish()
    }
}

extension StutterDetectStrategy.Analysis {
    /// nil if the record lacks a figure that it always has.
    fileprivate init?(_ entry: ReportEntry) {
        guard let threshold = entry.duration("threshold_ms"), let validPlay = entry.duration("valid_play_ms"),
            let total = entry.duration("total_ms"), let count = entry.int("count")
        else { return nil }
        self.init(
            session: entry.session, stutterThreshold: threshold, stayDuration: entry.duration("stay_ms"),
            validPlayDuration: validPlay, totalStutterDuration: total, stutterCount: count)
    }
}
