// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing

@Suite struct JSONReaderTests {
    @Test func keepsOrderAndTellsIntegersFromOtherNumbers() throws {
        let value = try JSONReader().read(#"{"b":1,"a":[1.5,-2,true,null,"x\u0000é"],"c":{}}"#)
        #expect(value == ["b": 1, "a": [1.5, -2, true, nil, "x\0é"], "c": [:]])
        #expect(value.object?.members.map(\.key) == ["b", "a", "c"])
    }

    @Test(arguments: [("7", JSONValue.int(7)), ("\"x\"", "x"), ("null", nil), (" [ ] ", .array([]))])
    func takesAnyValueAtTheTop(text: String, expected: JSONValue) throws {
        #expect(try JSONReader().read(text) == expected)
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "nul", "01", "1e999", "9223372036854775808", "NaN",
        "1 2", "'x'",
        "\"\n\"", "{1:2}", "// c\n1",
    ])
    func refusesWhatIsNotJSON(text: String) {
        #expect(throws: JSONError.self) { try JSONReader().read(text) }
    }

    @Test func refusesTextThatIsNotUTF8() {
        #expect(throws: JSONError.self) { try JSONReader().read([0x22, 0xff, 0x22]) }
    }

    @Test func namesThePlaceOfTheFirstError() {
        let error = #expect(throws: JSONError.self) { try JSONReader().read("{\n  \"a\": 1,\n  \"b\" 2\n}") }
        #expect(error?.line == 3)
        #expect(error?.column == 7)
        #expect(error?.offset == 19)
        #expect(error?.message.isEmpty == false)
    }

    @Test func nestingIsBounded() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONReader(maximumDepth: 8).read(nested(8))
        for depth in [9, 3000, 1_000_000] {
            #expect(throws: JSONError.self) { try JSONReader(maximumDepth: 8).read(nested(depth)) }
        }
    }
}
