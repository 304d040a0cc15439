// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A compiler that plugins are built with.
struct Compiler: CustomTestStringConvertible, Sendable {
    var tool: String
    var standard: String

    var testDescription: String { "\(tool) \(standard)" }
    var isCxx: Bool { standard.contains("++") }

    static let all = [
        Compiler(tool: "gcc", standard: "c11"), Compiler(tool: "clang", standard: "c11"),
        Compiler(tool: "g++", standard: "c++17"), Compiler(tool: "clang++", standard: "c++17"),
    ]

    static let installed = all.filter { CommandLineTool($0.tool).isInstalled }

    /// What it says of a text; empty if nothing.
    func complaints(about text: String) throws -> String {
        let directory = try TemporaryDirectory()
        let source = try directory.write(Array(text.utf8), to: isCxx ? "check.cpp" : "check.c")
        let outcome = try CommandLineTool(tool).run([
            "-std=\(standard)", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", CommandLineTool.pluginHeaders,
            "-fsyntax-only", source,
        ])
        return outcome.status == 0 ? outcome.output : "status \(outcome.status): \(outcome.output)"
    }
}

@Suite struct LayoutTests {
    @Test(
        .enabled(if: CommandLineTool("clang").isInstalled, "clang tells the layout; it comes with the Swift toolchain"))
    func theHeadersAreWhatTheGoldenFileSays() throws {
        let now = try LayoutGolden(headersIn: CommandLineTool.pluginHeaders)
        if ProcessInfo.processInfo.environment["KIT_REGENERATE_GOLDEN"] != nil {
            try now.text.write(toFile: LayoutGolden.path, atomically: true, encoding: .utf8)
        }
        let golden = try String(contentsOfFile: LayoutGolden.path, encoding: .utf8)
        let (was, new) = (Set(golden.split(separator: "\n")), Set(now.text.split(separator: "\n")))
        #expect(
            golden == now.text,
            """
            The ABI changed. Only in the golden file: \(was.subtracting(new).sorted()); only in the headers: \
            \(new.subtracting(was).sorted()). If that is meant (docs/abi-changes.md says what may change), run: \
            \(LayoutGolden.regenerate)
            """)
    }

    @Test(arguments: Compiler.installed)
    func everyCompilerAgreesWithTheGoldenFile(compiler: Compiler) throws {
        let golden = try LayoutGolden.read()
        #expect(!golden.structures.isEmpty && !golden.constants.isEmpty)
        let keyword = compiler.isCxx ? "static_assert" : "_Static_assert"
        #expect(
            try compiler.complaints(about: golden.assertions(keyword: keyword)) == "",
            "If the change is meant, run: \(LayoutGolden.regenerate)")
    }

    @Test func swiftAgreesWithTheGoldenFile() throws {
        let golden = try LayoutGolden.read()
        let rows = golden.structures.map { structure in
            LayoutGolden.Structure(
                name: structure.name, size: structure.size, alignment: structure.alignment,
                members: structure.members.map { LayoutGolden.Member(name: $0.name, offset: $0.offset, type: "") })
        }
        for (expected, actual) in zip(rows, SwiftLayout.structures) { #expect(actual == expected) }
        #expect(rows.map(\.name) == SwiftLayout.structures.map(\.name))
    }

    @Test(arguments: Compiler.installed)
    func everyHeaderCompilesAlone(compiler: Compiler) throws {
        let folder = URL(filePath: CommandLineTool.pluginHeaders).appending(path: "kitshell").path
        let headers = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".h") }
        #expect(headers.contains("kit.h"))
        for header in headers {
            let text = "#include <kitshell/\(header)>\n#include <kitshell/\(header)>\n"
            #expect(try compiler.complaints(about: text) == "", "\(header)")
        }
    }

    @Test(arguments: Compiler.installed)
    func thePluginMacrosCompileWithoutWarnings(compiler: Compiler) throws {
        let text = """
            #include <kitshell/kit.h>
            KIT_PLUGIN_NOTE(KIT_KIND_MONITOR | KIT_KIND_LIFECYCLE, KIT_CAP_NETWORK, KIT_FLAG_BINDS_IDS, 0, "com.example.a",
                            "1.0.0", "A", "");
            KIT_PLUGIN_OPTIONS("{}");
            kit_result kit_plugin_entry_v1(const kit_host_v1 *host, const kit_plugin_v1 **out) {
              (void)host;
              *out = NULL;
              return KIT_UNSUPPORTED;
            }

            """
        #expect(try compiler.complaints(about: "#include <stddef.h>\n" + text) == "")
    }
}
