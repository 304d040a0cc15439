// SPDX-License-Identifier: Apache-2.0

import PluginHost
import TestSupport
import Testing

/// The option note: what it may declare, and what users may set.
@Suite struct OptionTableTests {
    private func inspect(_ json: String) throws -> PluginInspection {
        let literal = json.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return try GoodPlugin.inspect(source: GoodPlugin.source(options: "KIT_PLUGIN_OPTIONS(\"\(literal)\");"))
    }

    static let everything = """
        {"count": {"type": "int", "default": 3, "min": 0, "max": 10, "help": "How many."}, \
        "ratio": {"type": "double", "default": 1, "min": 0.5}, \
        "mode": {"type": "string", "default": "fast", "choices": ["fast", "slow"]}, \
        "loud": {"type": "flag", "default": false}, \
        "delay": {"type": "duration", "default": 12.5, "max": 1000}, \
        "names": {"type": "list of string", "default": ["a", "b"]}, \
        "limits": {"type": "list of int", "max": 9}, \
        "path": {"type": "string"}}
        """

    @Test func everyTypeIsReadWithDefaultBoundsAndChoices() throws {
        let table = try inspect(OptionTableTests.everything).accepted().options
        #expect(table.options.map(\.key) == ["count", "ratio", "mode", "loud", "delay", "names", "limits", "path"])
        #expect(table["count"]?.maximum == .int(10))
        #expect(table["count"]?.help == "How many.")
        #expect(table["mode"]?.choices == [.string("fast"), .string("slow")])
        #expect(table["names"]?.isList == true)
        #expect(
            try table.values(for: []) == [
                PluginOption("count", .int(3)), PluginOption("ratio", .double(1)),
                PluginOption("mode", .string("fast")),
                PluginOption("loud", .flag(false)), PluginOption("delay", .duration(12_500)),
                PluginOption("names", .string("a")), PluginOption("names", .string("b")),
            ])
    }

    @Test func settingsAreTypedAndTheLastOneWins() throws {
        let table = try inspect(OptionTableTests.everything).accepted().options
        let values = try table.values(for: [
            OptionSetting(key: "count", text: "4"), OptionSetting(key: "count", text: "5"),
            OptionSetting(key: "ratio", text: "2.5"), OptionSetting(key: "loud", text: "true"),
            OptionSetting(key: "delay", text: "0.25"), OptionSetting(key: "names", text: "x"),
            OptionSetting(key: "limits", text: "1,2"), OptionSetting(key: "path", text: "/a,b"),
        ])
        #expect(
            values == [
                PluginOption("count", .int(5)), PluginOption("ratio", .double(2.5)),
                PluginOption("mode", .string("fast")),
                PluginOption("loud", .flag(true)), PluginOption("delay", .duration(250)),
                PluginOption("names", .string("x")),
                PluginOption("limits", .int(1)), PluginOption("limits", .int(2)), PluginOption("path", .string("/a,b")),
            ])
    }

    @Test(arguments: [
        ("cuont", "1", "count, ratio"), ("count", "many", "whole number"), ("count", "11", "at most 10"),
        ("count", "-1", "at least 0"), ("ratio", "nan", "a number"), ("ratio", "0.1", "at least 0.5"),
        ("mode", "medium", "one of fast, slow"), ("loud", "loud", "true or false"), ("delay", "1000.5", "at most 1000"),
        ("delay", "soon", "milliseconds"), ("limits", "1,x", "commas"), ("limits", "10", "at most 9"),
    ])
    func aSettingThatIsNotAllowedIsNamedWithWhatWouldBe(key: String, text: String, hint: String) throws {
        let table = try inspect(OptionTableTests.everything).accepted().options
        let error = try #require(throws: OptionError.self) {
            try table.values(for: [OptionSetting(key: key, text: text)])
        }
        #expect(error.key == key)
        #expect(error.hint.contains(hint), "\(error.hint)")
    }

    @Test(arguments: [
        ("not JSON", "not JSON"), ("[]", "no JSON object|not a JSON object"), ("{\"a\": 1}", "described"),
        ("{\"A\": {\"type\": \"int\"}}", "grammar"), ("{\"\": {\"type\": \"int\"}}", "grammar"),
        ("{\"a\": {}}", "no type"), ("{\"a\": {\"type\": \"number\"}}", "types are"),
        ("{\"a\": {\"type\": \"list of list of int\"}}", "types are"),
        ("{\"a\": {\"type\": \"int\"}, \"a\": {\"type\": \"int\"}}", "not JSON"),
        ("{\"a\": {\"type\": \"int\", \"default\": 1.5}}", "no int"),
        ("{\"a\": {\"type\": \"int\", \"default\": \"1\"}}", "no int"),
        ("{\"a\": {\"type\": \"int\", \"default\": 5, \"max\": 4}}", "the most is 4"),
        ("{\"a\": {\"type\": \"int\", \"min\": 5, \"max\": 4}}", "the least is 5"),
        ("{\"a\": {\"type\": \"string\", \"min\": 5}}", "bounds"),
        ("{\"a\": {\"type\": \"string\", \"choices\": []}}", "choices"),
        ("{\"a\": {\"type\": \"string\", \"choices\": [\"x\"], \"default\": \"y\"}}", "one of x"),
        ("{\"a\": {\"type\": \"list of int\", \"default\": 1}}", "no list"),
        ("{\"a\": {\"type\": \"duration\", \"default\": 1e300}}", "no duration"),
    ])
    func aTableThatIsWrongIsRefusedWithTheReason(json: String, says: String) throws {
        let inspection = try inspect(json)
        #expect(inspection.refusal?.code == .badOptions)
        let message = inspection.refusal?.message ?? ""
        #expect(says.split(separator: "|").contains { message.contains($0) }, "\(message)")
        #expect(inspection.note != nil, "the identity is told all the same")
    }

    @Test func aTableThatIsTooLargeIsRefused() throws {
        let long = "{\"a\": {\"type\": \"int\", \"help\": \"\(String(repeating: "x", count: 70_000))\"}}"
        #expect(try inspect(long).refusal?.code == .badOptions)
        let many = (0..<300).map { "\"k\($0)\": {\"type\": \"int\"}" }.joined(separator: ",")
        #expect(try inspect("{\(many)}").refusal?.code == .badOptions)
        let deep = "{\"a\": \(String(repeating: "[", count: 20_000))\(String(repeating: "]", count: 20_000))}"
        #expect(try inspect(deep).refusal?.code == .badOptions)
    }

    @Test func membersOfNewerHeadersAreAWarning() throws {
        let inspection = try inspect("{\"a\": {\"type\": \"int\", \"unit\": \"s\"}}")
        #expect(inspection.refusal == nil)
        #expect(inspection.warnings.map(\.code) == [.unknownMembers])
        #expect(inspection.warnings.first?.message.contains("a.unit") == true)
    }

    @Test func aPluginWithoutOptionsHasAnEmptyTable() throws {
        let table = try GoodPlugin.inspect(source: GoodPlugin.source(options: "")).accepted().options
        #expect(table.options.isEmpty)
        let error = try #require(throws: OptionError.self) {
            try table.values(for: [OptionSetting(key: "a", text: "1")])
        }
        #expect(error.hint.contains("no options"))
    }
}
