// SPDX-License-Identifier: Apache-2.0

public import MediaCore
internal import PluginHost
public import Sessions

/// A plugin that is not run for an hour, since it kept failing with its options and grants.
public struct PluginQuarantine: Sendable {
    /// The plugin's, as its note says.
    public var id: String
    /// The plugin's, as its note says.
    public var version: String
    /// Of the file.
    public var path: String
    /// Of its content, in lower-case hexadecimal.
    public var sha256: String
    /// UTC, as in `2026-08-23T10:15:00Z`.
    public var since: String
    /// What it did. Its `report` names the file that tells more, which may be gone.
    public var fault: StrategyStatus.Fault

    init(_ stored: StoredQuarantine) {
        id = stored.id
        version = stored.version
        path = stored.path
        sha256 = stored.sha256
        since = stored.since.description
        fault = stored.fault
    }

    /// Those that hold, by id.
    ///
    /// - Parameter stateDirectory: need not exist.
    public static func all(in stateDirectory: String, log: LogHub = .shared) -> [PluginQuarantine] {
        store(stateDirectory, log).quarantines().map { PluginQuarantine($0) }
    }

    /// Has a plugin run again, whatever its options and grants. A run that goes on does not see it; the next one does.
    ///
    /// - Returns: what is lifted; empty if it was not quarantined.
    /// - Throws: `output.failed` if one is still there.
    public static func lift(
        _ id: String, in stateDirectory: String, log: LogHub = .shared
    ) throws(PlayerError) -> [PluginQuarantine] {
        let store = store(stateDirectory, log)
        let lifted = store.lift(id)
        guard store.quarantines().allSatisfy({ $0.id != id }) else {
            throw PlayerError(
                .sinkFailed, "the quarantine of \(id) cannot be removed from \(store.directory.path)",
                hint: "See whether you may write there.")
        }
        return lifted.map { PluginQuarantine($0) }
    }

    private static func store(_ path: String, _ log: LogHub) -> HealthStore {
        HealthStore(path: path, hostVersion: HostVersions.product, log: log)
    }
}
