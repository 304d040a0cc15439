// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import PluginHost

// What third parties' plugins would run in.
extension DoctorReport {
    /// - Parameter trial: the plugin that is run; nil if there is none to try with.
    static func isolation(
        _ layout: InstallLayout, _ trial: PluginInspection?, _ findings: inout [Finding]
    ) -> (worker: JSONValue, sandbox: JSONValue) {
        var path: String?
        var result = WorkerTrial()
        do throws(PluginError) {
            let executable = try WorkerExecutable.find(in: layout)
            path = executable
            if let trial { result = WorkerTrial.run(executable: executable, lifecycle: trial) }
            if let failure = result.failure {
                findings.append(
                    Finding(
                        severity: .problem, about: "worker",
                        message: "\(executable), which runs plugins of third parties, cannot be used: \(failure)",
                        hint:
                            "Install it and kitshell together, or run plugins that you trust with --isolation in-process."
                    ))
            }
        } catch {
            findings.append(Finding(severity: .problem, about: "worker", message: error.message, hint: error.hint))
        }
        let (hasFilters, landlock) = (KernelWalls.hasSystemCallFilters, KernelWalls.landlockVersion)
        if !hasFilters {
            findings.append(
                Finding(
                    severity: .problem, about: "sandbox",
                    message:
                        "this kernel does not filter system calls (seccomp), so plugins of third parties are refused",
                    hint: "A plugin that you trust runs with --grant NAME:all, without a sandbox."))
        } else if let gap = result.sandbox?.gap, !gap.isEmpty {
            findings.append(
                Finding(
                    severity: .note, about: "sandbox",
                    message: "plugins of third parties are only partly sandboxed: \(gap)",
                    hint: "A newer kernel, or one with Landlock in its lsm= list, keeps them in altogether."))
        }
        return (
            [
                "path": JSONValue(path), "searched": .array(layout.workerCandidates.map { .string($0) }),
                "start_ms": JSONValue.milliseconds(result.milliseconds.map { Int64($0 * 1000) }),
                "failure": JSONValue(result.failure),
            ],
            [
                "seccomp": .bool(hasFilters), "landlock": .int(Int64(landlock)),
                "extent": JSONValue(result.sandbox?.extent),
                "gap": JSONValue(result.sandbox.flatMap { $0.gap.isEmpty ? nil : $0.gap }),
            ]
        )
    }
}
