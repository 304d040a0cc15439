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

    /// The label's value for a source: its short name, never what may hold a secret.
    mutating func label(source: String?) -> String {
        label(source.flatMap(SourceName.short) ?? TextFormat.unknown)
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
