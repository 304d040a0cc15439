// SPDX-License-Identifier: Apache-2.0

package import MediaCore
internal import PlayerRuntime
internal import Synchronization

/// A plugin of a third party, run in child processes that it can crash or block without anybody else noticing.
///
/// The worker is started with the first instance and ends with the last; all instances share it. A worker that died is
/// started again until it has failed too often (`RestartPolicy`); then its instances are quarantined, and further ones are refused.
///
/// Thread: any.
package final class WorkerPlace: PluginPlace {
    private struct State {
        /// The process that instances are made in; nil if there is none.
        var process: UInt64?
        var instancesInProcess = 0
        var nextInstance: UInt32 = 1
    }

    private static let nextProcess = Atomic<UInt64>(1)

    let order: WorkerProcess.Order
    private let state = Mutex(State())

    /// - Parameters:
    ///   - health: where its faults are remembered; nil: nowhere.
    ///   - executable: as `WorkerExecutable.find` returns it.
    ///   - log: lines of the plugin and faults, on the supervisor's thread; the level is a `KIT_LOG_*` number.
    package init(
        _ file: PluginFile, grants: PluginGrants = PluginGrants(), health: PluginHealth? = nil, executable: String,
        deadlines: CallDeadlines = CallDeadlines(),
        restarts: RestartPolicy = RestartPolicy(),
        log: @escaping HostServices.Log
    ) {
        order = WorkerProcess.Order(
            executable: executable, file: file, grants: grants, deadlines: deadlines, log: log, record: WorkerRecord(),
            restarts: restarts, health: health)
    }

    package func makeMonitor(
        name: String, options: [PluginOption], controller: ControllerID, actions: ActionPort
    ) throws -> any MonitorInstance {
        let (instance, process) = try make(.monitor, name, options, controller, actions)
        return WorkerMonitor(place: self, instance: instance, process: process)
    }

    package func makeLifecycle(name: String, options: [PluginOption]) throws -> any LifecycleInstance {
        let (instance, process) = try make(.lifecycle, name, options, ControllerID(rawValue: 0), nil)
        return WorkerLifecycle(place: self, instance: instance, process: process)
    }

    package var sandbox: Sandbox? { order.record.sandbox }

    /// Waits until every worker of the plugin has ended, which the last `destroy` brings about.
    ///
    /// - Parameter milliseconds: real time; twice the destroy budget and a second are always enough.
    /// - Returns: false if it did not manage in time.
    package func waitUntilEnded(withinMilliseconds milliseconds: Int) -> Bool {
        order.record.waitUntilEnded(milliseconds: milliseconds)
    }

    private func make(
        _ kind: PluginNote.Kinds, _ name: String, _ options: [PluginOption], _ controller: ControllerID,
        _ actions: ActionPort?
    ) throws(PluginError) -> (WorkerInstance, process: UInt64) {
        guard order.file.kinds.contains(kind) else {
            let word = kind == .monitor ? "monitor" : "lifecycle strategy"
            throw PluginError(
                .create, path: order.file.path, "\(name): \(order.file.path) is no \(word)",
                hint: "kitshell plugin inspect shows what it is.")
        }
        if let failure = order.record.failure {
            throw PluginError(
                .worker, path: order.file.path, "\(name): the worker of \(order.file.path) has failed before",
                hint: "Mend the plugin and start again.", cause: failure)
        }
        let (number, process, isNew) = state.withLock { state in
            let isNew = state.process == nil
            let process = state.process ?? WorkerPlace.nextProcess.wrappingAdd(1, ordering: .relaxed).newValue
            state.process = process
            state.instancesInProcess += 1
            defer { state.nextInstance += 1 }
            return (state.nextInstance, process, isNew)
        }
        let instance = WorkerInstance(
            number: number, kind: kind, name: name, options: options, controller: controller, actions: actions,
            health: order.health, log: order.log)
        if isNew { order.record.processBegins() }
        WorkerSupervisor.shared.run { [order] loop in
            if isNew {
                loop.start(WorkerProcess(key: process, order: order), with: instance)
            } else {
                loop.create(instance, in: process, order.record)
            }
        }
        return (instance, process)
    }

    /// Ends an instance; the last one of a process ends that too.
    func destroy(_ instance: WorkerInstance, process: UInt64) {
        let isLast = state.withLock { state in
            guard state.process == process else { return false }
            state.instancesInProcess -= 1
            guard state.instancesInProcess == 0 else { return false }
            state.process = nil
            return true
        }
        instance.end()
        WorkerSupervisor.shared.run { loop in
            guard let process = loop.process(process) else { return }
            process.destroy(instance)
            if isLast { process.stopWhenIdle() }
        }
    }
}
