// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A summary of many sessions as a person reads it, 80 columns wide.
///
/// Made from the JSON document alone, schema `kitshell.summary/1`.
package enum TextSummary {
    private static let rows: [(label: String, path: String)] = [
        ("first frame", "first_frame.total_ms"), ("  prepare", "first_frame.prepare_ms"),
        ("  render", "first_frame.render_ms"), ("first audio", "first_frame.first_audio_ms"), ("join", "join_ms"),
        ("click to frame", "click_to_frame_ms"), ("watched", "watched_ms"), ("completion", "completion"),
        ("stalls", "stalls.count"), ("stall", "stalls.list.duration_ms"), ("stall ratio", "stalls.ratio"),
        ("stutters", "stutter.count"), ("stutter", "stutter.total_ms"), ("seek", "seeks.latency_ms"),
        ("late pictures", "frames.dropped_late"), ("pictures/s", "frames.fps"), ("sound offset", "frames.av_offset_ms"),
        ("loop gap", "loop_gap_ms"), ("throughput", "bytes.throughput_bps"), ("retries", "retries"),
    ]
    private static let columns = ["mean", "p50", "p90", "p99", "max"]
    private static let mostErrors = 12
    private static let labelWidth = 16
    private static let numberWidth = 8
    private static let valueWidth = 9

    package static func render(_ summary: JSONValue, isColored: Bool) -> String {
        var lines = head(summary)
        let errors = errors(summary)
        if !errors.isEmpty { lines += TextLine.flow(" errors", errors, from: labelWidth + 1) }
        lines.append(TextLine())
        var title = TextLine(String(repeating: " ", count: labelWidth))
        for (name, width) in [("known", numberWidth), ("unknown", numberWidth)] + columns.map({ ($0, valueWidth) }) {
            title.append(padded(name, width), .faint)
        }
        lines.append(title)
        for row in rows {
            guard let metric = summary["metrics"]?[row.path], metric["count"]?.int ?? 0 > 0 else { continue }
            lines.append(line(row.label, metric))
        }
        lines.append(TextLine(" Percentiles are at most 1 % too high; unknown values are in no figure.", .faint))
        return lines.map { $0.text(isColored: isColored) + "\n" }.joined()
    }

    /// The most frequent ones.
    private static func errors(_ summary: JSONValue) -> [TextLine.Piece] {
        let all = (summary["errors"]?.object?.members ?? []).map { (code: $0.key, count: $0.value.int ?? 0) }
        let shown = all.sorted { ($1.count, $0.code) < ($0.count, $1.code) }.prefix(mostErrors)
        let rest = all.count - shown.count
        return shown.map { TextLine.Piece("\($0.code) \($0.count)", .bad) }
            + (rest > 0 ? [TextLine.Piece("and \(TextFormat.count(rest, "more code"))", .bad)] : [])
    }

    private static func head(_ summary: JSONValue) -> [TextLine] {
        let outcomes = (summary["outcomes"]?.object?.members ?? []).map { outcome in
            let piece = TextReport.outcome(["outcome": .string(outcome.key)])
            return TextLine.Piece("\(piece.text) \(outcome.value.int ?? 0)", piece.tone)
        }
        return TextLine.flow(
            " sessions", [TextLine.Piece("\(summary["sessions"]?.int ?? 0)")] + outcomes, from: labelWidth + 1)
    }

    private static func line(_ label: String, _ metric: JSONValue) -> TextLine {
        var line = TextLine(" \(label)")
        line.pad(to: labelWidth)
        for key in ["count", "nulls"] { line.append(padded("\(metric[key]?.int ?? 0)", numberWidth)) }
        for key in columns { line.append(padded(shown(metric[key]?.number, metric["unit"]?.string), valueWidth)) }
        return line
    }

    private static func shown(_ value: Double?, _ unit: String?) -> String {
        guard let value else { return TextFormat.unknown }
        return switch unit {
        case "ms" where value >= 3_600_000_000: "\(TextFormat.decimal(value / 3_600_000, places: 0)) h"
        case "ms" where value >= 5_997_000: "\(TextFormat.decimal(value / 3_600_000, places: 1)) h"
        case "ms" where value >= 59_995: "\(TextFormat.decimal(value / 60_000, places: 1)) min"
        case "ms": TextFormat.duration(value)
        case "bit_per_second": "\(TextFormat.decimal(value / 1_000_000, places: value < 9_995_000 ? 2 : 0)) Mb/s"
        case "ratio": "\(TextFormat.decimal(value * 100, places: 1)) %"
        default: TextFormat.trimmed(value, places: 2)
        }
    }

    /// Right-aligned, with a space before it.
    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - TextLine.width(of: text))) + text
    }
}
