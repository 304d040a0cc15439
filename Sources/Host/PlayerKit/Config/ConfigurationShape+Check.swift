// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension ConfigurationShape {
    /// Says what is wrong with a value and those in it.
    ///
    /// - Parameters:
    ///   - key: the path of the value.
    ///   - report: gets each problem.
    func check(_ value: JSON5Value, _ key: String, _ report: (ConfigurationError.Problem) -> Void) {
        switch self {
        case .text: checkText(value, key, report)
        case .hash:
            if value.string.map(ConfigurationShape.isHash) != true {
                report(value.problem(key, "\(value.shown) is no SHA-256", hint: "write 64 hexadecimal digits"))
            }
        case .word(let words):
            guard value.string.map(words.contains) != true else { return }
            report(
                value.problem(
                    key, "\(value.shown) is no value of it", hint: "valid: \(words.joined(separator: ", "))",
                    unknown: value.string, valid: words))
        case .number(let range, let unit):
            let what = unit.isEmpty ? "a whole number" : "a whole number of \(unit)"
            guard let number = value.int else {
                return report(
                    value.problem(
                        key, "\(value.shown) is not \(what)",
                        hint: "write a number from \(range.lowerBound) to \(range.upperBound)"))
            }
            guard range.contains(Int(number)) else {
                return report(
                    value.problem(
                        key, "\(number) is out of range",
                        hint: "write a number from \(range.lowerBound) to \(range.upperBound)"))
            }
        case .list(let element, let counts):
            guard let elements = value.array else {
                return report(
                    value.problem(key, "\(value.shown) is no list", hint: "write [ and ] around what is in it"))
            }
            for (index, item) in elements.enumerated() { element.check(item, "\(key)[\(index)]", report) }
            if !counts.contains(elements.count) {
                report(
                    value.problem(
                        key, "the list has \(elements.count) elements",
                        hint: "write from \(counts.lowerBound) to \(counts.upperBound)"))
            }
        case .object(let keys):
            guard let members = value.members else {
                return report(
                    value.problem(key, "\(value.shown) is no object", hint: "write { and } around its keys and values"))
            }
            check(members, of: value, keys, key, report)
        case .nameOr(let keys):
            if value.string != nil { return checkText(value, key, report) }
            guard let members = value.members else {
                return report(
                    value.problem(key, "\(value.shown) is no strategy", hint: "write its name, or an object with one"))
            }
            check(members, of: value, keys, key, report)
        case .options:
            if value.members == nil {
                report(value.problem(key, "\(value.shown) is no object", hint: "write { and } around keys and values"))
            }
        }
    }

    /// Whether a text is a SHA-256 in hexadecimal.
    static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20
            }
    }

    private func checkText(_ value: JSON5Value, _ key: String, _ report: (ConfigurationError.Problem) -> Void) {
        guard let text = value.string else {
            return report(value.problem(key, "\(value.shown) is no text", hint: "write text in quotes"))
        }
        if text.isEmpty { report(value.problem(key, "the text is empty", hint: "write one, or leave the key out")) }
        if text.utf8.count > Self.longestText {
            report(
                value.problem(
                    key, "the text has \(text.utf8.count) bytes", hint: "write at most \(Self.longestText)"))
        }
    }

    private func check(
        _ members: [JSON5Value.Member], of value: JSON5Value, _ keys: [Key], _ path: String,
        _ report: (ConfigurationError.Problem) -> Void
    ) {
        let prefix = path.isEmpty ? "" : path + "."
        let names = keys.map(\.name)
        for member in members {
            guard let key = keys.first(where: { $0.name == member.key }) else {
                report(
                    .init(
                        line: member.keyPosition.line, column: member.keyPosition.column, key: prefix + member.key,
                        "there is no such key", hint: "valid: \(names.joined(separator: ", "))",
                        unknown: member.key, valid: names))
                continue
            }
            key.shape.check(member.value, prefix + key.name, report)
        }
        for key in keys where key.isRequired && !members.contains(where: { $0.key == key.name }) {
            report(value.problem(path, "the key \(key.name) is missing", hint: "add it"))
        }
    }
}

extension JSON5Value {
    /// A problem at this value's place.
    func problem(
        _ key: String, _ message: String, hint: String, unknown: String? = nil, valid: [String] = []
    ) -> ConfigurationError.Problem {
        .init(
            line: position.line, column: position.column, key: key, message, hint: hint, unknown: unknown,
            valid: valid)
    }

    /// As a message quotes it, shortened.
    var shown: String {
        switch content {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .double(let value):
            value.isFinite ? "\(value)" : value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
        case .string(let value): "'\(value.count > 64 ? value.prefix(64) + "…" : value)'"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
