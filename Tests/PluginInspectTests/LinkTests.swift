// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PluginHost
import TestSupport
import Testing

/// How a plugin must be linked.
@Suite struct LinkTests {
    @Test(arguments: [
        ("absent", "", "does not export"),
        (
            "hidden", "__attribute__((visibility(\"hidden\"))) int kit_plugin_entry_v1(void) { return 0; }",
            "does not export"
        ),
        (
            "another major's", "__attribute__((visibility(\"default\"))) int kit_plugin_entry_v2(void) { return 0; }",
            "does not export"
        ),
        (
            "only referred to", "int kit_plugin_entry_v1(void); int (*keep)(void) = kit_plugin_entry_v1;",
            "only refers to"
        ),
        ("data", "__attribute__((visibility(\"default\"))) int kit_plugin_entry_v1 = 1;", "as data"),
    ])
    func theEntryMustBeAnExportedFunction(name: String, entry: String, says: String) throws {
        // Without the header's declaration, which would make it visible.
        let source = ["#include <kitshell/note.h>", GoodPlugin.identity, entry, ""].joined(separator: "\n")
        let refusal = try #require(try GoodPlugin.inspect(source: source).refusal)
        #expect(refusal.code == .missingEntry)
        #expect(refusal.message.contains(says), "\(name): \(refusal.message)")
    }

    @Test func whatElseIsExportedIsAWarning() throws {
        let extra = """
            KIT_EXPORT int helper(void);
            int helper(void) { return 1; }
            """
        let inspection = try GoodPlugin.inspect(source: GoodPlugin.source(extra: extra))
        #expect(inspection.refusal == nil)
        #expect(inspection.exports == ["helper", "kit_plugin_entry_v1"])
        #expect(inspection.warnings.map(\.code) == [.extraExports])
        #expect(inspection.warnings.first?.message.contains("helper") == true)
    }

    @Test func whatElseIsExportedIsRefusedInTheProcessOfTheHost() throws {
        let extra = """
            KIT_EXPORT int helper(void);
            int helper(void) { return 1; }
            """
        let directory = try TemporaryDirectory()
        let policy = LoadPolicy(origin: .stranger, sharesProcess: true)
        let loud = try CommandLineTool.compile(GoodPlugin.source(extra: extra), to: "loud.so", in: directory)
        let refusal = try #require(PluginInspector.inspect(path: loud, policy: policy).refusal)
        #expect(refusal.code == .extraExports)
        #expect(refusal.hint.contains("helper"))

        // Weak ones are how C++ shares what every library brings.
        let weak = extra.replacing("KIT_EXPORT", with: "KIT_EXPORT __attribute__((weak))")
        let quiet = try CommandLineTool.compile(GoodPlugin.source(extra: weak), to: "quiet.so", in: directory)
        #expect(PluginInspector.inspect(path: quiet, policy: policy).refusal == nil)
    }

    @Test func callsThatHurtTheHostAreAWarning() throws {
        let extra = """
            #include <locale.h>
            #include <stdlib.h>
            void leave(void);
            void leave(void) { setlocale(LC_ALL, ""); exit(1); }
            """
        let inspection = try GoodPlugin.inspect(source: GoodPlugin.source(extra: extra))
        #expect(inspection.warnings.map(\.code) == [.riskyImports])
        #expect(inspection.warnings.first?.message.contains("exit, setlocale") == true)
        #expect(inspection.imports.contains("setlocale"))
    }

    @Test func neededLibrariesAreFoundOrNamed() throws {
        let directory = try TemporaryDirectory()
        _ = try CommandLineTool.compile(
            "int other(void); int other(void) { return 1; }\n", to: "libother.so", in: directory,
            arguments: ["-shared", "-fPIC"])
        let extra = "int other(void); int use(void); int use(void) { return other(); }"
        let path = try CommandLineTool.compile(
            GoodPlugin.source(extra: extra), to: "plugin.so", in: directory,
            arguments: [
                "-shared", "-fPIC", "-fvisibility=hidden", "-L", directory.path, "-lother", "-lm", "-Wl,-rpath,$ORIGIN",
                "-Wl,--no-as-needed", "-lc",
            ])
        let inspection = PluginInspector.inspect(path: path)
        #expect(inspection.needs.map(\.library).prefix(1) == ["libother.so"])
        #expect(inspection.needs.first?.path == directory.file("libother.so"))
        #expect(inspection.needs.contains { $0.library == "libc.so.6" && $0.versions.contains("GLIBC_2.2.5") })
        #expect(inspection.warnings.isEmpty)

        let alone = try TemporaryDirectory()
        let moved = PluginInspector.inspect(path: try alone.write(ElfEditor.contents(of: path), to: "plugin.so"))
        #expect(moved.refusal == nil, "the system's loader may know more places")
        #expect(moved.warnings.map(\.code) == [.missingLibrary])
        #expect(moved.warnings.first?.message.contains("libother.so") == true)
    }

