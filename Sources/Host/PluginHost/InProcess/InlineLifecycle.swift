// SPDX-License-Identifier: Apache-2.0

internal import PlayerRuntime

/// A built-in lifecycle strategy: called on the thread that uses the pool.
///
/// Thread: decide and destroy one at a time, as the pool's tickets ensure; status any.
final class InlineLifecycle: LifecycleInstance {
    private let record: InstanceRecord
    // The caller keeps to one call at a time, which is what the calls need.
    nonisolated(unsafe) private let calls: LifecycleCalls

    /// Makes the instance.
    ///
    /// - Throws: `PluginError` if the plugin refuses.
    init(
        library: PluginLibrary, name: String, options: [PluginOption], deadlines: CallDeadlines, health: PluginHealth?
    ) throws(PluginError) {
        record = InstanceRecord(health: health, options: options)
        let instance = PluginInstance(
            library: library, name: name, record: record, deadlines: deadlines, watch: nil)
        unsafe calls = LifecycleCalls(instance: instance)
        unsafe calls.create(options: options)
        if let refusal = PluginError(creating: name, library: library, record: record) { throw refusal }
    }

    func decide(_ request: PoolRequest) throws -> PoolDecision? {
        do {
            let decision = try unsafe calls.decide(request)
            if decision == nil { record.change { $0.defaultsUsed += 1 } }
            return decision
        } catch {
            record.change { $0.defaultsUsed += 1 }
            throw error
        }
    }

    /// It is made on the caller's thread.
    func waitUntilStarted(withinMilliseconds milliseconds: Int) -> Bool { true }

    func destroy() {
        unsafe calls.destroy()
    }

    var status: InstanceStatus { record.status }
}
