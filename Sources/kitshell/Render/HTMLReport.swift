// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import PlayerKit

/// The report as one page that needs nothing else: no network, no script. Light and dark, from a phone's width up.
///
/// Strings of the report are untrusted. Pages of very many sessions show the first ones in full and say how many are left out.
package enum HTMLReport {
    /// Sessions with a card of their own, and rows of the list of sessions.
    private static let mostCards = 100
    private static let mostRows = 1000

    /// - Parameters:
    ///   - report: schema `kitshell.report/1`.
    ///   - traces: how sessions went over time; one without is shown by its sums.
    package static func render(_ report: JSONValue, traces: [SessionID: SessionTrace]) -> String {
        let sessions = report["sessions"]?.array ?? []
        let cards = sessions.prefix(mostCards).map { session in
            let number = session["session"]?.int.flatMap { UInt32(exactly: $0) }
            return card(session, number.flatMap { traces[SessionID(rawValue: $0)] })
        }
        var body = header(report, sessions)
        if sessions.count > 1 { body += overview(sessions) }
        body += cards.joined()
        if sessions.count > cards.count {
            body += HTMLText.element(
                "p", "more", "\(sessions.count - cards.count) more sessions are in the report as JSON (--report json).")
        }
        body += strategySection(report["strategies"]?.array ?? []) + poolSection(report["pool"] ?? nil)
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta name="color-scheme" content="light dark"/>
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
            <title>\(HTMLText.escape(title(sessions)))</title>
            <style>
            \(style)
            </style>
            </head>
            <body>
            <main>
            \(body)
            </main>
            <footer>\(footer(report))</footer>
            </body>
            </html>

            """
    }

    // MARK: Head

    private static func title(_ sessions: [JSONValue]) -> String {
        guard sessions.count == 1, let source = sessions[0]["source"]?.string else { return "Playback report" }
        return "\(name(of: source)) – playback report"
    }

    private static func header(_ report: JSONValue, _ sessions: [JSONValue]) -> String {
        let outcomes = sessions.reduce(into: [(String, Tone, Int)]()) { list, session in
            let (word, tone) = outcome(session)
            if let index = list.firstIndex(where: { $0.0 == word }) {
                list[index].2 += 1
            } else {
                list.append((word, tone, 1))
            }
        }
        var badges = outcomes.map { badge(sessions.count == 1 ? $0.0 : "\($0.2) \($0.0)", $0.1) }
        let unhealthy = (report["strategies"]?.array ?? []).count { !isHealthy($0) }
        if unhealthy > 0 {
            badges.append(badge(unhealthy == 1 ? "1 strategy in trouble" : "\(unhealthy) strategies in trouble", .bad))
        }
        let count = sessions.count == 1 ? "One session" : "\(sessions.count) sessions"
        return HTMLText.element(
            "header", [],
            HTMLText.element("h1", [], "Playback report")
                + HTMLText.element("p", "lead", "\(count) \(badges.joined(separator: " "))") + losses(report))
    }

    private static func losses(_ report: JSONValue) -> String {
        let sentence = LossesText.sentence(report["losses"])
        return sentence.isEmpty ? "" : HTMLText.element("p", "sub", "Losses: \(HTMLText.escape(sentence))")
    }

    private static func footer(_ report: JSONValue) -> String {
        let host = report["host"]
        let parts = [("kitshell", "version"), ("plugin ABI", "abi"), ("libavformat", "libavformat")].compactMap {
            label, key in
            host?[key]?.string.map { "\(label) \($0)" }
        }
        return HTMLText.escape(parts.joined(separator: " · "))
    }

    private static func overview(_ sessions: [JSONValue]) -> String {
        let rows = sessions.prefix(mostRows).enumerated().map { index, session in
            let number = session["session"]?.int.map { "\($0)" } ?? "–"
            let (word, tone) = outcome(session)
            let source = HTMLText.escape(name(of: session["source"]?.string ?? TextFormat.unknown))
            return [
                index < mostCards ? HTMLText.element("a", [("href", "#s\(number)")], source) : source, number,
                badge(word, tone),
                duration(session["first_frame"]?["total_ms"]), integer(session["stalls"]?["count"]),
                duration(session["stalls"]?["total_ms"]), duration(session["watched_ms"]),
            ]
        }
        return HTMLText.element(
            "section", "card",
            HTMLText.element("h2", [], "Sessions")
                + HTMLText.table(
                    caption: "All sessions of the run",
                    [
                        ("Source", false), ("No.", true), ("Outcome", false), ("First frame", true), ("Stalls", true),
                        ("Stalled", true), ("Watched", true),
                    ], rows))
    }

    // MARK: Words

    /// What a value says to the eye.
    enum Tone: String {
        case good
        case bad
        case plain
    }

    static func badge(_ text: String, _ tone: Tone) -> String {
        HTMLText.element("span", "badge \(tone.rawValue)", HTMLText.escape(text))
    }

    static func outcome(_ session: JSONValue) -> (String, Tone) {
        let piece = TextReport.outcome(session)
        return (piece.text, piece.tone == .good ? .good : piece.tone == .bad ? .bad : .plain)
    }

    static func isHealthy(_ strategy: JSONValue) -> Bool {
        strategy["health"]?.string == "running" && strategy["faults"]?.array?.isEmpty ?? true
    }

    static func name(of source: String) -> String { SourceName.short(source) ?? source }

    static func duration(_ value: JSONValue?) -> String {
        guard let number = value?.number, number.isFinite else { return unknown }
        return number == 0 ? "0" : HTMLText.escape(TextFormat.duration(number)).replacing(" ", with: "&#160;")
    }

    static func integer(_ value: JSONValue?) -> String { value?.int.map { "\($0)" } ?? unknown }

    static func percent(_ value: JSONValue?) -> String {
        guard let number = value?.number, number.isFinite else { return unknown }
        return "\(TextFormat.trimmed(number * 100, places: 2))&#160;%"
    }

    /// What stands for a value that is not known.
    static let unknown = #"<span class="unknown" title="unknown">–</span>"#
}
