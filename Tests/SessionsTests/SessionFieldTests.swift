// SPDX-License-Identifier: Apache-2.0

import JSONText
import Sessions
import TestSupport
import Testing

@Suite struct SessionFieldTests {
    @Test func fieldsAreThoseOfTheSchema() throws {
        let prefix = ".sessions[]."
        let named = try SchemaChecker("report.schema.json").named.filter { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)).replacing("[]", with: "") }
        let leaves = Set(named).filter { path in !named.contains { $0.hasPrefix(path + ".") } }
        #expect(Set(SessionField.all.map(\.path)) == leaves.subtracting(["plugins"]))
    }

    @Test func everyValueOfAReportIsOfItsFieldsKind() throws {
        for session in try ReportTests.fullReport().json["sessions"]?.array ?? [] {
            for field in SessionField.all {
                for value in SessionField.values(at: field.path, in: session) ?? [] where !value.isNull {
                    switch field.kind {
                    case .flag: #expect(value.bool != nil, "\(field.path)")
                    case .text: #expect(value.string != nil, "\(field.path)")
                    case .word(let words): #expect(value.string.map(words.contains) == true, "\(field.path)")
                    default: #expect(value.number != nil, "\(field.path)")
                    }
                }
            }
        }
    }

    @Test(
        arguments: [
            ("a.b", [1, 2]), ("a.c", nil), ("empty.b", []), ("none.b.c", [nil]), ("x", nil), ("d.e", [3]),
            ("d", [["e": 3]]),
            ("plugins.com.example.count.n", [7]), ("plugins.com.other.n", [8]),
        ] as [(String, [JSONValue]?)])
    func aPathLeadsThroughListsAndDottedKeys(path: String, values: [JSONValue]?) {
        let session: JSONValue = [
            "a": [["b": 1], ["b": 2]], "empty": [], "none": nil, "d": ["e": 3],
            "plugins": ["com": ["other": ["n": 8]], "com.example": ["count": ["n": 7]]],
        ]
        #expect(SessionField.values(at: path, in: session) == values)
    }
}
