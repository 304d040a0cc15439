// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Finds the program that plugins of strangers run in.
package enum WorkerExecutable {
    /// The path of `kit-worker`: the given one, else the one beside this executable, else the one of an installed copy.
    ///
    /// - Throws: an error that names the places that were looked in.
    package static func find(
        given: String? = nil, in layout: InstallLayout = InstallLayout()
    ) throws(PluginError) -> String {
        let places = given.map { [$0] } ?? layout.workerCandidates
        if let found = places.first(where: isExecutableFile) { return found }
        throw PluginError(
            .worker, path: places.first ?? "kit-worker",
            "kit-worker, which runs plugins of third parties, is missing; looked for \(places.joined(separator: ", "))",
            hint: "Install it beside the executable, or run the plugin with --isolation in-process if you trust it.")
    }

    private static func isExecutableFile(_ path: String) -> Bool {
        guard let status = try? FileStatus(path: path), status.kind == S_IFREG else { return false }
        return unsafe access(path, X_OK) == 0
    }
}
