// SPDX-License-Identifier: Apache-2.0

public import MediaCore
public import PlayerRuntime
import Synchronization

/// A monitoring strategy that keeps the events it gets.
public final class FakeMonitor: MonitorStrategy {
    public let interest: EventMask
    private let name: String
    private let onEvents: (@Sendable ([PlayerEvent], ReportSink) throws -> Void)?
    private let received = Mutex<[PlayerEvent]>([])
    private let journal: Journal

    public init(
        _ name: String = "monitor", interest: EventMask = .all, journal: Journal = Journal(),
        onEvents: (@Sendable ([PlayerEvent], ReportSink) throws -> Void)? = nil
    ) {
        self.name = name
        self.interest = interest
        self.journal = journal
        self.onEvents = onEvents
    }

    /// Everything so far.
    public var events: [PlayerEvent] { received.withLock { $0 } }
    public var types: [EventType] { events.map(\.type) }

    public var strategyName: String { get throws { name } }
    public func strategyDidStart(_ context: StrategyContext) throws { journal.note("\(name) start") }
    public func strategyDidStop() throws { journal.note("\(name) stop") }
    public func strategyDidReset(_ context: StrategyContext) throws { journal.note("\(name) reset") }

    public func receive(_ events: [PlayerEvent], reports: ReportSink) throws {
        journal.note("\(name) receive")
        received.withLock { $0 += events }
        try onEvents?(events, reports)
    }

    public func finish(withinMilliseconds milliseconds: Int) -> Bool {
        journal.note("\(name) finish")
        return true
    }
}
