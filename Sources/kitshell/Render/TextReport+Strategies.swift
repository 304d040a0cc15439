// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension TextReport {
    /// The plugins that the user gave with what they reported, and whatever else is not as it should be.
    static func strategyLines(_ strategies: [JSONValue], _ sessions: [JSONValue]) -> [TextLine] {
        let own = strategies.filter(isStranger)
        let troubled = strategies.filter { !isStranger($0) && !isHealthy($0) }
        return own.flatMap { strategyHead(" your plugin", $0) + faultLines($0) + recordLines($0, sessions) }
            + troubled.flatMap { strategyHead(" strategy", $0) + faultLines($0) }
    }

    private static func isStranger(_ strategy: JSONValue) -> Bool {
        !["built-in", "native"].contains(strategy["origin"]?.string ?? "built-in")
    }

    private static func isHealthy(_ strategy: JSONValue) -> Bool {
        strategy["health"]?.string == "running" && strategy["faults"]?.array?.isEmpty ?? true
            && strategy["reports_cut"]?.int ?? 0 == 0
    }

    private static func strategyHead(_ label: String, _ strategy: JSONValue) -> [TextLine] {
        let name = strategy["name"]?.string ?? TextFormat.unknown
        let id = strategy["id"]?.string
        let title = [name, id.flatMap { $0 == name ? nil : "(\($0))" }, strategy["version"]?.string]
        var pieces = [TextLine.Piece(TextFormat.clean(title.compactMap(\.self).joined(separator: " ")))]
        if isStranger(strategy), let origin = strategy["origin"]?.string {
            pieces.append(TextLine.Piece(TextLine.cut(TextFormat.clean(origin), to: 36), .faint))
        }
        if let place = place(strategy) { pieces.append(TextLine.Piece(place)) }
        pieces.append(health(strategy))
        if let cut = strategy["reports_cut"]?.int, cut > 0 {
            pieces.append(TextLine.Piece("\(TextFormat.count(Int(cut), "report")) cut", .bad))
        }
        return TextLine.flow(label, pieces, from: headColumn)
    }

    private static func place(_ strategy: JSONValue) -> String? {
        guard let runs = strategy["runs"]?.string, strategy["health"]?.string != "refused" else { return nil }
        let sandbox =
            switch strategy["sandbox"]?.string {
            case "full": ", sandboxed"
            case "partial": ", partly sandboxed"
            case "none": ", no sandbox"
            default: ""
            }
        return TextFormat.clean(runs == "in-process" ? "in process" : runs) + sandbox
    }

    private static func health(_ strategy: JSONValue) -> TextLine.Piece {
        let faults = strategy["faults"]?.array?.count ?? 0
        return switch strategy["health"]?.string {
        case "running" where faults == 0: TextLine.Piece("healthy", .good)
        case "running": TextLine.Piece(TextFormat.count(faults, "fault"), .bad)
        case "backoff": TextLine.Piece("restarting", .bad)
        case let word?: TextLine.Piece(TextFormat.clean(word), .bad)
        case nil: TextLine.Piece(TextFormat.unknown, .bad)
        }
    }

    /// The first fault, which is mostly the cause of the others, and how many there are besides.
    private static func faultLines(_ strategy: JSONValue) -> [TextLine] {
        let faults = strategy["faults"]?.array ?? []
        guard let fault = faults.first else { return [] }
        let detail = fault["detail"]?.string ?? TextFormat.unknown
        var text = ""
        if strategy["health"]?.string == "refused" {
            // The line above names the file and says that it is refused.
            let path = strategy["origin"]?.string ?? ""
            text = String(detail.trimmingPrefix("plugin \(path) is refused: "))
        } else {
            text = fault["kind"]?.string.map { $0.replacing("_", with: " ") } ?? "fault"
            if let during = fault["during"]?.string { text += " in \(during)" }
            if let signal = fault["signal"]?.string, !detail.contains(signal) { text += ", \(signal)" }
            text += ": " + detail
        }
        if faults.count > 1 { text += " (and \(TextFormat.count(faults.count - 1, "more fault")))" }
        return TextLine.wrapped("", TextFormat.clean(text), .bad, from: headColumn, most: 4) + fileLine(of: faults)
    }

    /// Where more is told, in one place: of the first fault that has a file.
    private static func fileLine(of faults: [JSONValue]) -> [TextLine] {
        guard let file = faults.compactMap({ $0["report"]?.string }).first else { return [] }
        return TextLine.flow(
            "", [TextLine.Piece("more in"), TextLine.Piece(TextFormat.clean(file), .faint)], from: headColumn, gap: 1)
    }

    /// What a plugin said of the last session that it said something of.
    private static func recordLines(_ strategy: JSONValue, _ sessions: [JSONValue]) -> [TextLine] {
        guard let name = strategy["name"]?.string,
            let records = sessions.last(where: { $0["plugins"]?[name] != nil })?["plugins"]?[name]?.object
        else { return [] }
        return records.members.flatMap { record -> [TextLine] in
            let fields = record.value.object ?? record.value.array?.last?.object ?? JSONObject()
            // A key stays beside its value.
            var words = fields.members.enumerated().map { index, field in
                TextFormat.clean("\(field.key) \(scalar(field.value))") + (index + 1 < fields.members.count ? "," : "")
            }
            if let occurrences = record.value.array, occurrences.count > 1 {
                words.append("(last of \(occurrences.count))")
            }
            return TextLine.wrapped(
                String(repeating: " ", count: headColumn) + TextFormat.clean(record.key), words: words,
                from: headColumn + 13, most: 2)
        }
    }

    /// A value of a report of a plugin.
    static func scalar(_ value: JSONValue) -> String {
        switch value {
        case .int(let number): "\(number)"
        case .double(let number): TextFormat.trimmed(number, places: 3)
        case .string(let text): text
        case .bool(let flag): flag ? "yes" : "no"
        case .null: TextFormat.unknown
        case .array, .object: "…"
        }
    }
}
