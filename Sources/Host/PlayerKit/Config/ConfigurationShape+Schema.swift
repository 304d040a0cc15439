// SPDX-License-Identifier: Apache-2.0

public import JSONText

extension Configuration {
    /// The JSON Schema (2020-12) of a configuration file; it ships as `config.schema.json`.
    public static var jsonSchema: JSONValue {
        let head: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "kitshell.config-file/1",
            "title": "The configuration of kitshell and PlayerKit",
            "description": "A file may be JSON5: with comments, trailing commas, and keys without quotes.",
        ]
        let root = ConfigurationShape.object(ConfigurationShape.root).members
        let definitions: JSONObject = [
            "$defs": [
                "entry": .object(JSONObject(ConfigurationShape.object(ConfigurationShape.entry).members)),
                "value": ["type": ["string", "number", "boolean"]],
            ]
        ]
        return .object(JSONObject(head.members + root + definitions.members))
    }
}

extension ConfigurationShape {
    fileprivate var members: [JSONObject.Member] {
        let object: JSONObject
        switch self {
        case .text: object = ["type": "string", "pattern": "^.+$"]
        case .hash: object = ["type": "string", "pattern": "^[0-9a-fA-F]{64}$"]
        case .word(let words): object = ["enum": .array(words.map { .string($0) })]
        case .number(let range, _):
            object = [
                "type": "integer", "minimum": .int(Int64(range.lowerBound)), "maximum": .int(Int64(range.upperBound)),
            ]
        case .list(let element, let counts):
            var list: JSONObject = ["type": "array", "items": .object(JSONObject(element.members))]
            if counts.lowerBound > 0 { list["minItems"] = .int(Int64(counts.lowerBound)) }
            list["maxItems"] = .int(Int64(counts.upperBound))
            object = list
        case .object(let keys):
            var members: JSONObject = ["type": "object", "additionalProperties": false]
            let required = keys.filter(\.isRequired).map { JSONValue.string($0.name) }
            if !required.isEmpty { members["required"] = .array(required) }
            members["properties"] = .object(
                JSONObject(keys.map { JSONObject.Member($0.name, .object(JSONObject($0.members))) }))
            object = members
        case .nameOr: object = ["anyOf": [["type": "string", "pattern": "^.+$"], ["$ref": "#/$defs/entry"]]]
        case .options:
            object = [
                "type": "object",
                "additionalProperties": [
                    "anyOf": [["$ref": "#/$defs/value"], ["type": "array", "items": ["$ref": "#/$defs/value"]]]
                ],
            ]
        }
        return object.members
    }
}

extension ConfigurationShape.Key {
    fileprivate var members: [JSONObject.Member] {
        let text = help + (usual.map { " Default: \($0)." } ?? "")
        return [JSONObject.Member("description", .string(text))] + shape.members
    }
}
