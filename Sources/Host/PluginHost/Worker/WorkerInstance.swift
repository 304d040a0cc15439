// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
internal import PluginABI
internal import Sessions
internal import Synchronization

/// One instance of a plugin in a worker: what both its user and the supervisor know of it.
///
/// Thread: any.
final class WorkerInstance: Sendable {
    /// Faults kept; more replace the last one, so the first and the newest are there.
    static let maxFaults = 32

    enum Phase: Sendable {
        /// Asked for; not yet made.
        case waiting
        case ready
        /// Destroyed, refused or dead.
        case ended
    }

    private struct State {
        var phase = Phase.waiting
        var status = InstanceStatus()
        var missedInRow = 0
    }

    /// Its number in the worker; never 0.
    let number: UInt32
    /// One of the two.
    let kind: PluginNote.Kinds
    let name: String
    let options: [PluginOption]
    /// Events of a monitor; always empty for a lifecycle strategy.
    let controller: ControllerID
    let backlog = EventBacklog()
    private let state = Mutex(State())
    private let log: HostServices.Log

    init(
        number: UInt32, kind: PluginNote.Kinds, name: String, options: [PluginOption], controller: ControllerID,
        log: @escaping HostServices.Log
    ) {
        self.number = number
        self.kind = kind
        self.name = name
        self.options = options
        self.controller = controller
        self.log = log
    }

    var phase: Phase { state.withLock { $0.phase } }
    var status: InstanceStatus { state.withLock { $0.status } }

    func becomeReady() {
        state.withLock { if $0.phase == .waiting { $0.phase = .ready } }
    }

    func update(_ change: (inout InstanceStatus) -> Void) {
        state.withLock { change(&$0.status) }
    }

    /// Writes a fault down; the instance goes on.
    func record(_ fault: StrategyStatus.Fault) {
        update { status in
            if status.faults.count < WorkerInstance.maxFaults {
                status.faults.append(fault)
            } else {
                status.faults[WorkerInstance.maxFaults - 1] = fault
            }
        }
        log(.warn, "\(name): \(fault.kind.rawValue) during \(fault.during): \(fault.detail)")
    }

    /// Ends it because of a fault. What waits in its backlog is lost and counted.
    func fail(_ fault: StrategyStatus.Fault, health: StrategyStatus.Health) {
        record(fault)
        update { $0.health = health }
        end()
    }

    /// Nothing reaches it any more.
    func end() {
        state.withLock { $0.phase = .ended }
        let lost = backlog.close()
        update { $0.eventsDropped += UInt64(lost) }
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
