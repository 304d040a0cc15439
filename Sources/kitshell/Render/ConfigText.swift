// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The document `kitshell.settings/1` as a person reads it, 80 columns wide. Strings in it are untrusted.
package enum ConfigText {
    /// Beyond it a key has no column beside it.
    private static let widest = 40

    package static func render(_ document: JSONValue, isColored: Bool) -> String {
        let rows = document["values"]?.array ?? []
        let keys = rows.map { TextFormat.clean($0["key"]?.string ?? "") }
        let column = (keys.map { TextLine.width(of: $0) + 3 }.filter { $0 <= widest }.max() ?? 0)
        return zip(keys, rows).flatMap { key, row in
            TextLine.flow(
                " \(key)", [TextLine.Piece(value(row["value"] ?? .null)), TextLine.Piece(origin(row), .faint)],
                from: column)
        }.map { $0.text(isColored: isColored) + "\n" }.joined()
    }

    private static func origin(_ row: JSONValue) -> String {
        let place = row["where"]?.string.map(TextFormat.clean)
        switch row["origin"]?.string {
        case "environment": return "$" + (place ?? "")
        case "file": return place ?? "file"
        case let other: return TextFormat.clean(other ?? TextFormat.unknown)
        }
    }

    private static func value(_ value: JSONValue) -> String {
        switch value {
        case .null: "none"
        case .string(let text): TextFormat.clean(text)
        case .array(let elements): elements.isEmpty ? "none" : elements.map(Self.value).joined(separator: ", ")
        default: TextFormat.clean(JSONWriter.text(value))
        }
    }
}
