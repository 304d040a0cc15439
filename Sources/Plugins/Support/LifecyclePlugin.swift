// SPDX-License-Identifier: Apache-2.0

/// A lifecycle strategy: one instance a pool, asked for one decision at a time.
///
/// Thread: one call at a time per instance, on any thread. Throwing means the default decision and a fault.
public protocol LifecyclePlugin: AnyObject {
    init(options: PluginOptions) throws

    /// Answers from the request alone, in 25 ms.
    ///
    /// - Returns: nil to take the host's default decision, as for questions it does not know.
    func decide(_ request: PluginPoolRequest) throws -> PluginPoolDecision?
}
