// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The document `kitshell.plugins/1` as a person reads it, 80 columns wide. Strings in it are untrusted.
enum PluginText {
    private static let column = 17

    /// One paragraph a file with everything that is known of it.
    static func details(_ document: JSONValue, isColored: Bool) -> String {
        let plugins = document["plugins"]?.array ?? []
        return plugins.map { text(of: detailLines($0), isColored) }.joined(separator: "\n")
    }

    /// A line or two a plugin.
    static func list(_ document: JSONValue, isColored: Bool) -> String {
        let plugins = document["plugins"]?.array ?? []
        if plugins.isEmpty { return "no plugins found\n" }
        // Beside a name that is wider, a row of a built-in one would not fit.
        let column = plugins.map { TextLine.width(of: listName($0)) + 4 }.filter { $0 <= 28 }.max() ?? Self.column
        return plugins.map { text(of: listLines($0, from: column), isColored) }.joined()
    }

    private static func text(of lines: [TextLine], _ isColored: Bool) -> String {
        lines.map { $0.text(isColored: isColored) + "\n" }.joined()
    }

    // MARK: List

    private static func listName(_ plugin: JSONValue) -> String {
        string(plugin, "id") ?? string(plugin, "path") ?? TextFormat.unknown
    }

    private static func listLines(_ plugin: JSONValue, from column: Int) -> [TextLine] {
        var pieces = [TextLine.Piece(string(plugin, "verdict") ?? "", isAccepted(plugin) ? .good : .bad)]
        pieces += [string(plugin, "version"), kinds(plugin)].compactMap { $0.map { TextLine.Piece($0) } }
        if isAccepted(plugin), let runs = string(plugin, "runs") { pieces.append(TextLine.Piece(runs)) }
        let isBuiltin = string(plugin, "origin") == "built-in"
        if let place = isBuiltin ? "built-in" : string(plugin, "path"), place != listName(plugin) {
            pieces.append(TextLine.Piece(place, .faint))
        }
        return TextLine.flow(" \(listName(plugin))", pieces, from: column) + refusalLines(plugin, from: column)
            + warningLines(plugin, from: column) + shadowLines(plugin, from: column)
            + quarantineLines(plugin, from: column)
    }

    private static func shadowLines(_ plugin: JSONValue, from column: Int) -> [TextLine] {
        guard let path = string(plugin, "shadowed_by") else { return [] }
        return TextLine.flow(
            "   shadowed", [TextLine.Piece(path, .bad), TextLine.Piece("came first and is used in its place")],
            from: column)
    }

    private static func quarantineLines(_ plugin: JSONValue, from column: Int) -> [TextLine] {
        (plugin["quarantines"]?.array ?? []).flatMap { quarantine in
            let sentence =
                "since \(string(quarantine, "since") ?? TextFormat.unknown), unless it is named with --plugin: "
                + (string(quarantine, "detail") ?? TextFormat.unknown)
            return TextLine.wrapped("   quarantined", sentence, .bad, from: column, most: 4)
        }
    }

    // MARK: Details

    private static func detailLines(_ plugin: JSONValue) -> [TextLine] {
        var lines = [TextLine(" \(string(plugin, "path") ?? TextFormat.unknown)")]
        let code = plugin["refusal"]?["code"]?.string.map { " [\(TextFormat.clean($0))]" } ?? ""
        let verdict = (string(plugin, "verdict") ?? TextFormat.unknown) + code
        lines += row("verdict", [TextLine.Piece(verdict, isAccepted(plugin) ? .good : .bad)])
        lines += refusalLines(plugin, from: column) + warningLines(plugin, from: column)
        if let id = string(plugin, "id") {
            let people = [string(plugin, "name"), string(plugin, "vendor")].compactMap { $0 }.filter { !$0.isEmpty }
            lines += row(
                "id",
                [
                    TextLine.Piece("\(id) \(string(plugin, "version") ?? "")"),
                    TextLine.Piece(people.joined(separator: ", ")),
                ])
            lines += row("kinds", [TextLine.Piece(kinds(plugin) ?? "none")])
        }
        if let abi = plugin["abi"], let major = abi["major"]?.int, let minor = abi["minor"]?.int {
            let needed = abi["needed_minor"]?.int.map { "needs a host of \(major).\($0) or later" } ?? ""
            lines += row("abi", [TextLine.Piece("built for \(major).\(minor)"), TextLine.Piece(needed)])
        }
        let capabilities = strings(plugin, "capabilities")
        if !capabilities.isEmpty { lines += row("asks for", capabilities.map { TextLine.Piece($0) }) }
        if let architecture = string(plugin, "architecture") {
            lines += row("architecture", [TextLine.Piece(architecture)])
        }
        lines += optionLines(plugin)
        lines +=
            names("exports", strings(plugin, "exports"), most: 8)
            + names("imports", strings(plugin, "imports"), most: 12)
        lines += needLines(plugin)
        if let hash = string(plugin, "sha256") {
            // It is wider than a line; a person compares it half by half.
            lines += row("sha256", [hash.prefix(32), hash.dropFirst(32)].map { TextLine.Piece(String($0)) })
        }
        return lines
    }

