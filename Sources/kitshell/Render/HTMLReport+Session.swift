// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import PlayerKit

extension HTMLReport {
    /// Everything about one session.
    static func card(_ session: JSONValue, _ trace: SessionTrace?) -> String {
        let number = session["session"]?.int.map { "\($0)" } ?? "0"
        let source = session["source"]?.string ?? TextFormat.unknown
        let (word, tone) = outcome(session)
        var head = HTMLText.element("h2", [("id", "s\(number)")], HTMLText.escape(name(of: source)) + badge(word, tone))
        if name(of: source) != source { head += HTMLText.element("p", "path", HTMLText.escape(source)) }
        head += HTMLText.element("p", "sub", HTMLText.escape(about(session)))
        return HTMLText.element(
            "section", [("class", "card"), ("aria-labelledby", "s\(number)")],
            head + errors(session) + figures(session) + timeline(session, trace) + lists(session, trace)
                + monitors(session))
    }

    /// Media and circumstances in a line.
    private static func about(_ session: JSONValue) -> String {
        var parts = [
            session["media"].flatMap(TextReport.media(of:)),
            session["media"]?["duration_ms"]?.number.map { "\(TextFormat.seconds($0)) long" },
            ending(session["end_reason"]?.string),
            session["instance"]?.string.map { "\($0) player" },
            session["traffic"]?["type"]?.string.map { "network \($0)" },
        ].compactMap { $0 }
        if let former = session["continued_from"]?.int { parts.append("continues session \(former)") }
        if session["incomplete"]?.bool == true { parts.append("events were lost, figures may be too low") }
        return parts.joined(separator: " · ")
    }

    private static func ending(_ reason: String?) -> String? {
        guard let reason else { return "no end was recorded" }
        return ["completed", "error"].contains(reason) ? nil : "ended by \(reason.replacing("_", with: " "))"
    }

    private static func errors(_ session: JSONValue) -> String {
        (session["errors"]?.array ?? []).prefix(20).map { error in
            let name = [error["name"]?.string, error["code"]?.int.map { "\($0)" }].compactMap { $0 }.joined(
                separator: " ")
            let isFatal = error["fatal"]?.bool == true
            let hint = error["hint"]?.string ?? ""
            return HTMLText.element(
                "div", isFatal ? "error" : "error mild",
                HTMLText.element(
                    "p", [],
                    HTMLText.element("strong", [], isFatal ? "Error" : "Not fatal")
                        + " \(HTMLText.escape(error["message"]?.string ?? TextFormat.unknown))"
                        + (name.isEmpty ? "" : " \(HTMLText.element("code", [], HTMLText.escape(name)))"))
                    + (hint.isEmpty ? "" : HTMLText.element("p", "hint", HTMLText.escape(hint))))
        }.joined()
    }

    // MARK: Figures

    private static func figure(_ name: String, _ value: String, _ detail: String = "", isBad: Bool = false) -> String {
        HTMLText.element(
            "div", isBad ? "figure bad" : "figure",
            HTMLText.element("dt", [], name) + HTMLText.element("dd", [], value)
                + (detail.isEmpty ? "" : HTMLText.element("dd", "detail", detail)))
    }

    private static func figures(_ session: JSONValue) -> String {
        let first = session["first_frame"]
        let stalls = session["stalls"]
        let frames = session["frames"]
        let count = stalls?["count"]?.int ?? 0
        let isSoundOnly = TextReport.isSoundOnly(session)
        let toFrame = session["click_to_frame_ms"]
        var list: [String] = []
        if first != nil {
            let isKnown = first?["prepare_ms"]?.number != nil && first?["render_ms"]?.number != nil
            let split = "prepare \(duration(first?["prepare_ms"])) + render \(duration(first?["render_ms"]))"
            let detail = isKnown ? split : isSoundOnly ? "sound only" : ""
            list.append(figure("First frame", duration(first?["total_ms"]), detail))
        }
        list.append(
            figure(
                "Start-up", duration(session["join_ms"]),
                session["join_invalid"]?.string.map { "no figure: \(HTMLText.escape($0)) while joining" }
                    ?? (toFrame?.number == nil ? "" : "click to frame \(duration(toFrame))")))
        list.append(
            figure(
                "Stalls", integer(stalls?["count"]),
                count > 0 ? "\(duration(stalls?["total_ms"])), \(percent(stalls?["ratio"])) of watched" : "",
                isBad: count > 0))
        if let stutter = session["stutter"], !stutter.isNull {
            let count = stutter["count"]?.int ?? 0
            list.append(figure("Stutter", integer(stutter["count"]), count > 0 ? duration(stutter["total_ms"]) : ""))
        }
        list.append(figure("Watched", duration(session["watched_ms"]), "\(percent(session["completion"])) complete"))
        if frames?["presented"]?.int != nil, !isSoundOnly {
            let run = frames?["max_consecutive_dropped"]?.int ?? 0
            let late = "\(integer(frames?["dropped_late"])) late" + (run > 1 ? ", most in a row \(run)" : "")
            let isSlow = frames?["decoder_slow"]?.int ?? 0 > 0
            let slow = isSlow ? ", decoder slow for \(duration(frames?["decoder_slow_ms"]))" : ""
            let isLate = isSlow || frames?["dropped_late"]?.int ?? 0 > 0
            list.append(
                figure(
                    "Pictures", integer(frames?["presented"]),
                    isLate ? HTMLText.element("span", "warn", late + slow) : late))
        }
        if session["seeks"]?["requested"]?.int ?? 0 > 0 {
            let done = "\(integer(session["seeks"]?["completed"])) completed"
            list.append(figure("Seeks", integer(session["seeks"]?["requested"]), done))
        }
        if let read = session["bytes"]?["read"]?.int { list.append(figure("Read", bytes(read), throughput(session))) }
        return HTMLText.element("dl", "figures", list.joined())
    }

