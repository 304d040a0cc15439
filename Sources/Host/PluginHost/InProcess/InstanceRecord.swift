// SPDX-License-Identifier: Apache-2.0

internal import Sessions
import Synchronization

/// The status of one instance, and whether it may still be called.
///
/// Thread: any.
final class InstanceRecord: Sendable {
    /// Faults that are kept in words; what comes on top is counted.
    static let maxFaults = 16

    private struct State {
        var status = InstanceStatus()
        var unlisted = 0
        var lastFault: StrategyStatus.Fault?
        var isOver = false
    }

    private let state = Mutex(State())

    /// Whether the instance ended: it failed for good or was destroyed.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// What was recorded last; nil if nothing went wrong.
    var lastFault: StrategyStatus.Fault? { state.withLock { $0.lastFault } }

    var status: InstanceStatus {
        state.withLock { state in
            var status = state.status
            if state.unlisted > 0, let last = state.lastFault {
                status.faults.append(
                    StrategyStatus.Fault(
                        last.kind, during: last.during,
                        detail: "\(state.unlisted) more faults are not listed; the last one: \(last.detail)"))
            }
            return status
        }
    }

    func change(_ body: (inout InstanceStatus) -> Void) {
        state.withLock { body(&$0.status) }
    }

    /// Records a fault.
    ///
    /// - Parameter isFinal: whether the instance is never called again; it is shown as quarantined, or refused.
    func add(_ fault: StrategyStatus.Fault, isFinal: Bool) {
        state.withLock { state in
            state.lastFault = fault
            if state.status.faults.count < InstanceRecord.maxFaults {
                state.status.faults.append(fault)
            } else {
                state.unlisted += 1
            }
            guard isFinal, !state.isOver else { return }
            state.isOver = true
            state.status.health = fault.kind == .refused ? .refused : .quarantined
        }
    }

    /// Ends the instance without a fault.
    ///
    /// - Returns: false if it was over before.
    func end() -> Bool {
        state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
    }
}
