// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A feed as a person reads it, 80 columns wide: what was decided for each item and how long swipes took, or strategies side by side.
///
/// Made from the JSON document alone, schema `kitshell.feed/1`. Strings in it are untrusted.
package enum FeedText {
    static let mostItems = 12
    private static let labelWidth = 15

    /// - Returns: lines, each with its line feed.
    package static func render(_ document: JSONValue, isColored: Bool) -> String {
        let feed = document["feed"] ?? nil
        let runs = document["runs"]?.array ?? []
        var lines = head(feed)
        if feed["comparison"]?.bool == true {
            for run in runs { lines += TextReport.strategyLines(run["strategies"]?.array ?? [], []) }
            if !runs.isEmpty { lines += [TextLine()] + comparison(runs, feed) }
        } else if runs.count == 1 {
            lines += TextReport.strategyLines(runs[0]["strategies"]?.array ?? [], [])
            lines += [TextLine()] + items(runs[0]) + [TextLine()] + figures(runs[0], feed) + totals(runs[0])
        }
        lines += (failures(document) + troubles(document)).flatMap {
            TextLine.wrapped(" note", $0, .bad, from: labelWidth, most: 3)
        }
        return lines.map { $0.text(isColored: isColored) + "\n" }.joined()
    }

    private static func head(_ feed: JSONValue) -> [TextLine] {
        let list = feed["list"]?.string ?? TextFormat.unknown
        let (sources, swipes) = (feed["sources"]?.int ?? 0, feed["swipes"]?.int ?? 0)
        let pieces = [
            TextLine.cut(TextFormat.clean(list), to: 36), TextFormat.count(Int(clamping: sources), "source"),
            swipes == 0
                ? "no swipes"
                : "\(TextFormat.count(Int(clamping: swipes), "swipe")), one every \(TextFormat.duration(feed["swipe_every_ms"]?.number))",
            "window \(feed["window"]?.int ?? 0)",
        ]
        return TextLine.flow(" feed", pieces.map { TextLine.Piece($0) }, from: labelWidth)
    }

    // MARK: Items

    /// Where the columns of the table of items begin; times end at theirs.
    private enum ItemColumn {
        static let source = 8
        static let decision = 28
        static let player = 38
        static let instance = 46
        static let time = 70
        static let evicted = 73
    }

    /// What was decided for each item, a row each, as many as fit.
    private static func items(_ run: JSONValue) -> [TextLine] {
        let items = run["items"]?.array ?? []
        var title = TextLine(" swipe", .faint)
        for (text, column) in [
            ("item", ItemColumn.source), ("decided", ItemColumn.decision), ("player", ItemColumn.player),
            ("instance", ItemColumn.instance),
        ] {
            title.pad(to: column)
            title.append(text, .faint)
        }
        title.append(right("first frame", to: ItemColumn.time, after: title.width), .faint)
        title.pad(to: ItemColumn.evicted)
        title.append("gave up", .faint)
        let shown = items.count > mostItems ? items.prefix(mostItems - 1) : items[...]
        let rest = items.count - shown.count
        return [title] + shown.map(itemLine)
            + (rest > 0 ? [TextLine(" … \(rest) more swipes in --report json", .faint)] : [])
    }

    private static func itemLine(_ item: JSONValue) -> TextLine {
        let position = item["position"]?.int ?? 0
        var line = TextLine(position == 0 ? " start" : right("\(position)", to: 6, after: 0))
        let source = TextFormat.clean(item["source"]?.string ?? TextFormat.unknown)
        let cells = [
            (TextFormat.clean(SourceName.short(source) ?? source), ItemColumn.source, ItemColumn.decision),
            (TextFormat.clean(item["decision"]?.string ?? "nothing"), ItemColumn.decision, ItemColumn.player),
            (item["player"]?.int.map(String.init) ?? "none", ItemColumn.player, ItemColumn.instance),
            (TextFormat.clean(item["instance"]?.string ?? TextFormat.unknown), ItemColumn.instance, ItemColumn.time),
        ]
        for (text, column, next) in cells {
            line.pad(to: column)
            line.append(TextLine.cut(text, to: next - column - 2))
        }
        let outcome = item["outcome"]?.string ?? TextFormat.unknown
        let isShown = outcome == "shown"
        let text = isShown ? TextFormat.duration(item["first_frame_ms"]?.number) : TextFormat.clean(outcome)
        line.append(
            right(text.replacing("_", with: " "), to: ItemColumn.time, after: line.width),
            isShown ? .plain : .bad)
        let evicted = evicted(item)
        guard !evicted.isEmpty else { return line }
        line.pad(to: ItemColumn.evicted)
        line.append(evicted)
        return line
    }

    /// The players that had to go; of many the first, and how many more.
    private static func evicted(_ item: JSONValue) -> String {
        let players = (item["evicted"]?.array ?? []).compactMap(\.int)
        let text = players.map(String.init).joined(separator: " ")
        let room = TextLine.limit - ItemColumn.evicted
        return text.count <= room ? text : TextLine.cut("\(players[0]) +\(players.count - 1)", to: room)
    }

    // MARK: Figures

    private static let columns = ["p50", "p95", "p99", "max"]
    private static let numberWidth = 9
    private static let valueWidth = 11

    /// How long swipes took, all and by how warm the player was.
    private static func figures(_ run: JSONValue, _ feed: JSONValue) -> [TextLine] {
        var title = TextLine(" first frame", .faint)
        title.pad(to: labelWidth)
        for (name, width) in [("swipes", numberWidth), ("missed", numberWidth)] + columns.map({ ($0, valueWidth) }) {
            title.append(padded(name, width), .faint)
        }
        var lines = [title, figureLine(" all", run["swipes"], feed)]
        for (key, name) in [
            ("pre_rendered", "pre-rendered"), ("warm", "warm"), ("cold", "cold"), ("none", "no player"),
        ] {
            guard let figures = run["instances"]?[key], figures["count"]?.int ?? 0 > 0 else { continue }
            lines.append(figureLine("   \(name)", figures, feed))
        }
        return lines
    }

    private static func figureLine(_ label: String, _ figures: JSONValue?, _ feed: JSONValue) -> TextLine {
        var line = TextLine(label)
        line.pad(to: labelWidth)
        line.append(padded("\(figures?["count"]?.int ?? 0)", numberWidth))
        let missed = figures?["missed"]?.int ?? 0
        line.append(padded("\(missed)", numberWidth), missed > 0 ? .bad : .plain)
        for key in columns { line.append(padded(time(key, of: figures, feed), valueWidth)) }
        return line
    }

    /// A percentile; of one among the missed ones only that it is longer than an item was watched.
    static func time(_ key: String, of figures: JSONValue?, _ feed: JSONValue) -> String {
        if let value = figures?["first_frame_ms"]?[key]?.number { return TextFormat.duration(value) }
        guard figures?["missed"]?.int ?? 0 > 0 else { return "–" }
        return "> " + TextFormat.duration(feed["swipe_every_ms"]?.number)
    }

    private static func totals(_ run: JSONValue) -> [TextLine] {
        let pool = run["pool"] ?? nil
        let counts = ["created", "reused", "hits", "evicted", "destroyed"].map {
            TextLine.Piece("\($0) \(pool[$0]?.int ?? 0)")
        }
        let size = run["max_pool_size"]?.int.map { [TextLine.Piece("max_pool_size \($0)")] } ?? []
        let strategy = TextLine.Piece(TextFormat.clean(run["strategy"]?.string ?? TextFormat.unknown))
        let frames = run["frames"] ?? nil
        let known = [
            ("presented", "shown"), ("dropped_late", "late"), ("dropped_decoder", "dropped by the decoder"),
        ].compactMap { key, words in frames[key]?.int.map { "\($0) \(words)" } }
        let pictures = known.isEmpty ? TextFormat.unknown : known.joined(separator: ", ")
        return TextLine.flow(" pool", [strategy] + counts + size, from: labelWidth, gap: 2)
            + TextLine.flow(" frames", [TextLine.Piece(pictures)], from: labelWidth)
            + TextLine.flow(" memory", [TextLine.Piece("peak \(memory(run))")], from: labelWidth)
    }

    // MARK: Cells

    /// What people call the strategy of a run.
    static func name(of run: JSONValue) -> String {
        TextFormat.clean(run["strategy"]?.string ?? TextFormat.unknown)
    }

    static func memory(_ run: JSONValue) -> String {
        guard let bytes = run["peak_resident_bytes"]?.number else { return TextFormat.unknown }
        return "\(TextFormat.decimal(bytes / 1_048_576, places: 1)) MiB"
    }

    /// Right-aligned, with a space before it.
    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - TextLine.width(of: text))) + text
    }

    /// The text, ending at a column of a line that has come to another.
    static func right(_ text: String, to column: Int, after width: Int) -> String {
        padded(text, column - width)
    }
}
