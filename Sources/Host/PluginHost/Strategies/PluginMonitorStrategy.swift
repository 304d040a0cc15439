// SPDX-License-Identifier: Apache-2.0

package import MediaCore
package import PlayerRuntime
package import Sessions
import Synchronization

/// A monitoring strategy whose code is a plugin, behind the protocol that native ones implement.
///
/// The instance is made at start and ended at stop, so one strategy serves one controller's manager.
package final class PluginMonitorStrategy: MonitorStrategy, StatusReporting {
    /// How far delivery may run ahead of the plugin where nothing may be lost.
    private static let losslessWindow = 2048

    private struct State {
        var instance: (any MonitorInstance)?
        /// The instance that has been ended, whose status may still come.
        var ended: (any MonitorInstance)?
        var startFault: StrategyStatus.Fault?
        var undelivered = 0
    }

    private let plugin: HostedPlugin
    private let name: String
    private let options: [PluginOption]
    private let isLossless: Bool
    private let mayAct: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isLossless: wait for the plugin rather than drop events; for virtual time and replay, where no playback suffers.
    ///   - mayAct: whether the user lets it act on its controller; its note must ask for that as well.
    package init(
        plugin: HostedPlugin, name: String, options: [PluginOption], isLossless: Bool, mayAct: Bool = false
    ) {
        self.plugin = plugin
        self.name = name
        self.options = options
        self.isLossless = isLossless
        self.mayAct = mayAct
    }

    package var strategyName: String { name }

    package func strategyDidStart(_ context: StrategyContext) throws {
        let controller = try context.controller
        let asksForActions = plugin.note.capabilities.contains(.actions)
        if asksForActions { controller.admitActions() }
        let actions = ActionPort(instance: name, isGranted: asksForActions && mayAct) { [weak controller] in
            controller?.act($0, isGranted: $1)
        }
        try start(controller: controller.id, actions: actions)
    }

    /// Makes the instance for a controller that exists only in a log: it may ask for everything, and nothing is done.
    package func startReplaying(controller: ControllerID) throws {
        try start(controller: controller, actions: ActionPort(instance: name, isGranted: true) { _, _ in })
    }

    private func start(controller: ControllerID, actions: ActionPort) throws {
        do {
            let instance = try plugin.place().makeMonitor(
                name: name, options: options, controller: controller, actions: actions)
            state.withLock {
                $0.instance = instance
                $0.undelivered = 0
            }
        } catch {
            let fault = StrategyStatus.Fault(starting: error)
            state.withLock { $0.startFault = fault }
            throw error
        }
    }

    package func strategyDidStop() {
        guard let instance = state.withLock({ $0.instance }) else { return }
        instance.destroy()
        state.withLock {
            $0.ended = instance
            $0.instance = nil
        }
    }

    /// A plugin learns of a new source from events; nothing of it has to be made again.
    package func strategyDidReset(_ context: StrategyContext) {}

    package var interest: EventMask {
        state.withLock { $0.instance }?.interest ?? EventMask()
    }

    package func receive(_ events: [PlayerEvent], reports: ReportSink) {
        guard let instance = state.withLock({ $0.instance }) else { return }
        guard isLossless else { return instance.deliver(events, reports: reports) }
        var rest = events[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Self.losslessWindow))
            rest = rest.dropFirst(part.count)
            let mustWait = state.withLock { state in
                let isFull = state.undelivered + part.count > Self.losslessWindow
                state.undelivered = isFull ? part.count : state.undelivered + part.count
                return isFull
            }
            if mustWait { _ = instance.finish(withinMilliseconds: CallDeadlines.longestFinish) }
            instance.deliver(part, reports: reports)
        }
    }

    package func finish(withinMilliseconds milliseconds: Int) -> Bool {
        state.withLock { $0.instance }?.finish(withinMilliseconds: milliseconds) ?? true
    }

    package var status: StrategyStatus {
        let (instance, startFault) = state.withLock { ($0.instance ?? $0.ended, $0.startFault) }
        var status = plugin.status(name: name, kind: .monitor, instance: instance?.status ?? InstanceStatus())
        if let startFault {
            status.faults.insert(startFault, at: 0)
            status.health = startFault.healthAtStart
        }
        return status
    }
}
