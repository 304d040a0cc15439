// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import PlayerKit

/// A condition that every session of a report must meet: `first_frame.total_ms < 800`.
///
/// A path through a list stands for each of its elements. What is unknown meets nothing but a comparison with `null`.
package struct Expectation: Hashable, Sendable {
    /// How a value is compared.
    enum Operator: String, CaseIterable {
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case greater = ">"

        /// Whether it needs values that have an order.
        var isOrder: Bool { self != .equal && self != .notEqual }
    }

    /// As it was written.
    package let text: String
    let path: String
    let comparison: Operator
    /// A number, a text, a flag or null.
    let literal: JSONValue

    /// Reads `PATH OPERATOR VALUE`.
    package init(_ text: String) throws(UsageError) {
        self.text = text
        guard let (comparison, range) = Expectation.firstOperator(in: text) else {
            throw UsageError(
                "option --expect: '\(text)' has no comparison",
                hint: "write PATH OPERATOR VALUE, as 'first_frame.total_ms < 800'; operators: < <= > >= == !=")
        }
        path = Expectation.trimmed(text[..<range.lowerBound])
        let value = Expectation.trimmed(text[range.upperBound...])
        guard !path.isEmpty, !value.isEmpty else {
            throw UsageError(
                "option --expect: '\(text)' lacks \(path.isEmpty ? "a path before" : "a value after") "
                    + "'\(comparison.rawValue)'",
                hint: "write PATH OPERATOR VALUE, as 'first_frame.total_ms < 800'")
        }
        self.comparison = comparison
        literal = Expectation.literal(value)
        try checkPath()
        if let kind = SessionField.named(path)?.kind { try checkKind(kind, value) }
        if comparison.isOrder, literal.number == nil {
            throw UsageError(
                "option --expect: '\(text)': only numbers have an order",
                hint: "compare with == or !=, or with a number")
        }
    }

    // MARK: Reading

    private static func firstOperator(in text: String) -> (Operator, Range<String.Index>)? {
        var index = text.startIndex
        while index < text.endIndex {
            for candidate in Operator.allCases where text[index...].hasPrefix(candidate.rawValue) {
                return (candidate, index..<text.index(index, offsetBy: candidate.rawValue.count))
            }
            index = text.index(after: index)
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    private static func literal(_ text: String) -> JSONValue {
        switch text {
        case "null": return .null
        case "true": return true
        case "false": return false
        default: break
        }
        for quote in ["\"", "'"] where text.count >= 2 && text.hasPrefix(quote) && text.hasSuffix(quote) {
            return .string(String(text.dropFirst().dropLast()))
        }
        if let number = Double(text), number.isFinite { return .double(number) }
        return .string(text)
    }

    // MARK: Checking

    private func checkPath() throws(UsageError) {
        if SessionField.named(path) != nil || path.hasPrefix("plugins.") { return }
        let paths = SessionField.all.map(\.path)
        let inside = paths.filter { $0.hasPrefix(path + ".") }
        guard inside.isEmpty else {
            throw UsageError(
                "option --expect: '\(path)' is no single value",
                hint: "it holds " + inside.prefix(6).joined(separator: ", ") + (inside.count > 6 ? " …" : ""))
        }
        let nearest = NearestWord.find(for: path, in: paths).map { "did you mean '\($0)'? " } ?? ""
        throw UsageError(
            "option --expect: a session of the report has no '\(path)'",
            hint: nearest + "paths are those of a session in --report json, as stalls.count or plugins.NAME.REPORT.KEY")
    }

    private func checkKind(_ kind: SessionField.Kind, _ value: String) throws(UsageError) {
        if literal.isNull { return }
        let wanted: String
        switch kind {
        case .word(let words):
            if let word = literal.string, !words.contains(word) {
                throw UsageError(unknown: "value of \(path) in --expect", word, valid: words)
            }
            if literal.string != nil { return }
            wanted = "one of \(words.joined(separator: ", "))"
        case .text:
            if literal.string != nil { return }
            wanted = "a text: put it in quotes"
        case .flag:
            if literal.bool != nil { return }
            wanted = "true or false"
        default:
            if literal.number != nil { return }
            wanted = kind == .milliseconds ? "a number of milliseconds" : "a number"
        }
        throw UsageError("option --expect: '\(value)' is compared with \(path)", hint: "\(path) is \(wanted)")
    }
}
