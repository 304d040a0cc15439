// SPDX-License-Identifier: Apache-2.0

/// Keeps the values of a label few and short, whatever names come: the first ones are kept, all others are `other`.
struct BoundedLabels {
    static let other = "other"
    /// Different values, `other` not among them.
    static let mostValues = 50
    /// Bytes of a value.
    private static let longest = 64

    private var known: Set<String> = []

    /// The label's value for a name.
    mutating func label(_ name: String) -> String {
        let short = BoundedLabels.shortened(TextFormat.clean(name))
        if known.contains(short) { return short }
        guard known.count < BoundedLabels.mostValues else { return BoundedLabels.other }
        known.insert(short)
        return short
    }

    /// The label's value for a source: the name of the file or, of a URL that has none, its host. Never what may hold a secret.
    mutating func label(source: String?) -> String {
        guard let source, !source.isEmpty else { return label(TextFormat.unknown) }
        var rest = source[...]
        let hasScheme = source.contains("://")
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        if hasScheme, let end = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) { rest = rest[..<end] }
        let parts = rest.split(separator: "/")
        guard let name = parts.last else { return label(TextFormat.unknown) }
        // Of the authority without a path, not who logs in there.
        let isHost = hasScheme && parts.count == 1
        return label(String(isHost ? name.split(separator: "@").last ?? name : name))
    }

    private static func shortened(_ text: String) -> String {
        var kept = ""
        for character in text {
            guard kept.utf8.count + character.utf8.count <= longest else { break }
            kept.append(character)
        }
        return kept.isEmpty ? TextFormat.unknown : kept
    }
}
