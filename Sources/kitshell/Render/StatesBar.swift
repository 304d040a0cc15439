// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// How a session's time divides among its states, as a bar.
enum StatesBar {
    /// Nothing if no time passed; shares in words if there are too many states for a bar.
    static func lines(_ states: JSONValue?, from column: Int) -> [TextLine] {
        let parts = (states?.object?.members ?? []).compactMap { member -> (name: String, time: Double)? in
            guard let time = member.value.number, time > 0, time.isFinite else { return nil }
            return (TextFormat.clean(member.key).replacing("_", with: " "), time)
        }
        let total = parts.reduce(0) { $0 + $1.time }
        guard let largest = parts.max(by: { $0.time < $1.time }), total.isFinite else { return [] }

        let percent = { (time: Double) in
            "\(TextFormat.decimal((time / total * 1000).rounded(.down) / 10, places: 1)) %"
        }
        let share = " " + percent(largest.time)
        let taken = parts.reduce(parts.count - 1 + share.count) { $0 + TextLine.width(of: $1.name) + 1 }
        // A bar may end in a part of a block: a column each.
        let room = TextLine.limit - column - taken - parts.count
        guard parts.count == 1 || room >= 4 * parts.count else {
            let shares = parts.map {
                TextLine.Piece("\($0.name) \(percent($0.time))")
            }
            return TextLine.flow("   states", shares, from: column, gap: 2)
        }
        let pieces = parts.map { part in
            let suffix = part == largest ? share : ""
            return TextLine.Piece("\(part.name) \(bar(part.time / total * Double(room)))\(suffix)")
        }
        return TextLine.flow("   states", pieces, from: column, gap: 1)
    }

    /// Whole and eighth blocks; never nothing for a state that was there.
    private static func bar(_ columns: Double) -> String {
        let eighths = Int(columns * 8)
        let part = eighths % 8
        let text = String(repeating: "█", count: eighths / 8) + (part == 0 ? "" : String(eighthBlocks[part - 1]))
        return text.isEmpty ? "▏" : text
    }

    private static let eighthBlocks: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