    @Test func aNeedWithoutANameIsRefused() throws {
        var editor = try GoodPlugin.editor()
        let hasRoom = editor.addDynamic(1, 0)
        #expect(hasRoom)
        let refusal = try #require(try GoodPlugin.inspect(editor.bytes).refusal)
        #expect(refusal.code == .malformed)
        #expect(refusal.message.contains("no name"))
    }

    /// A directory, or a file that is none, is no library, wherever the name of one leads.
    @Test func onlyLibrariesAreFound() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write(Array("text".utf8), to: "libtext.so")
        let path = try CommandLineTool.compile(
            GoodPlugin.source(), to: "plugin.so", in: directory,
            arguments: [
                "-shared", "-fPIC", "-fvisibility=hidden", "-Wl,--enable-new-dtags,-rpath,/:$ORIGIN",
                "-Wl,--no-as-needed",
                try LinkTests.library(named: "tmp", in: directory),
                try LinkTests.library(named: "libtext.so", in: directory),
                try LinkTests.library(named: "../x/libup.so", in: directory),
            ])
        let inspection = PluginInspector.inspect(path: path)
        #expect(inspection.needs.count == 4)
        #expect(inspection.needs.prefix(3).allSatisfy { $0.path == nil }, "\(inspection.needs)")
        #expect(inspection.needs.last?.path?.hasSuffix("/libc.so.6") == true)
    }

    /// A library under another name than its own, so that it is not found by that.
    private static func library(named name: String, in directory: TemporaryDirectory) throws -> String {
        let file = "is-\(name.replacing("/", with: "-"))"
        return try CommandLineTool.compile(
            "int x;\n", to: file, in: directory, arguments: ["-shared", "-fPIC", "-Wl,-soname,\(name)"])
    }

    @Test func aNewerCLibraryIsRefusedWithBothNumbers() throws {
        let extra = """
            #include <string.h>
            void *copy(void *to, const void *from, unsigned long n);
            void *copy(void *to, const void *from, unsigned long n) { return memcpy(to, from, n); }
            """
        let directory = try TemporaryDirectory()
        let path = try CommandLineTool.compile(
            GoodPlugin.source(extra: extra), to: "plugin.so", in: directory)
        // The version's name has as many bytes as one that does not exist yet.
        var bytes = try ElfEditor.contents(of: path)
        let name = Array("GLIBC_2.14\0".utf8)
        let place = try #require(
            (0..<(bytes.count - name.count)).first { bytes[$0..<($0 + name.count)].elementsEqual(name) })
        bytes.replaceSubrange(place..<(place + name.count), with: Array("GLIBC_9.14\0".utf8))
        let refusal = try #require(try GoodPlugin.inspect(bytes).refusal)
        #expect(refusal.code == .glibcTooNew)
        #expect(refusal.message.contains("GLIBC_9.14"))
    }

    @Test func aLittleStaticThreadLocalStorageIsAWarning() throws {
        let inspection = try GoodPlugin.inspect(
            source: GoodPlugin.source(
                extra: "__thread int small; int touch(void); int touch(void) { return small++; }"),
            arguments: ["-shared", "-fPIC", "-fvisibility=hidden", "-O2", "-ftls-model=initial-exec"])
        #expect(inspection.refusal == nil)
        #expect(inspection.warnings.map(\.code) == [.staticTLS])
    }

    @Test func theErrorNamesTheFileTheReasonAndTheNextStep() throws {
        let error = try #require(PluginInspector.inspect(path: "/nowhere/x.so").error)
        #expect(error.code == .pluginRefused)
        #expect(error.message.contains("/nowhere/x.so"))
        #expect(error.cause == "not_found")
        #expect(!error.hint.isEmpty)
    }
}
