// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// A plugin in this process: direct calls behind FaultGuard.
///
/// Built-ins are called inline, on the caller's thread. A stranger's instance has a lane: a thread of its own, which is abandoned
/// if a call does not come back. Contained are wrong answers, error codes, exceptions and hangs of a lane; a crash is not.
///
/// Thread: any.
package final class InProcessPlace: PluginPlace {
    private let library: PluginLibrary
    private let origin: LoadPolicy.Origin
    private let deadlines: CallDeadlines
    private let health: PluginHealth?

    /// Loads the plugin, or takes the library that the same file was loaded as.
    ///
    /// - Parameters:
    ///   - health: where its faults are remembered; nil: nowhere.
    ///   - log: where the plugin's log lines go.
    /// - Throws: what is wrong with the file, the entry or the table. A stranger that does not come back in time is refused too.
    package init(
        _ file: PluginFile, deadlines: CallDeadlines = CallDeadlines(), health: PluginHealth? = nil,
        log: @escaping HostServices.Log
    ) throws(PluginError) {
        origin = file.origin
        self.deadlines = deadlines
        self.health = health
        library = try LibraryCatalog.shared.library(
            for: file, milliseconds: deadlines.load,
            journal: file.origin == .stranger ? health?.makeJournalEntry : nil, log: log)
    }

    /// - Throws: `PluginError` if a built-in refuses; what a stranger's lane finds out later is in the status.
    package func makeMonitor(
        name: String, options: [PluginOption], controller: ControllerID, actions: ActionPort
    ) throws -> any MonitorInstance {
        if origin == .builtIn {
            return try InlineMonitor(
                library: library, name: name, options: options, controller: controller, actions: actions,
                deadlines: deadlines, health: health)
        }
        return LaneMonitor(
            library: library, name: name, options: options, controller: controller, actions: actions,
            deadlines: deadlines, health: health)
    }

    /// - Throws: as `makeMonitor`.
    package func makeLifecycle(name: String, options: [PluginOption]) throws -> any LifecycleInstance {
        if origin == .builtIn {
            return try InlineLifecycle(
                library: library, name: name, options: options, deadlines: deadlines, health: health)
        }
        return LaneLifecycle(library: library, name: name, options: options, deadlines: deadlines, health: health)
    }

    package var sandbox: Sandbox? { nil }

    /// Destroying an instance has waited for it, or given it up.
    package func waitUntilEnded(withinMilliseconds milliseconds: Int) -> Bool { true }
}
