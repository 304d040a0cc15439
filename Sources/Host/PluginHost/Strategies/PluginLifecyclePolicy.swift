// SPDX-License-Identifier: Apache-2.0

package import PlayerRuntime
package import Sessions

/// A lifecycle strategy whose code is a plugin, behind the protocol that native policies implement.
package final class PluginLifecyclePolicy: LifecyclePolicy, StatusReporting {
    private let plugin: HostedPlugin
    private let instance: any LifecycleInstance
    package let policyName: String
    package let maxPoolSize: Int64?

    /// Makes the instance.
    ///
    /// - Throws: what the plugin's place throws if it cannot make one.
    package init(plugin: HostedPlugin, name: String, options: [PluginOption]) throws {
        self.plugin = plugin
        policyName = name
        maxPoolSize =
            options.lazy.compactMap { option -> Int64? in
                guard option.key == "max_pool_size", case .int(let value) = option.value else { return nil }
                return value
            }.first
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
}