    /// What the network took; empty if that is not known.
    private static func throughput(_ session: JSONValue) -> String {
        guard let mean = session["bytes"]?["throughput_bps"]?["mean"]?.number else { return "" }
        return "\(TextFormat.trimmed(mean / 1_000_000, places: 1)) Mbit/s"
    }

    private static func bytes(_ count: Int64) -> String {
        switch count {
        case ..<1000: "\(count) B"
        case ..<1_000_000: "\(TextFormat.trimmed(Double(count) / 1000, places: 1)) kB"
        case ..<1_000_000_000: "\(TextFormat.trimmed(Double(count) / 1_000_000, places: 1)) MB"
        default: "\(TextFormat.trimmed(Double(count) / 1_000_000_000, places: 1)) GB"
        }
    }

    // MARK: Lists

    private static let mostEntries = 200

    private static func details(_ title: String, _ count: Int, _ table: String) -> String {
        guard count > 0 else { return "" }
        let more =
            count > mostEntries ? HTMLText.element("p", "more", "\(count - mostEntries) more in --report json") : ""
        return HTMLText.element(
            "details", [],
            HTMLText.element("summary", [], "\(title) \(HTMLText.element("span", "count", "\(count)"))") + table + more)
    }

    private static func lists(_ session: JSONValue, _ trace: SessionTrace?) -> String {
        let stalls = session["stalls"]?["list"]?.array ?? []
        let stallRows = stalls.prefix(mostEntries).map { stall in
            [
                duration(stall["start_ms"]), duration(stall["duration_ms"]), word(stall["cause"]), word(stall["kind"]),
            ]
        }
        let stuck = session["stuck"]?.array ?? []
        let stuckRows = stuck.prefix(mostEntries).map {
            [duration($0["start_ms"]), duration($0["duration_ms"]), word($0["kind"])]
        }
        let renditions = session["renditions"]?["list"]?.array ?? []
        let renditionRows = renditions.prefix(mostEntries).map { rendition in
            let size = rendition["width"]?.int.flatMap { width in rendition["height"]?.int.map { "\(width)x\($0)" } }
            let rate = rendition["bitrate"]?.int.map { "\($0 / 1000) kbit/s" }
            return [
                HTMLText.escape(rendition["id"]?.string ?? "–"), size ?? unknown, rate ?? unknown,
                duration(rendition["media_ms"]),
            ]
        }
        let marks = trace?.marks ?? []
        let markRows = marks.prefix(mostEntries).map {
            [duration(.milliseconds($0.time)), $0.kind.name, HTMLText.escape($0.text)]
        }
        return details(
            "Stalls", stalls.count,
            HTMLText.table(
                caption: "Stalls", [("Start", true), ("Duration", true), ("Cause", false), ("Kind", false)], stallRows))
            + details(
                "Stuck", stuck.count,
                HTMLText.table(
                    caption: "Times without progress", [("Since", true), ("Duration", true), ("What", false)], stuckRows
                ))
            + details(
                "Renditions", renditions.count,
                HTMLText.table(
                    caption: "Renditions",
                    [("Id", false), ("Size", true), ("Bitrate", true), ("Media presented", true)], renditionRows))
            + details(
                "Events", marks.count,
                HTMLText.table(caption: "Events", [("Time", true), ("Event", false), ("Detail", false)], markRows))
    }

    private static func word(_ value: JSONValue?) -> String {
        HTMLText.escape(value?.string?.replacing("_", with: " ") ?? TextFormat.unknown)
    }

    /// What the user's own plugins said: their records, and how many occurrences.
    private static func monitors(_ session: JSONValue) -> String {
        let rows = (session["plugins"]?.object?.members ?? []).flatMap { instance in
            (instance.value.object?.members ?? []).map { report -> [String] in
                let fields = report.value.object ?? report.value.array?.last?.object ?? JSONObject()
                let text = fields.members.map { "\($0.key) \(TextReport.scalar($0.value))" }.joined(separator: ", ")
                let count = report.value.array.map { "\($0.count) times; last: " } ?? ""
                return [HTMLText.escape(instance.key), HTMLText.escape(report.key), HTMLText.escape(count + text)]
            }
        }
        return details(
            "Reports of your plugins", rows.count,
            HTMLText.table(
                caption: "Reports of your plugins", [("Plugin", false), ("Report", false), ("Values", false)],
                Array(rows.prefix(mostEntries))))
    }
}

extension SessionTrace.Mark.Kind {
    /// For people.
    var name: String {
        switch self {
        case .firstFrame: "first frame"
        case .firstAudio: "first sound"
        case .seek: "seek"
        case .rendition: "rendition"
        case .loop: "loop"
        case .network: "network"
        case .retry: "retry"
        case .error: "error"
        }
    }
}
