// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import MediaCore
internal import Sessions
internal import Synchronization

/// The file that tells of one fault, once it is written.
///
/// Thread: any.
final class FaultFile: Sendable {
    static let schema = "kitshell.fault/1"
    /// Files that are kept, and bytes of them all.
    static let mostFiles = 100
    static let mostBytes = 4 << 20
    /// What a plugin says may be long.
    private static let longestDetail = 4096

    /// What it tells.
    struct Content: Sendable {
        var fault: StrategyStatus.Fault
        var moment: WallTime
        var subject: PluginHealth.Subject
        var sha256: String?
        /// The last of what the plugin printed.
        var output: String
        var hostVersion: String
    }

    private let written = Mutex<String?>(nil)

    /// nil until it is written, or if it could not be.
    var path: String? { written.withLock { $0 } }

    /// Writes it; thread of the store's writer.
    func write(_ content: Content, to directory: StateDirectory, number: Int, process: Int32) {
        // Names sort by time.
        let name = "\(content.moment.compact)-\(process)-\(number.padded(to: 4)).json"
        let text = JSONWriter.text(FaultFile.json(content), style: .pretty) + "\n"
        guard directory.write(Array(text.utf8), to: name, in: .faults) else { return }
        written.withLock { $0 = "\(directory.path)/faults/\(name)" }
        directory.prune(.faults, toCount: FaultFile.mostFiles, bytes: FaultFile.mostBytes)
    }

    private static func json(_ content: Content) -> JSONValue {
        let (fault, subject) = (content.fault, content.subject)
        return [
            "schema": .string(schema), "time": .string(content.moment.description),
            "host": .string(content.hostVersion), "plugin": .string(subject.id), "version": .string(subject.version),
            "path": .string(subject.path), "sha256": JSONValue(content.sha256), "runs": .string(subject.runs.rawValue),
            "kind": .string(fault.kind.rawValue), "during": .string(fault.during), "signal": JSONValue(fault.signal),
            "address": JSONValue(fault.address), "symbol": JSONValue(fault.symbol),
            "detail": .string(withoutSecrets(String(fault.detail.prefix(longestDetail)))),
            "output": .array(
                content.output.split(whereSeparator: \.isNewline).map { .string(withoutSecrets(String($0))) }),
        ]
    }

    /// URLs are shown as they are in a report: without user information and what only lets one in.
    static func withoutSecrets(_ text: String) -> String {
        guard text.contains("://") else { return text }
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard let mark = word.firstRange(of: "://") else { return String(word) }
            // What stands before it, as in `url=https://…`, is none of the URL.
            let scheme = word[..<mark.lowerBound].reversed().prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
            let start = word.index(mark.lowerBound, offsetBy: -scheme.count)
            return word[..<start] + VideoSource.url(String(word[start...])).displayName
        }.joined(separator: " ")
    }
}
