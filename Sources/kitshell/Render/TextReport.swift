// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The report as a person reads it: at most 20 lines of 80 columns, the user's own plugin first.
///
/// Made from the JSON report alone, so that a saved one reads the same. Missing and unknown values are left out or called unknown.
package enum TextReport {
    static let mostLines = 20
    /// Where values begin: of a section's head, and of the lines under it.
    static let headColumn = 15
    static let column = 17

    /// - Parameter report: schema `kitshell.report/1`. Strings in it are untrusted.
    /// - Returns: lines, each with its line feed.
    package static func render(_ report: JSONValue, isColored: Bool) -> String {
        let sessions = report["sessions"]?.array ?? []
        let pool = firstFrameLines(report["first_frames"] ?? nil) + (report["pool"].map(poolLines) ?? [])
        var lines = strategyLines(report["strategies"]?.array ?? [], sessions)
        if lines.count > mostStrategyLines {
            lines.removeSubrange((mostStrategyLines - 1)...)
            lines.append(elsewhere("more"))
        }
        let played = sessionLines(sessions, most: mostLines - pool.count - lines.count)
        if !lines.isEmpty, lines.count + played.count + pool.count < mostLines { lines.append(TextLine()) }
        return (lines + played + pool).map { $0.text(isColored: isColored) + "\n" }.joined()
    }

    private static let mostStrategyLines = 9

    /// All sessions in the most telling form that fits; else as many as fit and a line that says how many are left out.
    private static func sessionLines(_ sessions: [JSONValue], most: Int) -> [TextLine] {
        let forms: [(JSONValue) -> [TextLine]] = [
            fullSession, { shortSession($0, errorLines: 3) }, { shortSession($0, errorLines: 1) },
        ]
        for form in forms {
            let lines = sessions.flatMap(form)
            if lines.count <= most { return lines }
        }
        guard sessions.count > most else { return sessions.map(sessionLine) }
        let shown = sessions.prefix(most - 1)
        let hidden = sessions.dropFirst(shown.count)
        let bad = hidden.count { $0["outcome"]?.string != "complete" }
        return shown.map(sessionLine)
            + [elsewhere("\(hidden.count) more sessions" + (bad == 0 ? "" : ", \(bad) of them not complete,"))]
    }

    private static func elsewhere(_ what: String) -> TextLine {
        TextLine(" … \(what) in --report json", .faint)
    }

    /// Side by side, where there is something to compare.
    private static func firstFrameLines(_ kinds: JSONValue) -> [TextLine] {
        let pieces = ["cold", "warm", "pre_rendered"].compactMap { kind -> TextLine.Piece? in
            guard let figure = kinds[kind], let count = figure["count"]?.int, count > 0 else { return nil }
            return TextLine.Piece(
                "\(kind.replacing("_", with: "-")) \(TextFormat.duration(figure["median_ms"]?.number)) (\(count))")
        }
        return pieces.count > 1 ? TextLine.flow(" click to frame", pieces, from: column, gap: 2) : []
    }

    private static func poolLines(_ pool: JSONValue) -> [TextLine] {
        guard let name = pool["strategy"]?.string else { return [] }
        var pieces = [TextLine.Piece(TextFormat.clean(name))]
        for key in ["created", "reused", "hits", "evicted", "idle", "active"] {
            guard let number = pool[key]?.int, number != 0 || !["hits", "active"].contains(key) else { continue }
            pieces.append(TextLine.Piece("\(key) \(number)"))
        }
        let rejected = pool["rejected"]?.object?.members.reduce(into: Int64(0)) { sum, member in
            sum = sum.addingReportingOverflow(member.value.int ?? 0).partialValue
        }
        if let rejected, rejected != 0 { pieces.append(TextLine.Piece("rejected \(rejected)", .bad)) }
        return TextLine.flow(" pool", pieces, from: column, gap: 2)
    }
}

extension OutputOptions.Color {
    /// Whether to colour what goes to standard output.
    ///
    /// - Parameter noColor: the environment's `NO_COLOR`; any value but the empty one turns colours off.
    package func isOn(isTerminal: Bool, noColor: String?) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: isTerminal && (noColor ?? "").isEmpty
        }
    }
}
