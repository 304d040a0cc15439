// SPDX-License-Identifier: Apache-2.0

public import JSONText
internal import PluginHost

/// What plugin files say of themselves and whether they are accepted, as the document `kitshell.plugins/1`. No byte of a file runs.
public struct PluginDocument: Sendable {
    /// The name and version of the document's form: `plugins.schema.json`.
    public static let schema = "kitshell.plugins/1"

    /// The document.
    public private(set) var json: JSONValue
    /// Whether every file is accepted.
    public private(set) var isAllAccepted: Bool

    /// Everything that can be read from the files, their SHA-256 too. One of the installation's own strategies is looked at as that.
    public static func inspect(paths: [String], allowsInsecurePaths: Bool) -> PluginDocument {
        inspect(
            paths: paths, builtinDirectory: InstallLayout().builtinDirectory, allowsInsecurePaths: allowsInsecurePaths)
    }

    /// - Parameter builtinDirectory: where the installation's own strategies are; nil if there is no such place.
    package static func inspect(
        paths: [String], builtinDirectory: String?, allowsInsecurePaths: Bool
    ) -> PluginDocument {
        PluginDocument(
            paths.map { path in
                let isBuiltin = builtinDirectory.map { PluginCatalog.isBuiltin(path, in: $0) } ?? false
                let policy = LoadPolicy(
                    origin: isBuiltin ? .builtIn : .stranger, allowsInsecurePath: allowsInsecurePaths)
                return Row(
                    inspection: PluginInspector.inspect(path: path, policy: policy, hashing: true),
                    isBuiltin: isBuiltin, isDetailed: true)
            })
    }

    fileprivate struct Row {
        var inspection: PluginInspection
        var isBuiltin = false
        var isDetailed = false
        var runs = StrategySelection.Isolation.worker
        /// It was found in a directory of plugins.
        var isFound = false
        /// The file of the same id that is used in its place.
        var shadowedBy: String?
        /// Those of the same content; none are looked for where it is detailed.
        var quarantines: [PluginQuarantine] = []
    }

    private init(_ rows: [Row]) {
        isAllAccepted = rows.allSatisfy { $0.inspection.refusal == nil }
        json = [
            "schema": .string(PluginDocument.schema),
            "plugins": .array(
                rows.map { row in
                    JSONValue(row)
                }),
        ]
    }
}

extension Installation {
    /// The given files, those of the configuration, those in its directories, and the built-in plugins, without what only an author wants
    /// to know.
    public func listPlugins(paths: [String], allowsInsecurePaths: Bool) -> PluginDocument {
        PluginDocument.list(catalog, configuration, paths: paths, allowsInsecurePaths: allowsInsecurePaths)
    }
}

extension PluginDocument {
    fileprivate static func list(
        _ catalog: PluginCatalog, _ configuration: Configuration, paths: [String], allowsInsecurePaths: Bool
    ) -> PluginDocument {
        let quarantines = (catalog.health?.quarantines() ?? []).map { PluginQuarantine($0) }
        func row(_ path: String, sha256: String? = nil) -> Row {
            let policy = LoadPolicy(origin: .stranger, allowsInsecurePath: allowsInsecurePaths, sha256: sha256)
            // The hash takes reading all of a file.
            let inspection = PluginInspector.inspect(path: path, policy: policy, hashing: !quarantines.isEmpty)
            return Row(inspection: inspection, quarantines: quarantines.filter { $0.sha256 == inspection.sha256 })
        }
        var rows = paths.map { row($0) }
        for entry in configuration.entries {
            guard let path = entry.path, !rows.contains(where: { $0.inspection.path == path }) else { continue }
            var row = row(path, sha256: entry.sha256)
            row.runs = entry.isolation ?? .worker
            rows.append(row)
        }
        let listed = Set(rows.compactMap(\.inspection.identity))
        for found in PluginSearch(catalog.pluginPath, allowsInsecurePaths: allowsInsecurePaths).found {
            if let identity = found.inspection.identity, listed.contains(identity) { continue }
            var row = quarantines.isEmpty ? Row(inspection: found.inspection) : row(found.inspection.path)
            (row.isFound, row.shadowedBy) = (true, found.shadowedBy)
            rows.append(row)
        }
        return PluginDocument(rows + catalog.inspectBuiltins().map { Row(inspection: $0, isBuiltin: true) })
    }
}

extension JSONValue {
    fileprivate init(_ row: PluginDocument.Row) {
        let (inspection, note) = (row.inspection, row.inspection.note)
        var object: JSONObject = [
            "path": .string(inspection.path),
            "origin": .string(row.isBuiltin ? HostedPlugin.builtinOrigin : row.isFound ? "plugin path" : "file"),
            "verdict": .string(inspection.refusal == nil ? "accepted" : "refused"),
            "refusal": inspection.refusal.map { refusal in
                [
                    "code": .string(refusal.code.rawValue), "message": .string(refusal.message),
                    "hint": .string(refusal.hint),
                ]
            } ?? .null,
            "id": JSONValue(note?.id),
            "version": JSONValue(note?.version),
            "name": JSONValue(note?.name),
            "vendor": JSONValue(note?.vendor),
            "kinds": .array((note?.kinds.names ?? []).map { .string($0) }),
            "runs": .string((row.isBuiltin ? .inProcess : row.runs).rawValue),
            "warnings": .array(
                inspection.warnings.map { ["code": .string($0.code.rawValue), "message": .string($0.message)] }),
        ]
        if !row.isDetailed {
            object["shadowed_by"] = JSONValue(row.shadowedBy)
            object["quarantines"] = .array(row.quarantines.map(\.json))
        }
        if row.isDetailed {
            object["abi"] =
                note.map { note in
                    [
                        "major": .int(Int64(note.abiMajor)), "minor": .int(Int64(note.abiMinor)),
                        "needed_minor": .int(Int64(note.neededMinor)),
                    ]
                } ?? .null
            object["capabilities"] = .array((note?.capabilities.names ?? []).map { .string($0) })
            object["architecture"] = JSONValue(inspection.architecture?.description)
            object["options"] = .array((inspection.options?.options ?? []).map { JSONValue($0) })
            object["exports"] = .array(inspection.exports.map { .string($0) })
            object["imports"] = .array(inspection.imports.map { .string($0) })
            object["needs"] = .array(
                inspection.needs.map { need in
                    [
                        "library": .string(need.library), "versions": .array(need.versions.map { .string($0) }),
                        "path": JSONValue(need.path),
                    ]
                })
            object["sha256"] = JSONValue(inspection.sha256)
        }
        self = .object(object)
    }

    private init(_ option: OptionTable.Option) {
        self = [
            "key": .string(option.key),
            "type": .string((option.isList ? "list of " : "") + option.type.rawValue),
            "default": option.defaults.map { values in
                option.isList ? .array(values.map { JSONValue($0) }) : values.first.map { JSONValue($0) } ?? .null
            } ?? .null,
            "min": option.minimum.map { JSONValue($0) } ?? .null,
            "max": option.maximum.map { JSONValue($0) } ?? .null,
            "choices": .array(option.choices.map { JSONValue($0) }),
            "help": .string(option.help),
        ]
    }

    /// Durations in milliseconds, as users write them.
    init(_ value: PluginOption.Value) {
        switch value {
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .flag(let value): self = .bool(value)
        case .duration(let microseconds): self = .milliseconds(microseconds)
        }
    }
}
