// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Strategies side by side.
extension FeedText {
    /// A row for each strategy.
    static func comparison(_ runs: [JSONValue], _ feed: JSONValue) -> [TextLine] {
        let titles = ["p50", "p95", "ratio", "p99", "missed", "players", "memory", "late"]
        let rows = runs.map { (name: name(of: $0), cells: comparisonCells($0, feed)) }
        let widths = titles.indices.map { column in
            rows.reduce(titles[column].count) { max($0, TextLine.width(of: $1.cells[column].text)) }
        }
        let widest = rows.reduce("strategy".count) { max($0, TextLine.width(of: $1.name)) } + 1
        // Two spaces between columns if there is room.
        let columns = widths.reduce(0, +) + widths.count
        let gap = widest + columns + widths.count <= TextLine.limit ? 2 : 1
        let start = min(widest, TextLine.limit - columns)
        func line(_ label: TextLine, _ cells: [TextLine.Piece]) -> TextLine {
            var (line, end) = (label, start)
            for (cell, width) in zip(cells, widths) {
                end += gap + width
                line.append(right(cell.text, to: end, after: line.width), cell.tone)
            }
            return line
        }
        var lines = [line(TextLine(" strategy", .faint), titles.map { TextLine.Piece($0, .faint) })]
        for (name, cells) in rows {
            // A name without room stands above its figures, whole: the ends of two may be the same.
            let labels = TextLine.folded(name, to: TextLine.limit - 1).map { TextLine(" " + $0) }
            let isAbove = labels.count > 1 || labels[0].width > start
            lines += isAbove ? labels + [line(TextLine(), cells)] : [line(labels[0], cells)]
        }
        let note = "Time from swipe to first picture; the ratio is that of p95 to \(rows[0].name)'s."
        return lines + TextLine.wrapped(" ", note, .faint, from: 1, most: 2)
    }

    private static func comparisonCells(_ run: JSONValue, _ feed: JSONValue) -> [TextLine.Piece] {
        let swipes = run["swipes"]
        let missed = swipes?["missed"]?.int ?? 0
        return [
            TextLine.Piece(time("p50", of: swipes, feed)), TextLine.Piece(time("p95", of: swipes, feed)),
            TextLine.Piece(run["p95_ratio"]?.number.map { TextFormat.decimal($0, places: 2) } ?? "–"),
            TextLine.Piece(time("p99", of: swipes, feed)),
            TextLine.Piece("\(missed)", missed > 0 ? .bad : .plain),
            TextLine.Piece("\(run["pool"]?["created"]?.int ?? 0)"), TextLine.Piece(memory(run)),
            TextLine.Piece(run["frames"]?["dropped_late"]?.int.map(String.init) ?? "–"),
        ]
    }
}
