// SPDX-License-Identifier: Apache-2.0

internal import Sessions

/// A worker that is started to see whether it can be, with a strategy of the product in place of a stranger's.
package struct WorkerTrial: Sendable {
    /// Real time until its plugin could be asked; nil if it did not come to that.
    package var milliseconds: Double?
    /// How far it was kept in; nil if that is not known.
    package var sandbox: Sandbox?
    /// Why it cannot be used; nil if it can.
    package var failure: String?

    package init() {}

    /// Starts one and ends it. Blocks for some milliseconds, and for `CallDeadlines.longestStart` at most.
    ///
    /// - Parameter lifecycle: a lifecycle strategy that needs no options.
    package static func run(executable: String, lifecycle: PluginInspection) -> WorkerTrial {
        var trial = WorkerTrial()
        let begin = RealTime.now()
        do {
            let file = try PluginFile(lifecycle, origin: .stranger)
            let place = WorkerPlace(file, executable: executable) { _, _ in }
            let instance = try place.makeLifecycle(name: "doctor", options: [])
            let isInTime = instance.waitUntilStarted(withinMilliseconds: CallDeadlines.longestStart)
            let end = RealTime.now()
            trial.failure = instance.status.faults.first?.detail ?? (isInTime ? nil : "it did not come up in time")
            if trial.failure == nil { trial.milliseconds = Double(end.nanoseconds - begin.nanoseconds) / 1_000_000 }
            trial.sandbox = place.sandbox
            instance.destroy()
            _ = place.waitUntilEnded(withinMilliseconds: CallDeadlines.longestStart)
        } catch {
            trial.failure = "\(error)"
        }
        return trial
    }
}
