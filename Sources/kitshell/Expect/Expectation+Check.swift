// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import PlayerKit

extension Expectation {
    private static let mostFailures = 10

    /// What does not meet it, a line for people each; not all of very many. A report without any session does not.
    package func failures(in sessions: [JSONValue]) -> [String] {
        if sessions.isEmpty { return ["the report has no session"] }
        let failures = sessions.compactMap { session -> String? in
            failure(in: session).map { reason in
                let number = session["session"]?.int.map { " \($0)" } ?? ""
                let source = session["source"]?.string.map { " (\($0))" } ?? ""
                return TextFormat.clean("session\(number)\(source): \(reason)")
            }
        }
        let hidden = failures.count - Expectation.mostFailures
        guard hidden > 0 else { return failures }
        return failures.prefix(Expectation.mostFailures) + ["and in \(TextFormat.count(hidden, "more session"))"]
    }
    /// Why a session does not meet it; nil if it does.
    ///
    /// - Parameter session: an element of a report's `sessions`.
    private func failure(in session: JSONValue) -> String? {
        guard let values = SessionField.values(at: path, in: session) else {
            return literal.isNull && comparison == .equal ? nil : "nothing that ran tells \(path)"
        }
        for (index, value) in values.enumerated() where !isMet(by: value) {
            let place = values.count > 1 ? " in element \(index + 1) of \(values.count)" : ""
            return "\(path) is \(value.isNull ? "unknown (null)" : JSONWriter.text(value))\(place)"
        }
        return nil
    }

    private func isMet(by value: JSONValue) -> Bool {
        if literal.isNull || value.isNull {
            guard literal.isNull else { return false }
            return comparison == .equal ? value.isNull : comparison == .notEqual && !value.isNull
        }
        if let number = value.number, let limit = literal.number {
            return switch comparison {
            case .less: number < limit
            case .lessOrEqual: number <= limit
            case .greater: number > limit
            case .greaterOrEqual: number >= limit
            case .equal: number == limit
            case .notEqual: number != limit
            }
        }
        switch comparison {
        case .equal: return value == literal
        case .notEqual: return value != literal
        default: return false
        }
    }
}
