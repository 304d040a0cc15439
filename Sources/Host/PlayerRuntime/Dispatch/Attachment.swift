// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A sink at one controller, and whether it may be called.
///
/// Thread: any, as each method says.
final class Attachment: Sendable {
    private enum Condition: UInt8, AtomicRepresentable {
        case idle
        case called
        /// Called, and somebody waits for the end of that call, the last.
        case detaching
        case detached
    }

    let sink: any EventSink
    let stage: EventStage
    /// Whether it is told first what it missed.
    let isLate: Bool
    private let condition = Atomic<Condition>(.idle)

    init(_ sink: any EventSink, stage: EventStage, isLate: Bool) {
        self.sink = sink
        self.stage = stage
        self.isLate = isLate
    }

    /// Calls the sink, unless it was detached. Thread: the dispatcher's.
    ///
    /// - Returns: whether somebody waits for the end of this call.
    func call(_ body: (any EventSink) -> Void) -> Bool {
        guard change(.idle, to: .called) else { return false }
        body(sink)
        if change(.called, to: .idle) { return false }
        condition.store(.detached, ordering: .sequentiallyConsistent)
        return true
    }

    /// Lets the sink be called no more; a call that it is in goes on until `isDetached`. Thread: any, once.
    func detach() {
        while !change(.idle, to: .detached), !change(.called, to: .detaching) {}
    }

    /// Whether the sink is not called any more.
    var isDetached: Bool { condition.load(ordering: .sequentiallyConsistent) == .detached }

    private func change(_ from: Condition, to next: Condition) -> Bool {
        condition.compareExchange(expected: from, desired: next, ordering: .sequentiallyConsistent).exchanged
    }
}
