// SPDX-License-Identifier: Apache-2.0

package import MediaCore
package import PlayerRuntime
package import Sessions

/// One accepted plugin file, loaded in one place: this process or a worker. Makes the instances that strategies are built on.
///
/// Thread: any.
package protocol PluginPlace: AnyObject, Sendable {
    /// Makes a monitor instance. Returns at once; what goes wrong later shows in its status.
    ///
    /// - Parameter actions: where it asks for actions.
    func makeMonitor(
        name: String, options: [PluginOption], controller: ControllerID, actions: ActionPort
    ) throws -> any MonitorInstance
    /// Makes a lifecycle instance. Returns at once; until it is ready, decisions are declined with a fault.
    func makeLifecycle(name: String, options: [PluginOption]) throws -> any LifecycleInstance
    /// How far the plugin is kept in; nil where it is not, or as long as nobody knows.
    var sandbox: Sandbox? { get }
    /// Waits until what instances that were destroyed still had to do has been done or given up, real time; their status is then final.
    ///
    /// - Returns: false if the time was over before.
    func waitUntilEnded(withinMilliseconds milliseconds: Int) -> Bool
}

/// A monitor instance of a plugin.
package protocol MonitorInstance: AnyObject, Sendable {
    /// Which events it wants; `.all` until the plugin has told.
    var interest: EventMask { get }
    /// Hands over events; never waits for the plugin. What finds no room is dropped and counted.
    ///
    /// Thread: one at a time.
    func deliver(_ events: [PlayerEvent], reports: ReportSink)
    /// Waits until all that was delivered has been handled, real time.
    func finish(withinMilliseconds milliseconds: Int) -> Bool
    /// Ends the instance; never waits longer than the plugin's destroy budget.
    func destroy()
    var status: InstanceStatus { get }
}

/// A lifecycle instance of a plugin.
package protocol LifecycleInstance: AnyObject, Sendable {
    /// Asks for one decision; nil is a decline. A throw has been recorded in the status.
    func decide(_ request: PoolRequest) throws -> PoolDecision?
    /// Waits until it can be asked or is known never to be, real time.
    ///
    /// - Returns: false if the time was over before.
    func waitUntilStarted(withinMilliseconds milliseconds: Int) -> Bool
    func destroy()
    var status: InstanceStatus { get }
}

/// How an instance fares: the part of `StrategyStatus` that the place knows.
package struct InstanceStatus: Sendable {
    package var health = StrategyStatus.Health.running
    package var faults: [StrategyStatus.Fault] = []
    package var calls: UInt64 = 0
    package var eventsDelivered: UInt64 = 0
    package var eventsDropped: UInt64 = 0
    package var defaultsUsed: UInt64 = 0
    /// Reports that were refused: for their grammar, a limit, or a session or moment that is not theirs.
    package var reportsCut: UInt64 = 0

    package init() {}

    /// What the log says of the reports that were cut; nil if none were.
    var cutLine: String? {
        guard reportsCut > 0 else { return nil }
        return "\(reportsCut) reports were cut: bad, too many, too large, or of no session it was given"
    }
}

/// One option, checked against the plugin's option note, as `kit_option_v1` has it.
package struct PluginOption: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        case int(Int64)
        case double(Double)
        case string(String)
        case flag(Bool)
        /// Microseconds.
        case duration(Int64)
    }

    package var key: String
    package var value: Value

    package init(_ key: String, _ value: Value) {
        self.key = key
        self.value = value
    }
}
