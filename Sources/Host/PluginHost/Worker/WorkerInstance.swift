// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
internal import Sessions
import Synchronization

/// One instance of a plugin in a worker: what both its user and the supervisor know of it.
///
/// Thread: any.
final class WorkerInstance: Sendable {
    enum Phase: Sendable {
        /// Asked for; not yet made, or not yet made again.
        case waiting
        case ready
        /// Destroyed, refused or dead.
        case ended
    }

    private struct State {
        var phase = Phase.waiting
        var missedInRow = 0
        /// After a fall, when it begins to be made again.
        var resumesAt: RealTime?
        /// Where it is asked for decisions, once it is ready.
        var decisions: DecisionPlace?
    }

    /// Its number in the worker; never 0.
    let number: UInt32
    /// One of the two.
    let kind: PluginNote.Kinds
    let name: String
    let options: [PluginOption]
    let controller: ControllerID
    /// nil for a lifecycle strategy.
    let actions: ActionPort?
    /// Events of a monitor; always empty for a lifecycle strategy.
    let backlog = EventBacklog()
    let record: InstanceRecord
    private let state = Mutex(State())
    private let started = Gate()
    private let log: HostServices.Log

    init(
        number: UInt32, kind: PluginNote.Kinds, name: String, options: [PluginOption], controller: ControllerID,
        actions: ActionPort?, health: PluginHealth?, log: @escaping HostServices.Log
    ) {
        self.number = number
        self.kind = kind
        self.name = name
        self.options = options
        self.controller = controller
        self.actions = actions
        self.log = log
        record = InstanceRecord(health: health, options: options)
    }

    var phase: Phase { state.withLock { $0.phase } }

    /// It fell with its worker, and is made again in the next one. What it had not handled is lost to it.
    ///
    /// - Parameters:
    ///   - file: that tells of the fault.
    ///   - moment: when that begins.
    func interrupt(by fault: StrategyStatus.Fault, _ file: FaultFile?, until moment: RealTime) {
        let isWanted = state.withLock { state in
            guard state.phase != .ended else { return false }
            state = State(phase: .waiting, resumesAt: moment)
            return true
        }
        if isWanted { record.change { $0.health = .backoff } }
        // Also one that has ended: it may have fallen as it was destroyed.
        add(fault, isFinal: false, file: file)
        if isWanted { backlog.drop() }
    }

    func becomeReady(_ decisions: DecisionPlace?) {
        let isWanted = state.withLock { state in
            guard state.phase == .waiting else { return false }
            state.phase = .ready
            state.decisions = decisions
            return true
        }
        if isWanted { record.change { if $0.health == .backoff { $0.health = .running } } }
        started.signal()
    }

    /// Whether it has fallen and will not be ready before `moment`.
    func isDown(until moment: RealTime) -> Bool {
        state.withLock { state in
            guard state.phase == .waiting, let resumesAt = state.resumesAt else { return false }
            return resumesAt >= moment
        }
    }

    /// nil unless it is ready.
    var decisions: DecisionPlace? { state.withLock { $0.phase == .ready ? $0.decisions : nil } }

    /// Waits until it is ready or has ended, real time.
    ///
    /// - Returns: false if the time was over before.
    func waitUntilStarted(milliseconds: Int) -> Bool {
        started.wait(milliseconds: milliseconds) { phase != .waiting }
    }

    /// Records a fault and logs it.
    ///
    /// - Parameters:
    ///   - isFinal: whether the instance is never called again.
    ///   - file: that tells of it already; nil: one is made.
    func add(_ fault: StrategyStatus.Fault, isFinal: Bool, file: FaultFile? = nil) {
        record.add(fault, isFinal: isFinal, file: file)
        log(.warn, "\(fault.kind.rawValue) during \(fault.during): \(fault.detail)")
    }

    /// Nothing reaches it any more; what waits for it is lost and counted.
    func end() {
        state.withLock { $0.phase = .ended }
        started.signal()
        backlog.close()
    }

    /// A decision did not come in time.
    ///
    /// - Returns: how many in a row.
    func missDecision() -> Int {
        state.withLock { state in
            state.missedInRow += 1
            return state.missedInRow
        }
    }

    func answerDecision() {
        state.withLock { $0.missedInRow = 0 }
    }
}
