// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing

@Suite("JSON5 is read with the place of everything")
struct JSON5ReaderTests {
    private func read(_ text: String) -> JSON5Reader.Document { JSON5Reader().read(Array(text.utf8)) }

    /// The value as JSON has it, where it can.
    private func plain(_ value: JSON5Value) -> JSONValue {
        switch value.content {
        case .null: nil
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .array(let elements): .array(elements.map(plain))
        case .object(let members): .object(JSONObject(members.map { .init($0.key, plain($0.value)) }))
        }
    }

    @Test(
        "what JSON5 adds to JSON, and JSON itself",
        arguments: [
            ("{a:1}", ["a": 1]), ("{'a b': 1,}", ["a b": 1]), ("[1,2,]", [1, 2]), ("[]", []), ("{}", [:]),
            ("// c\n/* d\n*/ 7 // e", 7), ("'it\\'s'", "it's"), ("\"'\"", "'"), ("'\"'", "\""),
            ("'a\\\nb\\\r\nc'", "abc"), ("'\\x41\\u00e9\\n\\v\\q'", "Aé\n\u{B}q"), ("'\\ud83d\\ude00'", "😀"),
            ("0x1F", 31), ("-0xf", -15), ("+3", 3), (".5", 0.5), ("5.", 5.0), ("-1.5e2", -150.0), ("1E+1", 10.0),
            ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
            ("\u{FEFF}\u{A0}\u{2003}1\u{2028}", 1), ("{ünï_$1: true, \\u0061b: null}", ["ünï_$1": true, "ab": nil]),
            ("{\"a\":{\"b\":[null,false,\"\\u0041\"]}}", ["a": ["b": [nil, false, "A"]]]),
            ("{null: 1, Infinity: 2}", ["null": 1, "Infinity": 2]), ("'\t\u{2028}'", "\t\u{2028}"),
        ] as [(String, JSONValue)])
    func values(text: String, expected: JSONValue) throws {
        let document = read(text)
        #expect(document.errors == [])
        #expect(plain(try #require(document.root)) == expected)
    }

    @Test("numbers that are not finite can be written")
    func notFinite() throws {
        #expect(read("-Infinity").root?.content == .double(-.infinity))
        guard case .double(let value)? = read("+NaN").root?.content else {
            Issue.record("not a number")
            return
        }
        #expect(value.isNaN)
    }

    @Test("every key and value has its line and column")
    func positions() throws {
        let root = try #require(read("\u{FEFF}{ // é\r\n  a: [\r    'é', 7],\n\tb: {}}").root)
        #expect(root.position == TextPosition(line: 1, column: 1))
        let members = try #require(root.members)
        #expect(members.map(\.keyPosition) == [TextPosition(line: 2, column: 3), TextPosition(line: 4, column: 2)])
        #expect(members.map(\.value.position) == [TextPosition(line: 2, column: 6), TextPosition(line: 4, column: 5)])
        #expect(
            root["a"]?.array?.map(\.position) == [TextPosition(line: 3, column: 5), TextPosition(line: 3, column: 10)])
    }

    @Test(
        "what is not JSON5 is told with its place",
        arguments: [
            ("", "1:1", "no value"), (" // c", "1:6", "no value"), ("/* c", "1:1", "has no end"),
            ("{a:1", "1:5", "the end of the text"), ("{a 1}", "1:4", "after the key 'a'"),
            ("{a:}", "1:4", "'}' stands where a value"), ("{,}", "1:2", "where a key"), ("[1 2]", "1:4", "'2' stands"),
            ("[,]", "1:2", "where a value"), ("[1,,2]", "1:4", "where a value"), ("1 2", "1:3", "after the end"),
            ("{a:1}}", "1:6", "after the end"), ("{1:2}", "1:2", "where a key"), ("tru", "1:1", "'tru' is no value"),
            ("{a: yes}", "1:5", "'yes' is no value"), ("'a", "1:1", "no end"), ("'a\nb'", "1:1", "no end in its line"),
            ("'a\\", "1:3", "after a backslash"), ("'\\x4'", "1:2", "2 hexadecimal digits"),
            ("'\\01'", "1:2", "no escape"), ("'\\7'", "1:2", "no escape"), ("{\\x61: 1}", "1:2", "backslash"),
            ("010", "1:1", "begins with 0"), ("1a", "1:1", "none"), ("1.2.3", "1:1", "none"), ("0x", "1:1", "none"),
            ("-", "1:1", "none"), (".", "1:1", "none"), ("1e", "1:1", "none"), ("-x", "1:1", "none"),
            ("1_000", "1:1", "none"), ("'a\0b'", "1:3", "NUL"), ("\0", "1:1", "U+0000"), ("[\u{7}]", "1:2", "U+0007"),
            ("\u{201C}a\u{201D}", "1:1", "'\u{201C}' stands"), ("#c\n1", "1:1", "'#'"),
        ])
    func errors(text: String, place: String, words: String) throws {
        let document = read(text)
        #expect(document.root == nil)
        let error = try #require(document.errors.first)
        #expect("\(error.position.line):\(error.position.column)" == place)
        #expect(error.message.contains(words), "\(error.message)")
        #expect(!error.hint.isEmpty)
    }

    @Test("what reading can go on after is told with the rest")
    func several() {
        let document = read(
            "{a: 1e999, b: 99999999999999999999, a: '\\ud800', c: '\\udc00', d: '\\u0000',\n b: 1, b: 2}")
        #expect(
            document.errors.map { "\($0.position.line):\($0.position.column)" }
                == ["1:5", "1:15", "1:41", "1:37", "1:54", "1:67", "2:2", "2:8"])
        #expect(
            document.errors.filter { $0.message.contains("repeated") }.map(\.message) == [
                "the key 'a' is repeated, first in line 1, column 2",
                "the key 'b' is repeated, first in line 1, column 12",
                "the key 'b' is repeated, first in line 1, column 12",
            ])
        #expect(document.root?.members?.map(\.key) == ["a", "b", "c", "d"])
    }

    @Test(
        "text that is not UTF-8 is told with its place and the byte",
        arguments: [
            ([0x7b, 0x0a, 0x61, 0xff], "2:2", "0xff"), ([0xff, 0xfe, 0x7b, 0x00], "1:1", "0xff"),
            ([0x27, 0xc3, 0xa9, 0xc3], "1:3", "0xc3"), ([0x27, 0xed, 0xa0, 0x80, 0x27], "1:2", "0xed"),
        ] as [([UInt8], String, String)])
    func notUTF8(bytes: [UInt8], place: String, byte: String) {
        let document = JSON5Reader().read(bytes)
        #expect(document.errors.map { "\($0.position.line):\($0.position.column)" } == [place])
        #expect(document.errors.first?.message.contains(byte) == true)
    }

    @Test("nesting is bounded, whatever stands inside")
    func depth() {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + String(repeating: close, count: depth)
        }
        for (open, close) in [("[", "]"), ("{a:", "}")] {
            let inside = open == "[" ? "" : "1"
            let text = String(repeating: open, count: 64) + inside + String(repeating: close, count: 64)
            #expect(read(text).errors == [])
            #expect(read(nested(65, open, close)).errors.first?.message == "nested deeper than 64 levels")
            #expect(read(nested(300_000, open, close)).errors.count == 1)
        }
    }
}
