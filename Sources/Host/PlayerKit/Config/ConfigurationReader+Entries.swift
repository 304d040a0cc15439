// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import MediaCore
internal import PluginHost
internal import Sessions

extension ConfigurationReader {
    /// Reads a strategy and holds it to what its plugin says of itself.
    ///
    /// - Parameter key: its path.
    /// - Returns: nil if it has no name or no file, which has then been told.
    mutating func entry(_ value: JSON5Value, _ key: String, of kind: PluginNote.Kinds) -> Configuration.Entry? {
        guard let nameValue = value.string == nil ? value["name"] : value, let name = nameValue.string, !name.isEmpty
        else { return nil }
        let nameKey = value.string == nil ? "\(key).name" : key
        guard StrategyName.isValid(name) else {
            report(
                nameValue.problem(
                    nameKey, "\(nameValue.shown) is no name",
                    hint: "a name has letters, digits, '.', '_' and '-', at most 128; a file is named with path"))
            return nil
        }
        if let former = names[name] {
            report(
                nameValue.problem(
                    nameKey, "\(former.key) in line \(former.line) is called '\(name)' too",
                    hint: "give this one a name of its own, and its file with path"))
        } else {
            names[name] = (key, nameValue.position.line)
        }
        var entry = Configuration.Entry(name: name)
        entry.isolation = value["isolation"]?.string.flatMap { StrategySelection.Isolation(rawValue: $0) }
        entry.sha256 = value["sha256"]?.string.flatMap { ConfigurationShape.isHash($0) ? $0.lowercased() : nil }
        guard let file = file(of: &entry, value, key, nameValue, nameKey, kind) else { return nil }
        guard file.note.kinds.contains(kind) else {
            report(
                nameValue.problem(
                    nameKey, "'\(name)' is no \(kind.adjective) strategy",
                    hint: "it is a \((kind == .monitor ? PluginNote.Kinds.lifecycle : .monitor).adjective) strategy"))
            return nil
        }
        if let options = value["options"]?.members { readOptions(options, "\(key).options", file, &entry) }
        if let grants = value["grant"]?.array { readGrants(grants, "\(key).grant", file, kind, &entry) }
        return entry
    }

    // MARK: Files

    /// The plugin that an entry means; nil if it cannot be had, which has then been told.
    private mutating func file(
        of entry: inout Configuration.Entry, _ value: JSON5Value, _ key: String, _ nameValue: JSON5Value,
        _ nameKey: String, _ kind: PluginNote.Kinds
    ) -> HostedPlugin? {
        if let pathValue = value["path"] {
            guard let path = pathValue.string, !path.isEmpty, let whole = absolute(path, pathValue, "\(key).path")
            else {
                return nil
            }
            entry.path = whole
            return stranger(entry, value, key, (pathValue, "\(key).path"))
        }
        do throws(PlayerError) {
            if let file = try catalog.builtin(entry.name) {
                for (given, what) in [("sha256", "has no hash to be held to"), ("isolation", "runs in this process")] {
                    guard let position = value[given] else { continue }
                    report(
                        position.problem(
                            "\(key).\(given)", "'\(entry.name)' is a strategy of the product and \(what)",
                            hint: "leave the key out"))
                }
                return file
            }
        } catch {
            report(nameValue.problem(nameKey, error.message, hint: error.hint.asClause))
            return nil
        }
        guard let found = search[entry.name] else {
            reportUnknown(nameValue, nameKey, kind)
            return nil
        }
        let path = found.inspection.path
        entry.path = path
        let others = search.shadowed(by: path)
        if !others.isEmpty {
            configuration.notes.append(
                nameValue.problem(
                    nameKey, "'\(entry.name)' is \(path); \(others.joined(separator: " and ")) has the same id",
                    hint: "the first in pluginPath is used; path names another"))
        }
        return stranger(entry, value, key, (nameValue, nameKey))
    }

    private mutating func stranger(
        _ entry: Configuration.Entry, _ value: JSON5Value, _ key: String, _ place: (value: JSON5Value, key: String)
    ) -> HostedPlugin? {
        do throws(PlayerError) {
            return try catalog.stranger(
                path: entry.path ?? "", runs: entry.isolation == .inProcess ? .inProcess : .worker,
                allowsInsecurePath: allowsInsecurePaths, sha256: entry.sha256)
        } catch {
            var place = place
            if error.cause == Refusal.Code.hashMismatch.rawValue, let pin = value["sha256"] {
                place = (pin, "\(key).sha256")
            }
            report(place.value.problem(place.key, error.message, hint: error.hint.asClause))
            return nil
        }
    }

