// SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import JSONText
internal import MachineNetwork
internal import MediaCore
package import PluginHost
internal import Sessions

/// What this machine offers to the product and what is wrong with it, as the document `kitshell.doctor/1`.
public struct DoctorReport: Sendable {
    /// The name and version of the document's form: `doctor.schema.json`.
    public static let schema = "kitshell.doctor/1"

    /// Something to know. A problem keeps a part of the product from working; a note does not.
    struct Finding {
        enum Severity: String {
            case problem
            case note
        }

        var severity: Severity
        /// The part of the document that it is about.
        var about: String
        var message: String
        var hint: String

        var json: JSONValue {
            [
                "severity": .string(severity.rawValue), "about": .string(about), "message": .string(message),
                "hint": .string(hint),
            ]
        }
    }

    /// The document.
    public private(set) var json: JSONValue
    /// Whether there is no problem.
    public private(set) var isWell: Bool

    /// Looks at everything; starts a worker and ends it. Blocks for some tenths of a second.
    ///
    /// - Parameter stateDirectory: where things are remembered; nil: nowhere.
    public static func make(stateDirectory: String?) -> DoctorReport {
        make(layout: InstallLayout(), stateDirectory: stateDirectory)
    }

    package static func make(
        layout: InstallLayout, stateDirectory: String?, now: @escaping @Sendable () -> WallTime = WallTime.now
    ) -> DoctorReport {
        var findings: [Finding] = []
        let built = strategies(layout, &findings)
        let (worker, sandbox) = isolation(layout, built.trial, &findings)
        let network = network(&findings)
        let configuration = configuration(layout, &findings)
        let (state, quarantines) = state(stateDirectory, now, &findings)
        return DoctorReport(
            isWell: findings.allSatisfy { $0.severity != .problem },
            parts: [
                "host": host, "strategies": built.json, "worker": worker, "sandbox": sandbox, "network": network,
                "configuration": configuration, "state": state, "quarantines": quarantines,
                "findings": .array(findings.map(\.json)),
            ])
    }

    private init(isWell: Bool, parts: JSONObject) {
        self.isWell = isWell
        let head = JSONObject([.init("schema", .string(DoctorReport.schema)), .init("is_well", .bool(isWell))])
        json = .object(JSONObject(head.members + parts.members))
    }

    private static var host: JSONValue {
        var system = utsname()
        let kernel =
            unsafe uname(&system) == 0
            ? unsafe withUnsafeBytes(of: &system.release) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            : nil
        return [
            "version": .string(HostVersions.product), "abi": .string(HostVersions.abi),
            "libavformat": .string(HostVersions.libavformat), "libav_licence": .string(HostVersions.libavLicence),
            "kernel": JSONValue(kernel), "user": .int(Int64(geteuid())),
        ]
    }

    private static func strategies(
        _ layout: InstallLayout, _ findings: inout [Finding]
    ) -> (json: JSONValue, trial: PluginInspection?) {
        let directory = layout.builtinDirectory
        let found =
            directory.map { directory in
                PluginCatalog(builtinDirectory: directory) { _, _, _, _, _ in preconditionFailure("nothing runs") }
                    .inspectBuiltins()
            } ?? []
        let refused = found.compactMap(\.error)
        for error in refused {
            findings.append(Finding(severity: .problem, about: "strategies", message: error.message, hint: error.hint))
        }
        if found.isEmpty {
            let places = layout.builtinCandidates.joined(separator: " and ")
            findings.append(
                Finding(
                    severity: .problem, about: "strategies",
                    message: "the built-in strategies are missing; looked in \(places)",
                    hint: "Run make build in a source tree, or install the product again."))
        }
        let accepted = found.filter { $0.refusal == nil }
        return (
            [
                "directory": JSONValue(directory), "searched": .array(layout.builtinCandidates.map { .string($0) }),
                "accepted": .array(accepted.compactMap(\.note).map { .string($0.id) }),
                "refused": .array(refused.map { .string($0.message) }),
            ], accepted.first { $0.note?.id == "default" }
        )
    }

    private static func network(_ findings: inout [Finding]) -> JSONValue {
        let sources = NetworkSources.ask()
        if !sources.hasKernel {
            findings.append(
                Finding(
                    severity: .note, about: "network",
                    message: "the kernel does not tell how this machine is connected",
                    hint: "A sandbox may keep rtnetlink away; --network says what to assume."))
        }
        return [
            "rtnetlink": .bool(sources.hasKernel), "network_manager": .bool(sources.hasManager),
            "type": .string("\(sources.state.type)"), "metered": JSONValue(sources.state.isMetered),
        ]
    }

    private static func state(
        _ path: String?, _ now: @escaping @Sendable () -> WallTime, _ findings: inout [Finding]
    ) -> (state: JSONValue, quarantines: JSONValue) {
        guard let path else {
            findings.append(
                Finding(
                    severity: .problem, about: "state",
                    message: "there is no home directory to remember faults and quarantines in",
                    hint: "Set HOME or KITSHELL_STATE_DIR, or give --state-dir."))
            return (["directory": nil, "exists": false, "obstacle": nil], [])
        }
        // What is wrong with it is found out here, and told once.
        let store = HealthStore(
            path: path, hostVersion: HostVersions.product, log: LogHub(console: { _ in }), now: now)
        let obstacle = store.directory.obstacle
        if let obstacle {
            findings.append(
                Finding(
                    severity: .problem, about: "state",
                    message: "nothing can be remembered in \(store.directory.path): \(obstacle)",
                    hint: "Mend it, or give a directory of your own with --state-dir or KITSHELL_STATE_DIR."))
        }
        let quarantines = store.quarantines().map { PluginQuarantine($0) }
        for quarantine in quarantines {
            findings.append(
                Finding(
                    severity: .note, about: "quarantines",
                    message:
                        "\(quarantine.id) \(quarantine.version) is quarantined since \(quarantine.since): \(quarantine.fault.detail)",
                    hint: "kitshell plugin retry \(quarantine.id) has it run again."))
        }
        return (
            [
                "directory": .string(store.directory.path), "exists": .bool(store.directory.exists),
                "obstacle": JSONValue(obstacle),
            ], .array(quarantines.map(\.json))
        )
    }
}

extension PluginQuarantine {
    /// As documents have it.
    public var json: JSONValue {
        let head = JSONObject([
            .init("id", .string(id)), .init("version", .string(version)), .init("path", .string(path)),
            .init("sha256", .string(sha256)), .init("since", .string(since)),
        ])
        return .object(JSONObject(head.members + (fault.json.object?.members ?? [])))
    }
}
