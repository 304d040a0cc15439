// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// What a source is called where there is no room for its whole address.
enum SourceName {
    /// The name of the file or, of a URL that has none, its host; nil if there is neither. Never a query, which may hold a secret.
    static func short(_ source: String) -> String? {
        // The path of a `file:` URL as the file is called; others stay escaped.
        if case .file(let path) = SourceLocation(source), path != source {
            return path.split(separator: "/").last.map(String.init)
        }
        var rest = source[...]
        let hasScheme = source.contains("://")
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        if hasScheme, let end = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) { rest = rest[..<end] }
        let parts = rest.split(separator: "/")
        guard let name = parts.last else { return nil }
        // Of the authority without a path, not who logs in there.
        let isHost = hasScheme && parts.count == 1
        return String(isHost ? name.split(separator: "@").last ?? name : name)
    }
}
