// SPDX-License-Identifier: Apache-2.0

extension JSON5Parser {
    /// A number; one that has no 64-bit form is an error, after which reading goes on.
    mutating func number() throws(JSON5Error) -> JSON5Value.Content {
        let start = scanner.position
        let sign = scanner.take("-") ? "-" : ""
        if sign.isEmpty { _ = scanner.take("+") }
        if let scalar = scanner.next, scalar.beginsName { return try namedNumber(sign, start) }

        let content: JSON5Value.Content?
        if scanner.next == "0", scanner.second == "x" || scanner.second == "X" {
            scanner.advance()
            scanner.advance()
            let digits = scanner.takeAll { $0.hexValue != nil }
            if digits.isEmpty { throw malformed(start) }
            content = Int64(sign + digits, radix: 16).map { .int($0) }
        } else {
            content = try decimal(sign, start)
        }
        // What follows without a space was meant to be a part of it.
        if let scalar = scanner.next, scalar.continuesName || scalar == "." { throw malformed(start) }
        if let content { return content }
        errors.append(
            JSON5Error(start, "the number has no 64-bit form", hint: "write a smaller one, or text in quotes"))
        return .int(0)
    }

    /// Infinity or NaN after a sign.
    private mutating func namedNumber(_ sign: String, _ start: TextPosition) throws(JSON5Error) -> JSON5Value.Content {
        switch try name() {
        case "Infinity": return .double(sign.isEmpty ? .infinity : -.infinity)
        case "NaN": return .double(.nan)
        default: throw malformed(start)
        }
    }

    /// nil if it has no 64-bit form.
    private mutating func decimal(_ sign: String, _ start: TextPosition) throws(JSON5Error) -> JSON5Value.Content? {
        let whole = scanner.takeAll(where: \.isDigit)
        if whole.count > 1, whole.hasPrefix("0") {
            throw JSON5Error(start, "a number begins with 0", hint: "leave the 0 out, or put the text in quotes")
        }
        guard scanner.next == "." || scanner.next == "e" || scanner.next == "E" else {
            if whole.isEmpty { throw malformed(start) }
            return Int64(sign + whole).map { .int($0) }
        }
        let fraction = scanner.take(".") ? scanner.takeAll(where: \.isDigit) : ""
        if whole.isEmpty, fraction.isEmpty { throw malformed(start) }
        var exponent = ""
        if scanner.take("e") || scanner.take("E") {
            let sign = scanner.take("-") ? "-" : ""
            if sign.isEmpty { _ = scanner.take("+") }
            let digits = scanner.takeAll(where: \.isDigit)
            if digits.isEmpty { throw malformed(start) }
            exponent = "e\(sign)\(digits)"
        }
        let text = "\(sign)\(whole.isEmpty ? "0" : whole).\(fraction.isEmpty ? "0" : fraction)\(exponent)"
        return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    }

    private func malformed(_ start: TextPosition) -> JSON5Error {
        JSON5Error(start, "what begins like a number is none", hint: "write a number, or text in quotes")
    }
}
