// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import PlayerKit

extension HTMLReport {
    /// Units of the drawing from left to right.
    private static let width = 1000.0

    /// States, buffer and events over time; without a trace the states by their sums.
    static func timeline(_ session: JSONValue, _ trace: SessionTrace?) -> String {
        let states = (session["states_ms"]?.object?.members ?? []).compactMap { member in
            member.value.number.flatMap { $0 > 0 && $0.isFinite ? (name: member.key, time: $0) : nil }
        }
        guard !states.isEmpty else { return "" }
        let total = states.reduce(0) { $0 + $1.time }
        let words = states.map { state in
            "\(state.name.replacing("_", with: " ")) \(TextFormat.duration(state.time))"
        }
        let legend = states.map { state in
            HTMLText.element(
                "li", [],
                HTMLText.element("span", "swatch st-\(HTMLText.escape(state.name))", "")
                    + HTMLText.escape(state.name.replacing("_", with: " ")) + " "
                    + HTMLText.element(
                        "span", "num",
                        HTMLText.escape(TextFormat.duration(state.time))
                            + " · \(TextFormat.decimal((state.time / total * 1000).rounded(.down) / 10, places: 1)) %"))
        }
        guard let trace, trace.end > 0, !trace.segments.isEmpty else {
            return figure(
                rows: [
                    drawing(
                        stacked(states, total), height: 28, name: "States, summed up",
                        label: "Time in states: " + words.joined(separator: ", "))
                ],
                axis: "", legend: legend.joined())
        }
        var rows = [
            drawing(
                segments(trace), height: 28, name: "States", label: "States over time: " + words.joined(separator: ", ")
            )
        ]
        if trace.levels.count > 1 { rows.append(buffer(trace)) }
        if !trace.marks.isEmpty || !trace.late.isEmpty { rows.append(marks(trace)) }
        let cut =
            trace.cut == 0
            ? "" : HTMLText.element("p", "sub", "\(trace.cut) later states or events are not drawn.")
        return figure(rows: rows, axis: axis(trace.end), legend: legend.joined() + markLegend(trace)) + cut
    }

    private static func figure(rows: [String], axis: String, legend: String) -> String {
        HTMLText.element(
            "figure", "timeline",
            rows.joined() + axis + HTMLText.element("figcaption", [], HTMLText.element("ul", "legend", legend)))
    }

    /// A drawing that is stretched to the width of the page.
    private static func drawing(_ shapes: String, height: Int, name: String, label: String) -> String {
        HTMLText.element("p", "rowname", HTMLText.escape(name))
            + HTMLText.element(
                "svg",
                [
                    ("viewBox", "0 0 \(Int(width)) \(height)"), ("preserveAspectRatio", "none"), ("role", "img"),
                    ("aria-label", label), ("height", "\(height)"), ("class", "row"),
                ], shapes)
    }

    private static func rectangle(
        _ x: Double, _ width: Double, height: Int, class name: String, title: String
    ) -> String {
        HTMLText.element(
            "rect",
            [
                ("x", number(x)), ("y", "0"), ("width", number(width)), ("height", "\(height)"), ("class", name),
            ], HTMLText.element("title", [], HTMLText.escape(title)))
    }

    private static func number(_ value: Double) -> String { TextFormat.trimmed(value, places: 2) }

    // MARK: States

    private static func stacked(_ states: [(name: String, time: Double)], _ total: Double) -> String {
        var x = 0.0
        return states.map { state in
            let span = state.time / total * width
            defer { x += span }
            return rectangle(
                x, max(span, 1), height: 28, class: "st-\(state.name)",
                title: "\(state.name): \(TextFormat.duration(state.time))")
        }.joined()
    }

    private static func segments(_ trace: SessionTrace) -> String {
        let scale = width / Double(trace.end)
        return trace.segments.filter { $0.duration > 0 }.map { segment in
            let name = segment.state.name
            let start = TextFormat.duration(Double(segment.start) / 1000)
            // A stall or a seek is never too short to be seen.
            return rectangle(
                Double(segment.start) * scale, max(Double(segment.duration) * scale, name == "playing" ? 0 : 2),
                height: 28, class: "st-\(name)",
                title:
                    "\(name.replacing("_", with: " ")) for \(TextFormat.duration(Double(segment.duration) / 1000)) from \(start)"
            )
        }.joined()
    }

