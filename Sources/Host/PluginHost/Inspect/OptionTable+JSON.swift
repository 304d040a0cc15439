// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension OptionTable {
    private static let mostOptions = 256
    private static let longestKey = 64
    private static let knownMembers: Set<String> = ["type", "default", "min", "max", "choices", "help"]
    private static let listPrefix = "list of "

    /// Reads the JSON text of an option note.
    ///
    /// - Throws: `bad_options`, which names the option and what would be right.
    init(json bytes: [UInt8]) throws(Refusal) {
        self.init()
        let value: JSONValue
        do {
            value = try JSONReader(maximumDepth: 8).read(bytes)
        } catch {
            throw OptionTable.bad("it is not JSON (\(error.description))")
        }
        guard let object = value.object else { throw OptionTable.bad("it is not a JSON object") }
        if object.members.count > OptionTable.mostOptions {
            throw OptionTable.bad(
                "it has \(object.members.count) options, at most \(OptionTable.mostOptions) are allowed")
        }
        for member in object.members {
            options.append(try OptionTable.option(key: member.key, member.value))
            for part in member.value.object?.members ?? [] where !OptionTable.knownMembers.contains(part.key) {
                unknownMembers.append("\(member.key).\(String(printable: part.key.utf8))")
            }
        }
    }

    private static func option(key: String, _ description: JSONValue) throws(Refusal) -> Option {
        let shown = String(printable: key.utf8.prefix(longestKey))
        guard isKey(key) else {
            throw bad(
                "the key \"\(shown)\" breaks the grammar: a to z first, then a to z, 0 to 9 and _, at most \(longestKey) bytes"
            )
        }
        guard let object = description.object else { throw bad("option \(key) is not described by an object") }
        guard let typeName = object["type"]?.string else { throw bad("option \(key) has no type") }
        let isList = typeName.hasPrefix(listPrefix)
        guard let type = ValueType(rawValue: isList ? String(typeName.dropFirst(listPrefix.count)) : typeName) else {
            let names = ValueType.allCases.map(\.rawValue).joined(separator: ", ")
            throw bad("option \(key) has no type that this host knows; types are \(names) and list of one of them")
        }
        var option = Option(
            key: key, type: type, isList: isList, defaults: nil, minimum: nil, maximum: nil, choices: [],
            help: String(printable: (object["help"]?.string ?? "").utf8))
        func value(_ json: JSONValue, _ what: String) throws(Refusal) -> PluginOption.Value {
            guard let value = type.value(of: json) else {
                throw bad("\(what) of option \(key) is no \(type.rawValue)")
            }
            return value
        }

        if object["min"] != nil || object["max"] != nil, type == .string || type == .flag {
            throw bad("option \(key) has bounds, which a \(type.rawValue) cannot have")
        }
        if let json = object["min"] { option.minimum = try value(json, "the min") }
        if let json = object["max"] { option.maximum = try value(json, "the max") }
        if let maximum = option.maximum, let objection = option.objection(to: maximum) {
            throw bad("the max of option \(key) is \(maximum.text), \(objection)")
        }
        if let json = object["choices"] {
            guard let list = json.array, !list.isEmpty else {
                throw bad("the choices of option \(key) are no list of values")
            }
            for item in list { option.choices.append(try value(item, "a choice")) }
        }
        if let json = object["default"], !json.isNull {
            guard let items = isList ? json.array : [json] else { throw bad("the default of option \(key) is no list") }
            var defaults: [PluginOption.Value] = []
            for item in items { defaults.append(try value(item, "the default")) }
            for value in defaults {
                if let objection = option.objection(to: value) {
                    throw bad("the default of option \(key) is \(String(printable: value.text.utf8)), \(objection)")
                }
            }
            option.defaults = defaults
        }
        return option
    }

    private static func isKey(_ key: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard let first = key.utf8.first, letters.contains(first), key.utf8.count <= longestKey else { return false }
        return key.utf8.allSatisfy {
            letters.contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
        }
    }

    private static func bad(_ what: String) -> Refusal {
        Refusal(
            .badOptions, "the plugin's option table is wrong: \(what)",
            hint: "Mend the text of KIT_PLUGIN_OPTIONS as kitshell/note.h describes it.")
    }
}

extension OptionTable.ValueType {
    /// A JSON value as one of this type; nil if it is none.
    fileprivate func value(of json: JSONValue) -> PluginOption.Value? {
        switch self {
        case .int: json.int.map { .int($0) }
        case .double: json.number.map { .double($0) }
        case .string: json.string.map { .string($0) }
        case .flag: json.bool.map { .flag($0) }
        case .duration: json.number.flatMap { PluginOption.Value(milliseconds: $0) }
        }
    }
}