    private static func optionLines(_ plugin: JSONValue) -> [TextLine] {
        (plugin["options"]?.array ?? []).flatMap { option -> [TextLine] in
            var pieces = [TextLine.Piece("\(string(option, "key") ?? "") (\(string(option, "type") ?? ""))")]
            for key in ["default", "min", "max"] {
                if let value = option[key], value != .null { pieces.append(TextLine.Piece("\(key) \(plain(value))")) }
            }
            let choices = option["choices"]?.array ?? []
            if !choices.isEmpty {
                pieces.append(TextLine.Piece("one of \(choices.map(plain).joined(separator: ", "))"))
            }
            if let help = string(option, "help"), !help.isEmpty { pieces.append(TextLine.Piece(help, .faint)) }
            return row("option", pieces)
        }
    }

    private static func needLines(_ plugin: JSONValue) -> [TextLine] {
        (plugin["needs"]?.array ?? []).flatMap { need -> [TextLine] in
            let place = string(need, "path")
            return row(
                "needs",
                [
                    TextLine.Piece(string(need, "library") ?? ""),
                    place.map { TextLine.Piece($0, .faint) } ?? TextLine.Piece("not found", .bad),
                ])
        }
    }

    private static func names(_ label: String, _ names: [String], most: Int) -> [TextLine] {
        guard !names.isEmpty else { return [] }
        let shown = names.prefix(most).map { TextLine.Piece($0) }
        let rest = names.count > most ? [TextLine.Piece("and \(names.count - most) more", .faint)] : []
        return row(label, shown + rest)
    }

    // MARK: Shared

    private static func refusalLines(_ plugin: JSONValue, from column: Int) -> [TextLine] {
        guard let refusal = plugin["refusal"], refusal != .null else { return [] }
        let sentence = "\(string(refusal, "message") ?? ""). \(string(refusal, "hint") ?? "")"
        return TextLine.wrapped("", sentence, from: column, most: 6)
    }

    private static func warningLines(_ plugin: JSONValue, from column: Int) -> [TextLine] {
        (plugin["warnings"]?.array ?? []).flatMap { warning in
            TextLine.wrapped("   warning", string(warning, "message") ?? "", from: column, most: 4)
        }
    }

    private static func row(_ label: String, _ pieces: [TextLine.Piece]) -> [TextLine] {
        TextLine.flow("   \(label)", pieces.filter { !$0.text.isEmpty }, from: column, gap: 2)
    }

    private static func isAccepted(_ plugin: JSONValue) -> Bool { plugin["verdict"]?.string == "accepted" }

    private static func kinds(_ plugin: JSONValue) -> String? {
        let kinds = strings(plugin, "kinds")
        return kinds.isEmpty ? nil : kinds.joined(separator: " and ")
    }

    private static func strings(_ value: JSONValue, _ key: String) -> [String] {
        (value[key]?.array ?? []).compactMap(\.string).map(TextFormat.clean)
    }

    private static func string(_ value: JSONValue, _ key: String) -> String? {
        (value[key]?.string).map(TextFormat.clean)
    }

    private static func plain(_ value: JSONValue) -> String {
        value.string.map(TextFormat.clean) ?? JSONWriter.text(value)
    }
}
