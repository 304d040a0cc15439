// SPDX-License-Identifier: Apache-2.0

internal import Sessions
internal import WorkerWire

/// How far a worker's plugin is kept in.
package struct Sandbox: Hashable, Sendable {
    /// As the report has it: `full`, `partial` or `none`.
    package var extent: String
    /// What keeps it from being full; empty if it is, or is not wanted.
    package var gap: String

    static let none = Sandbox(extent: "none", gap: "")

    private init(extent: String, gap: String) {
        self.extent = extent
        self.gap = gap
    }

    /// - Parameters:
    ///   - walls: `KITW_WALL_*` that stand.
    ///   - missing: why not all do, in the words of the worker.
    ///   - grants: what was opened on purpose is no gap.
    init(walls: UInt32, missing: String, grants: PluginGrants) {
        guard walls & UInt32(KITW_WALL_CALLS) != 0 else {
            self = .none
            return
        }
        var gaps: [String] = []
        if walls & UInt32(KITW_WALL_FILES) == 0 {
            gaps.append(
                "\(missing): it can read what its user can until it is loaded, which it tells itself, and opens no files then"
            )
        } else {
            if walls & UInt32(KITW_WALL_PORTS) == 0, !grants.capabilities.contains(.network) {
                gaps.append("this kernel's Landlock does not know TCP")
            }
            if walls & UInt32(KITW_WALL_SIGNALS) == 0 { gaps.append("this kernel's Landlock does not know signals") }
        }
        self.init(extent: gaps.isEmpty ? "full" : "partial", gap: gaps.joined(separator: "; "))
    }
}

extension StrategyStatus.Fault {
    /// The sandbox said no.
    ///
    /// - Parameter what: the system call, and the path it was for.
    init(sandboxDenied what: String, path: String, during call: String) {
        let parts = what.split(separator: " ", maxSplits: 1).map(String.init)
        let target = parts.count > 1 ? parts[1] : ""
        let grant =
            switch parts.first ?? "" {
            case "open", "openat", "openat2": "read_paths=\(target) or write_paths=\(target)"
            case "creat", "unlink", "unlinkat", "rename", "renameat", "renameat2", "mkdir", "mkdirat", "rmdir",
                "truncate":
                "write_paths=DIRECTORY"
            case "socket", "socketpair", "bind", "connect", "listen", "accept", "accept4": "network"
            case "clone": "threads (a process of its own it cannot have)"
            default: ""
            }
        let advice =
            grant.isEmpty
            ? "No grant allows it; it was refused." : "It was refused; a grant may allow it: --grant NAME:\(grant)"
        self.init(
            .denied, during: call,
            detail: "the sandbox of \(path) denied \(what.isEmpty ? "a system call" : what). \(advice)")
    }
}
