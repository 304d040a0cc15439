// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The document `kitshell.doctor/1` as a person reads it, 80 columns wide. Some strings in it are untrusted.
package enum DoctorText {
    private static let column = 15

    package static func render(_ document: JSONValue, isColored: Bool) -> String {
        let findings = document["findings"]?.array ?? []
        var lines = facts(document).flatMap { row in
            TextLine.flow(" \(row.label)", row.pieces, from: column)
                + findings.filter { $0["about"]?.string == row.about }.flatMap(explain)
        }
        lines.append(TextLine())
        let problems = findings.count { $0["severity"]?.string == "problem" }
        lines.append(
            problems == 0
                ? TextLine(" nothing is wrong", .good) : TextLine(" \(TextFormat.count(problems, "problem"))", .bad))
        return lines.map { $0.text(isColored: isColored) + "\n" }.joined()
    }

    private struct Row {
        var label: String
        /// What findings call it.
        var about: String?
        var pieces: [TextLine.Piece]
    }

    private static func facts(_ document: JSONValue) -> [Row] {
        let host = document["host"] ?? .null
        return [
            Row(
                label: "kitshell",
                pieces: [plain("\(text(host["version"])), plugin ABI \(text(host["abi"]))")]),
            Row(
                label: "libav",
                pieces: [plain("libavformat \(text(host["libavformat"])), \(text(host["libav_licence"]))")]),
            Row(
                label: "machine",
                pieces: [
                    plain(
                        "Linux \(text(host["kernel"])), \(host["user"]?.int == 0 ? "as root" : "as user \(integer(host["user"]))")"
                    )
                ]),
            Row(label: "strategies", about: "strategies", pieces: strategies(document["strategies"] ?? .null)),
            Row(label: "worker", about: "worker", pieces: worker(document["worker"] ?? .null)),
            Row(label: "sandbox", about: "sandbox", pieces: sandbox(document["sandbox"] ?? .null)),
            Row(label: "network", about: "network", pieces: network(document["network"] ?? .null)),
            Row(
                label: "config", about: "configuration",
                pieces: configuration(document["configuration"] ?? .null)),
            Row(label: "state", about: "state", pieces: state(document["state"] ?? .null)),
            Row(label: "quarantines", about: "quarantines", pieces: quarantines(document["quarantines"]?.array ?? [])),
        ]
    }

    // MARK: Rows

    private static func strategies(_ part: JSONValue) -> [TextLine.Piece] {
        let (accepted, refused) = (part["accepted"]?.array?.count ?? 0, part["refused"]?.array?.count ?? 0)
        var pieces = [TextLine.Piece("\(accepted) built-in", accepted > 0 ? .good : .bad)]
        if refused > 0 { pieces.append(TextLine.Piece("\(refused) refused", .bad)) }
        return pieces + place(part["directory"])
    }

    private static func worker(_ part: JSONValue) -> [TextLine.Piece] {
        guard part["path"]?.string != nil else { return [TextLine.Piece("missing", .bad)] }
        let state =
            if let time = part["start_ms"]?.number {
                TextLine.Piece("starts in \(TextFormat.duration(time))", .good)
            } else if part["failure"]?.string != nil {
                TextLine.Piece("does not work", .bad)
            } else {
                TextLine.Piece("not tried", .bad)
            }
        return [state] + place(part["path"])
    }

    private static func sandbox(_ part: JSONValue) -> [TextLine.Piece] {
        let extent = part["extent"]?.string
        let landlock = part["landlock"]?.int ?? 0
        let parts = ["files"] + (landlock > 3 ? ["TCP"] : []) + (landlock > 5 ? ["signals"] : [])
        return [
            TextLine.Piece(extent ?? TextFormat.unknown, extent == "full" ? .good : .bad),
            plain(part["seccomp"]?.bool == true ? "seccomp" : "no seccomp"),
            plain(landlock > 0 ? "Landlock \(landlock) (\(parts.joined(separator: ", ")))" : "no Landlock"),
        ]
    }

    private static func network(_ part: JSONValue) -> [TextLine.Piece] {
        let metered = part["metered"]?.bool.map { $0 ? ", metered" : ", not metered" } ?? ""
        let sources = [("rtnetlink", part["rtnetlink"]), ("NetworkManager", part["network_manager"])]
            .map { $0.1?.bool == true ? $0.0 : "no \($0.0)" }
        return [plain(text(part["type"]) + metered)] + sources.map(plain)
    }

    private static func configuration(_ part: JSONValue) -> [TextLine.Piece] {
        guard part["file"]?.string != nil else { return [plain("none")] }
        let problems = Int(part["problems"]?.int ?? 0)
        let word =
            problems == 0 ? TextLine.Piece("good", .good) : TextLine.Piece(TextFormat.count(problems, "problem"), .bad)
        return [word] + place(part["file"])
    }

    private static func state(_ part: JSONValue) -> [TextLine.Piece] {
        guard part["directory"]?.string != nil else { return [TextLine.Piece("nowhere", .bad)] }
        let isThere = part["exists"]?.bool == true
        let word =
            part["obstacle"]?.string != nil
            ? TextLine.Piece("cannot be written", .bad)
            : TextLine.Piece(isThere ? "can be written" : "made when it is needed", .good)
        return [word] + place(part["directory"])
    }

    private static func quarantines(_ list: [JSONValue]) -> [TextLine.Piece] {
        [list.isEmpty ? TextLine.Piece("none", .good) : TextLine.Piece(TextFormat.count(list.count, "plugin"), .bad)]
    }

    private static func explain(_ finding: JSONValue) -> [TextLine] {
        let tone: TextLine.Tone = finding["severity"]?.string == "problem" ? .bad : .plain
        let message = text(finding["message"])
        let sentence = message + (message.hasSuffix(".") ? " " : ". ") + text(finding["hint"])
        return TextLine.wrapped("", sentence, tone, from: column, most: 8)
    }

    // MARK: Pieces

    private static func plain(_ text: String) -> TextLine.Piece { TextLine.Piece(text) }

    private static func place(_ value: JSONValue?) -> [TextLine.Piece] {
        value?.string.map { [TextLine.Piece(TextFormat.clean($0), .faint)] } ?? []
    }

    private static func text(_ value: JSONValue?) -> String {
        value?.string.map(TextFormat.clean) ?? TextFormat.unknown
    }

    private static func integer(_ value: JSONValue?) -> String { value?.int.map { "\($0)" } ?? TextFormat.unknown }
}