    private mutating func reportUnknown(_ value: JSON5Value, _ key: String, _ kind: PluginNote.Kinds) {
        let valid = catalog.builtinNames(of: kind) + search.ids(of: kind)
        let unread = search.obstacles.map(\.directory)
        let gap = unread.isEmpty ? "" : ", and \(unread.joined(separator: " and ")) could not be read"
        report(
            value.problem(
                key, "no \(kind.adjective) strategy has the id \(value.shown)\(gap)",
                hint: "valid: \(valid.joined(separator: ", ")); a file is named with path",
                unknown: value.string, valid: valid))
    }

    // MARK: Options and grants

    private mutating func readOptions(
        _ members: [JSON5Value.Member], _ key: String, _ file: HostedPlugin, _ entry: inout Configuration.Entry
    ) {
        let keys = file.options.options.map(\.key)
        for member in members {
            let path = "\(key).\(member.key)"
            guard let option = file.options[member.key] else {
                report(
                    .init(
                        line: member.keyPosition.line, column: member.keyPosition.column, key: path,
                        "'\(entry.name)' has no such option",
                        hint: keys.isEmpty ? "it has no options" : "valid: \(keys.joined(separator: ", "))",
                        unknown: member.key, valid: keys))
                continue
            }
            let expected = option.expectation(listedAs: "a list, each value %").asClause
            guard let text = option.text(of: member.value) else {
                let hasComma =
                    option.isList && member.value.array?.contains { $0.string?.contains(",") == true } == true
                report(
                    member.value.problem(
                        path, hasComma ? "a value of a list has a comma" : "\(member.value.shown) is not what it takes",
                        hint: hasComma ? "values of lists have none" : expected))
                continue
            }
            do throws(OptionError) {
                _ = try file.options.values(for: [OptionSetting(key: option.key, text: text)])
                entry.options.append(.init(strategy: entry.name, key: option.key, text: text))
            } catch {
                report(member.value.problem(path, error.message, hint: expected))
            }
        }
    }

    private mutating func readGrants(
        _ values: [JSON5Value], _ key: String, _ file: HostedPlugin, _ kind: PluginNote.Kinds,
        _ entry: inout Configuration.Entry
    ) {
        for (index, value) in values.enumerated() {
            guard let text = value.string, !text.isEmpty else { continue }
            let path = "\(key)[\(index)]"
            var capability = text
            if let equals = text.firstIndex(of: "="), text.index(after: equals) < text.endIndex {
                // Here a path counts from the file, as every path in it.
                guard let whole = absolute(String(text[text.index(after: equals)...]), value, path) else { continue }
                capability = text[...equals] + whole
            }
            do throws(SelectionError) {
                var grants = PluginGrants()
                try grants.add(.init(strategy: entry.name, capability: capability), to: file, running: kind)
                entry.grants.append(capability)
            } catch {
                report(
                    value.problem(
                        path, error.message, hint: error.hint.asClause, unknown: error.unknown, valid: error.valid))
            }
        }
    }
}

extension OptionTable.Option {
    /// A value as the command line has it; nil if it is of another type, or a text with a comma in a list, whose values commas separate.
    fileprivate func text(of value: JSON5Value) -> String? {
        guard isList else { return scalar(value) }
        guard let elements = value.array else { return nil }
        let texts = elements.compactMap(scalar)
        guard texts.count == elements.count, !texts.contains(where: { $0.contains(",") }) else { return nil }
        return texts.joined(separator: ",")
    }

    private func scalar(_ value: JSON5Value) -> String? {
        switch (type, value.content) {
        case (.int, _): value.int.map { "\($0)" }
        case (.double, .int), (.double, .double), (.duration, .int), (.duration, .double):
            value.number.map { JSONWriter.text(.double($0)) }
        case (.string, .string(let text)): text
        case (.flag, .bool(let flag)): "\(flag)"
        default: nil
        }
    }
}

extension PluginNote.Kinds {
    /// As messages call a strategy of this kind.
    var adjective: String { self == .monitor ? "monitoring" : "lifecycle" }
}

extension String {
    /// A sentence as the end of another: without its full stop, and with a small letter where it begins with a word.
    var asClause: String {
        var text = self
        if text.hasSuffix(".") { text.removeLast() }
        let second = text.dropFirst().first
        guard let first, first.isUppercase, second?.isLowercase == true || second == " " else { return text }
        return first.lowercased() + text.dropFirst()
    }
}
