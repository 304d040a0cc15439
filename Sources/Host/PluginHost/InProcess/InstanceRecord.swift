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
        /// Of each fault of the status.
        var files: [FaultFile?] = []
        var unlisted = 0
        var lastFault: StrategyStatus.Fault?
        var isOver = false
    }

    private let state = Mutex(State())
    private let health: PluginHealth?
    private let options: [PluginOption]

    /// - Parameters:
    ///   - health: where its faults are remembered; nil: nowhere.
    ///   - options: what it runs with, for its quarantine.
    init(health: PluginHealth? = nil, options: [PluginOption] = []) {
        self.health = health
        self.options = options
    }

    /// Whether the instance ended: it failed for good or was destroyed.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// What was recorded last; nil if nothing went wrong.
    var lastFault: StrategyStatus.Fault? { state.withLock { $0.lastFault } }

    var status: InstanceStatus {
        state.withLock { state in
            var status = state.status
            for (index, file) in state.files.enumerated() { status.faults[index].report = file?.path }
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
    /// - Parameters:
    ///   - isFinal: whether the instance is never called again; it is shown as quarantined, or refused.
    ///   - file: that tells of it already; nil: one is made.
    func add(_ fault: StrategyStatus.Fault, isFinal: Bool, file: FaultFile? = nil) {
        let isKept = state.withLock { $0.status.faults.count < InstanceRecord.maxFaults } || isFinal
        let file = file ?? (isKept ? health?.file(of: fault) : nil)
        let isQuarantined = state.withLock { state in
            state.lastFault = fault
            if state.status.faults.count < InstanceRecord.maxFaults {
                state.status.faults.append(fault)
                state.files.append(file)
            } else {
                state.unlisted += 1
            }
            guard isFinal, !state.isOver else { return false }
            state.isOver = true
            state.status.health = fault.kind == .refused ? .refused : .quarantined
            return state.status.health == .quarantined
        }
        if isQuarantined { health?.quarantine(for: fault, options: options, file: file) }
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
