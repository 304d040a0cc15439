// SPDX-License-Identifier: Apache-2.0

public import PlayerRuntime
import Synchronization

/// What a fake strategy or policy throws when it is told to.
public struct FakeFailure: Error, Equatable {
    public init() {}
}

/// A strategy that notes its calls in a journal, which several may share, and fails where it is told to.
public final class FakeStrategy: StrategyProtocol {
    public enum Call: String, Sendable, CaseIterable {
        case name
        case start
        case stop
        case reset
    }

    private let name: String
    private let journal: Journal
    private let failing: Set<Call>
    private let onStart: (@Sendable (StrategyContext) throws -> Void)?
    private let last = Mutex<StrategyContext?>(nil)

    public init(
        _ name: String, journal: Journal = Journal(), failing: Set<Call> = [],
        onStart: (@Sendable (StrategyContext) throws -> Void)? = nil
    ) {
        self.name = name
        self.journal = journal
        self.failing = failing
        self.onStart = onStart
    }

    /// The context of the last start or reset, kept longer than is right.
    public var context: StrategyContext? { last.withLock { $0 } }

    public var strategyName: String {
        get throws {
            if failing.contains(.name) { throw FakeFailure() }
            return name
        }
    }

    public func strategyDidStart(_ context: StrategyContext) throws {
        try enter(.start)
        last.withLock { $0 = context }
        try onStart?(context)
    }

    public func strategyDidStop() throws { try enter(.stop) }

    public func strategyDidReset(_ context: StrategyContext) throws {
        try enter(.reset)
        last.withLock { $0 = context }
    }

    private func enter(_ call: Call) throws {
        journal.note("\(name) \(call.rawValue)")
        if failing.contains(call) { throw FakeFailure() }
    }
}
