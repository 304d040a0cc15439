// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing

@Suite struct JSONWriterTests {
    @Test(arguments: [
        (JSONValue.double(5000.0), "5000"), (6.3, "6.3"), (.double(12.5), "12.5"), (.double(0.1), "0.1"),
        (.double(-0.0), "0"),
        (.double(.nan), "null"), (.double(.infinity), "null"), (.double(0.2702702702702703), "0.2702702702702703"),
        (.double(1e300), "1e+300"), (.int(.min), "-9223372036854775808"), (.int(.max), "9223372036854775807"), (0, "0"),
        (.milliseconds(6300), "6.3"), (.milliseconds(1), "0.001"), (.milliseconds(nil), "null"),
        ("a\"\\\n\r\t\u{1}\u{1f}é/", #""a\"\\\n\r\t\u0001\u001fé/""#),
        (.array([]), "[]"), (.object([:]), "{}"), (.array([1, [2, [:]]]), "[1,[2,{}]]"),
    ])
    func writesTheShortestForm(value: JSONValue, expected: String) {
        #expect(JSONWriter.text(value) == expected)
    }

    @Test(arguments: [
        (Int64(0), "0"), (1, "0.001"), (-1, "-0.001"), (10, "0.01"), (6300, "6.3"), (5_012_000, "5012"),
        (-12_500, "-12.5"),
        (.max, "9223372036854775.807"), (.min, "-9223372036854775.808"),
    ])
    func thousandthsAreExact(value: Int64, expected: String) {
        var writer = JSONWriter()
        writer.write(thousandths: value)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    @Test func prettyFormIndentsByTwo() {
        let value: JSONValue = ["a": [1, 2], "b": [:], "c": [], "d": ["e": nil]]
        let expected = """
            {
              "a": [
                1,
                2
              ],
              "b": {},
              "c": [],
              "d": {
                "e": null
              }
            }
            """
        #expect(JSONWriter.text(value, style: .pretty) == expected)
    }

    @Test func whatIsWrittenReadsBackEqual() throws {
        var bits: UInt64 = 1
        for _ in 0..<2000 {
            bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let number = Double(bitPattern: bits)
            guard number.isFinite else { continue }
            let back = try JSONReader().read(JSONWriter.text(.double(number)))
            #expect(back.number == number)
        }
    }

    @Test func linesFollowEachOther() {
        var writer = JSONWriter()
        for number: Int64 in [1, 2] {
            writer.beginObject()
            writer.key("n")
            writer.write(number)
            writer.endObject()
            writer.endLine()
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "{\"n\":1}\n{\"n\":2}\n")
    }
}
