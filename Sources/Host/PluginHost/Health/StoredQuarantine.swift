// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import Sessions

/// Why a plugin is not run for a while: what it did wrong, remembered between runs.
package struct StoredQuarantine: Hashable, Sendable {
    /// Seconds that it lasts.
    package static let duration: Int64 = 3600
    static let schema = "kitshell.quarantine/1"
    /// A longer file is none of ours.
    static let largestFile = 64 * 1024

    /// The content of the file and the config that it ran with; also the name under which it is kept.
    package var key: String
    package var id: String
    package var version: String
    package var path: String
    package var sha256: String
    package var since: WallTime
    /// What it did wrong. Its `report` is the file that tells more, which may be gone by now.
    package var fault: StrategyStatus.Fault

    /// Whether it still holds. One from the future was written under another clock and holds no more.
    func isInForce(at now: WallTime) -> Bool {
        since <= now && now.seconds - since.seconds < StoredQuarantine.duration
    }

    /// The fault as a later run reports it.
    package var remembered: StrategyStatus.Fault {
        var fault = fault
        fault.detail =
            "not run, since it failed at \(since): \(fault.detail) kitshell plugin retry \(id) has it run again."
        return fault
    }
}

extension StoredQuarantine {
    var json: JSONValue {
        [
            "schema": .string(StoredQuarantine.schema), "id": .string(id), "version": .string(version),
            "path": .string(path), "sha256": .string(sha256), "since": .string(since.description), "fault": fault.json,
        ]
    }

    /// - Parameter key: the name of the file it was read from.
    /// - Returns: nil if it is no quarantine of this product.
    init?(_ json: JSONValue, key: String) {
        guard json["schema"]?.string == StoredQuarantine.schema,
            let id = json["id"]?.string, PluginNote.isID(id.utf8),
            let version = json["version"]?.string, let path = json["path"]?.string,
            let sha256 = json["sha256"]?.string, let since = json["since"]?.string.flatMap({ WallTime($0) }),
            let fault = json["fault"].flatMap({ StrategyStatus.Fault($0) })
        else { return nil }
        self.init(
            key: key, id: id, version: version, path: path, sha256: sha256, since: since, fault: fault)
    }
}

extension StrategyStatus.Fault {
    fileprivate init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.string.flatMap({ Kind(rawValue: $0) }), let during = json["during"]?.string,
            let detail = json["detail"]?.string
        else { return nil }
        self.init(kind, during: during, signal: json["signal"]?.string, detail: detail)
        address = json["address"]?.string
        symbol = json["symbol"]?.string
        report = json["report"]?.string
    }
}