    // MARK: Buffer

    private static func buffer(_ trace: SessionTrace) -> String {
        let height = 56
        let most = trace.levels.reduce(0) { max($0, $1.ahead) }
        let least = trace.levels.reduce(Int64.max) { min($0, $1.ahead) }
        let scale = width / Double(trace.end)
        let level = { (value: Int64) in Double(height) - Double(value) / Double(max(most, 1)) * (Double(height) - 4) }
        var line = ""
        for (index, point) in trace.levels.enumerated() {
            line += "\(index == 0 ? "M" : "L")\(number(Double(point.time) * scale)) \(number(level(point.ahead)))"
        }
        let first = number(Double(trace.levels.first?.time ?? 0) * scale)
        let last = number(Double(trace.levels.last?.time ?? 0) * scale)
        let shapes =
            HTMLText.element("path", [("class", "area"), ("d", "\(line)L\(last) \(height)L\(first) \(height)Z")])
            + HTMLText.element("path", [("class", "line"), ("d", line)])
        let range =
            "\(TextFormat.duration(Double(least) / 1000)) to \(TextFormat.duration(Double(most) / 1000))"
        return drawing(
            shapes, height: height, name: "Buffer, up to \(TextFormat.duration(Double(most) / 1000))",
            label: "Buffered media ahead of the playhead: \(range)")
    }

    // MARK: Events

    private static func marks(_ trace: SessionTrace) -> String {
        let scale = width / Double(trace.end)
        let height = 18
        let lines = trace.marks.map { mark in
            line(
                Double(mark.time) * scale, height, "mk-\(mark.kind.rawValue)", "\(mark.kind.name) \(mark.text)",
                mark.time)
        }
        let late = trace.late.map { late in
            line(
                Double(late.time) * scale, height, "mk-late",
                TextFormat.count(Int(clamping: late.count), "late picture"), late.time)
        }
        let counts = markCounts(trace).map { TextFormat.count($0.count, $0.name) }.joined(separator: ", ")
        return drawing(
            (late + lines).joined(), height: height, name: "Events", label: "Events: \(counts)")
    }

    private static func line(_ x: Double, _ height: Int, _ name: String, _ title: String, _ time: Int64) -> String {
        HTMLText.element(
            "line", [("x1", number(x)), ("x2", number(x)), ("y1", "2"), ("y2", "\(height - 2)"), ("class", name)],
            HTMLText.element(
                "title", [], HTMLText.escape("\(title) at \(TextFormat.duration(Double(time) / 1000))")))
    }

    private static func markCounts(_ trace: SessionTrace) -> [(name: String, key: String, count: Int)] {
        let kinds = SessionTrace.Mark.Kind.allCases.map { kind in
            (name: kind.name, key: kind.rawValue, count: trace.marks.count { $0.kind == kind })
        }
        let late = trace.late.reduce(0) { $0 + Int(clamping: $1.count) }
        return (kinds + [(name: "late picture", key: "late", count: late)]).filter { $0.count > 0 }
    }

    private static func markLegend(_ trace: SessionTrace) -> String {
        markCounts(trace).map { mark in
            HTMLText.element(
                "li", [],
                HTMLText.element("span", "swatch tick mk-\(mark.key)", "") + HTMLText.escape(mark.name)
                    + (mark.count > 1 ? " \(HTMLText.element("span", "num", "\(mark.count)"))" : ""))
        }.joined()
    }

    private static func axis(_ end: Int64) -> String {
        let labels = (0...4).map { quarter in
            HTMLText.element("span", [], duration(.double(Double(end) / 4000 * Double(quarter))))
        }
        return HTMLText.element("div", [("class", "axis"), ("aria-hidden", "true")], labels.joined())
    }
}
