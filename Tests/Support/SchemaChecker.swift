// SPDX-License-Identifier: Apache-2.0

import Foundation
package import JSONText

/// Holds values to one of the product's JSON Schema files, and notes which of its properties were met.
///
/// Knows the keywords that those files use and reports any other, so that none is passed over.
package struct SchemaChecker {
    private let root: JSONValue
    /// Paths of properties (`.sessions[].media.video.fps`) that values had.
    package private(set) var met: Set<String> = []

    /// - Parameter file: its name in the product.
    package init(_ file: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let url = folder.appending(path: "Sources/Host/PlayerKit/Schemas/\(file)")
        root = try JSONReader().read(try String(contentsOf: url, encoding: .utf8))
    }

    /// What is wrong with a value, empty if nothing.
    package mutating func check(_ value: JSONValue) -> [String] {
        check(value, root, "")
    }

    /// Every property that the schema names.
    package var named: Set<String> {
        var paths: Set<String> = []
        collect(root, "", &paths)
        return paths
    }

    private func resolve(_ schema: JSONValue) -> JSONValue {
        guard let reference = schema["$ref"]?.string, let name = reference.split(separator: "/").last else {
            return schema
        }
        return root["$defs"]?[String(name)] ?? nil
    }

    private func collect(_ schema: JSONValue, _ path: String, _ paths: inout Set<String>) {
        let schema = resolve(schema)
        for member in schema["properties"]?.object?.members ?? [] {
            paths.insert("\(path).\(member.key)")
            collect(member.value, "\(path).\(member.key)", &paths)
        }
        if let items = schema["items"] { collect(items, "\(path)[]", &paths) }
        for branch in schema["anyOf"]?.array ?? [] { collect(branch, path, &paths) }
    }

    private mutating func check(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
        let schema = resolve(schema)
        var wrong: [String] = []
        for keyword in schema.object?.members ?? [] {
            switch keyword.key {
            case "$schema", "$defs", "title", "description", "properties", "$id": break
            case "type":
                let types = keyword.value.array ?? [keyword.value]
                if !types.contains(where: { Self.isType(value, $0.string ?? "") }) { wrong.append("\(path): type") }
            case "const": if value != keyword.value { wrong.append("\(path): const") }
            case "enum":
                if keyword.value.array?.contains(value) != true { wrong.append("\(path): \(value) not in enum") }
            case "minimum":
                if let number = value.number, number < keyword.value.number ?? 0 { wrong.append("\(path): minimum") }
            case "maximum":
                if let number = value.number, number > keyword.value.number ?? 0 { wrong.append("\(path): maximum") }
            case "minItems":
                if let count = value.array?.count, count < keyword.value.int ?? 0 { wrong.append("\(path): minItems") }
            case "maxItems":
                if let count = value.array?.count, count > keyword.value.int ?? 0 { wrong.append("\(path): maxItems") }
            case "pattern":
                let isMatch = value.string?.range(of: keyword.value.string ?? "", options: .regularExpression) != nil
                if !isMatch { wrong.append("\(path): pattern") }
            case "required":
                for key in keyword.value.array ?? [] where value.object != nil && value[key.string ?? ""] == nil {
                    wrong.append("\(path): lacks \(key)")
                }
            case "items":
                for element in value.array ?? [] { wrong += check(element, keyword.value, "\(path)[]") }
            case "additionalProperties":
                for member in value.object?.members ?? [] where schema["properties"]?[member.key] == nil {
                    if keyword.value == false {
                        wrong.append("\(path).\(member.key) is not in the schema")
                    } else {
                        wrong += check(member.value, keyword.value, "\(path).*")
                    }
                }
            case "anyOf":
                let before = met
                var fits = false
                for branch in keyword.value.array ?? [] where !fits {
                    met = before
                    fits = check(value, branch, path).isEmpty
                }
                if !fits { wrong.append("\(path): fits no branch") }
            default: wrong.append("\(path): unknown keyword \(keyword.key)")
            }
        }
        for member in value.object?.members ?? [] {
            guard let property = schema["properties"]?[member.key] else { continue }
            met.insert("\(path).\(member.key)")
            wrong += check(member.value, property, "\(path).\(member.key)")
        }
        return wrong
    }

    private static func isType(_ value: JSONValue, _ type: String) -> Bool {
        switch value {
        case .null: type == "null"
        case .bool: type == "boolean"
        case .int: type == "integer" || type == "number"
        case .double: type == "number"
        case .string: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }
}
