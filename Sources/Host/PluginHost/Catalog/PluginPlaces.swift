// SPDX-License-Identifier: Apache-2.0

package import MediaCore
internal import Sessions

/// Makes the place of a plugin: in this process or in a worker.
package enum PluginPlaces {
    /// What a catalog is given to make places with.
    ///
    /// - Parameter workerExecutable: nil: the one that is part of this installation.
    package static func maker(
        log: LogHub, workerExecutable: String? = nil, deadlines: CallDeadlines = CallDeadlines(),
        restarts: RestartPolicy = RestartPolicy()
    ) -> PluginCatalog.PlaceMaker {
        { inspection, isBuiltin, runs, grants, health in
            let file = try PluginFile(inspection, origin: isBuiltin ? .builtIn : .stranger)
            let tag = inspection.note?.id ?? inspection.path
            let write: HostServices.Log = { level, text in log.log(level, tag: tag, text) }
            switch runs {
            case .inProcess:
                return try InProcessPlace(file, deadlines: deadlines, health: health, log: write)
            case .worker:
                return WorkerPlace(
                    file, grants: grants, health: health,
                    executable: try WorkerExecutable.find(given: workerExecutable), deadlines: deadlines,
                    restarts: restarts, log: write)
            }
        }
    }
}
