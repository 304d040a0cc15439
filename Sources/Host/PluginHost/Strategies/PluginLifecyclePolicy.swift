// SPDX-License-Identifier: Apache-2.0

package import PlayerRuntime
package import Sessions

/// A lifecycle strategy whose code is a plugin, behind the protocol that native policies implement.
package final class PluginLifecyclePolicy: LifecyclePolicy, StatusReporting {
    private let plugin: HostedPlugin
    private let instance: any LifecycleInstance
    package let policyName: String
    package let maxPoolSize: Int64?
    package let hardMax: Int64?
    package let idleTimeout: Duration?

    /// Makes the instance. Of its options the pool keeps to `max_pool_size`, `hard_max` (0: none) and `idle_timeout_ms` (0: never).
    ///
    /// - Throws: what the plugin's place throws if it cannot make one.
    package init(plugin: HostedPlugin, name: String, options: [PluginOption]) throws {
        self.plugin = plugin
        policyName = name
        maxPoolSize = PluginLifecyclePolicy.integer("max_pool_size", in: options)
        hardMax = PluginLifecyclePolicy.integer("hard_max", in: options).flatMap { $0 > 0 ? $0 : nil }
        idleTimeout = PluginLifecyclePolicy.duration("idle_timeout_ms", in: options)
        instance = try plugin.place().makeLifecycle(name: name, options: options)
    }

    deinit {
        instance.destroy()
    }

    package var takesOver: Bool { plugin.takesOver }
    package var bindsIDs: Bool { plugin.bindsIDs }

    package func decide(_ request: PoolRequest) throws -> PoolDecision? {
        try instance.decide(request)
    }

    /// Waits until the strategy can be asked or is known never to be. Who has nothing better to do waits `CallDeadlines.longestStart`
    /// before the first use of the pool: then it is the strategy that decides from the first request on, however slow its start.
    ///
    /// - Returns: false if the time, real, was over before.
    @discardableResult
    package func waitUntilStarted(withinMilliseconds milliseconds: Int) -> Bool {
        instance.waitUntilStarted(withinMilliseconds: milliseconds)
    }

    /// Ends the instance, which its owner's end does as well; later decisions are the pool's defaults.
    package func destroy() {
        instance.destroy()
    }

    package var status: StrategyStatus {
        plugin.status(name: policyName, kind: .lifecycle, instance: instance.status)
    }

    private static func integer(_ key: String, in options: [PluginOption]) -> Int64? {
        for case .int(let value) in options.filter({ $0.key == key }).map(\.value) { return value }
        return nil
    }

    private static func duration(_ key: String, in options: [PluginOption]) -> Duration? {
        for case .duration(let value) in options.filter({ $0.key == key }).map(\.value) where value > 0 {
            return .microseconds(value)
        }
        return nil
    }
}
