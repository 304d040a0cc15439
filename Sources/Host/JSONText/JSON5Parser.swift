// SPDX-License-Identifier: Apache-2.0

/// Makes values of the characters of a JSON5 text. Texts and numbers are read in `JSON5Parser+Text` and `JSON5Parser+Number`.
struct JSON5Parser {
    var scanner: JSON5Scanner
    /// What was found so far that reading could go on after.
    var errors: [JSON5Error] = []
    private let maximumDepth: Int
    private var depth = 0

    init(_ scanner: JSON5Scanner, maximumDepth: Int) {
        self.scanner = scanner
        self.maximumDepth = maximumDepth
    }

    /// The one value of the text.
    mutating func document() throws(JSON5Error) -> JSON5Value {
        try scanner.skipSpace()
        if scanner.next == nil {
            throw JSON5Error(scanner.position, "there is no value in the text", hint: "write {} for an empty object")
        }
        let root = try value()
        try scanner.skipSpace()
        if scanner.next != nil {
            throw unexpected("after the end of the value", hint: "a text has one value: look for a bracket too many")
        }
        return root
    }

    private mutating func value() throws(JSON5Error) -> JSON5Value {
        let start = scanner.position
        let content: JSON5Value.Content
        switch scanner.next {
        case "{": content = try nested { (parser) throws(JSON5Error) in .object(try parser.members()) }
        case "[": content = try nested { (parser) throws(JSON5Error) in .array(try parser.elements()) }
        case "\"", "'": content = .string(try text())
        case let scalar? where scalar.isDigit || scalar == "+" || scalar == "-" || scalar == ".": content = try number()
        case let scalar? where scalar.beginsName: content = try word()
        default:
            throw unexpected(
                "where a value should be", hint: "a value is text in quotes, a number, true, false, null, [] or {}")
        }
        return JSON5Value(content: content, position: start)
    }

    private mutating func nested(
        _ read: (inout JSON5Parser) throws(JSON5Error) -> JSON5Value.Content
    ) throws(JSON5Error) -> JSON5Value.Content {
        guard depth < maximumDepth else {
            throw JSON5Error(
                scanner.position, "nested deeper than \(maximumDepth) levels", hint: "nothing here needs so many")
        }
        depth += 1
        defer { depth -= 1 }
        scanner.advance()
        try scanner.skipSpace()
        return try read(&self)
    }

    private mutating func elements() throws(JSON5Error) -> [JSON5Value] {
        var elements: [JSON5Value] = []
        while !scanner.take("]") {
            elements.append(try value())
            try separate(from: "]", in: "list")
        }
        return elements
    }

    private mutating func members() throws(JSON5Error) -> [JSON5Value.Member] {
        var members: [JSON5Value.Member] = []
        var places: [String: TextPosition] = [:]
        while !scanner.take("}") {
            let position = scanner.position
            let key = try key()
            try scanner.skipSpace()
            guard scanner.take(":") else {
                throw unexpected("after the key '\(key)'", hint: "a colon and a value follow a key")
            }
            try scanner.skipSpace()
            let value = try value()
            if let former = places[key] {
                errors.append(
                    JSON5Error(
                        position, "the key '\(key)' is repeated, first in line \(former.line), column \(former.column)",
                        hint: "leave one of them out"))
            } else {
                places[key] = position
                members.append(JSON5Value.Member(key: key, keyPosition: position, value: value))
            }
            try separate(from: "}", in: "object")
        }
        return members
    }

    /// Takes the comma after an element; the last may have none.
    private mutating func separate(from end: Unicode.Scalar, in what: String) throws(JSON5Error) {
        try scanner.skipSpace()
        if scanner.take(",") { return try scanner.skipSpace() }
        guard scanner.next == end else {
            throw unexpected("where a comma or the end of the \(what) should be", hint: "write , or \(end)")
        }
    }

    private mutating func key() throws(JSON5Error) -> String {
        switch scanner.next {
        case "\"", "'": return try text()
        case let scalar? where scalar.beginsName || scalar == "\\": return try name()
        default: throw unexpected("where a key should be", hint: "a key is a name, or text in quotes")
        }
    }

    private mutating func word() throws(JSON5Error) -> JSON5Value.Content {
        let start = scanner.position
        let word = try name()
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "Infinity": return .double(.infinity)
        case "NaN": return .double(.nan)
        default: throw JSON5Error(start, "'\(word)' is no value", hint: "text stands in quotes")
        }
    }

    /// The next character where it cannot be.
    func unexpected(_ place: String, hint: String) -> JSON5Error {
        JSON5Error(scanner.position, "\(JSON5Parser.describe(scanner.next)) stands \(place)", hint: hint)
    }

    private static func describe(_ scalar: Unicode.Scalar?) -> String {
        guard let scalar else { return "the end of the text" }
        switch scalar.properties.generalCategory {
        case .control, .format, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator, .nonspacingMark:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        default: return "'\(scalar)'"
        }
    }
}
