// SPDX-License-Identifier: Apache-2.0

import Glibc
import PluginHost
import TestSupport
import Testing

/// What kind of file it is: made from one good plugin by changing bytes.
@Suite struct FileKindTests {
    struct Damage: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var code: Refusal.Code
        /// What the message must say, in parts.
        var says: [String]
        var change: @Sendable (inout ElfEditor) throws -> Void

        init(
            _ name: String, _ code: Refusal.Code, says: [String] = [],
            _ change: @escaping @Sendable (inout ElfEditor) throws -> Void
        ) {
            testDescription = name
            self.code = code
            self.says = says
            self.change = change
        }
    }

    static let damages: [Damage] = [
        Damage("text", .notELF, says: ["text"]) { $0.bytes = Array("just some words\n".utf8) },
        Damage("a long text", .notELF, says: ["text"]) {
            $0.bytes = Array(String(repeating: "text ", count: 1000).utf8)
        },
        Damage("a script", .notELF, says: ["script"]) { $0.bytes = Array("#!/bin/sh\n".utf8) },
        Damage("an archive", .notELF, says: ["static library"]) { $0.bytes = Array("!<arch>\n".utf8) },
        Damage("other bytes", .notELF, says: ["no ELF file"]) { $0.bytes = [0, 1, 2, 3, 0xFF] },
        Damage("32-bit class", .wrongClass, says: ["32-bit", "64-bit"]) { $0.bytes[4] = 1 },
        Damage("big-endian", .wrongEndian, says: ["big-endian", "little-endian"]) { $0.bytes[5] = 2 },
        Damage("machine 243", .wrongMachine, says: ["RISC-V", "243"]) { $0.set(UInt16(243), at: 18) },
        Damage("unknown class", .malformed) { $0.bytes[4] = 9 },
        Damage("unknown byte order", .malformed) { $0.bytes[5] = 9 },
        Damage("another system", .malformed) { $0.bytes[7] = 9 },
        Damage("object file type", .objectFile) { $0.set(UInt16(1), at: 16) },
        Damage("executable type", .executable) { $0.set(UInt16(2), at: 16) },
        Damage("core file type", .coreFile) { $0.set(UInt16(4), at: 16) },
        Damage("unknown type", .malformed) { $0.set(UInt16(99), at: 16) },
        Damage("only the magic number", .truncated) { $0.bytes = Array($0.bytes.prefix(4)) },
        Damage("half a header", .truncated) { $0.bytes = Array($0.bytes.prefix(40)) },
        Damage("only the header", .truncated, says: ["64"]) { $0.bytes = Array($0.bytes.prefix(64)) },
        Damage("cut after the headers", .truncated, says: ["2000"]) { $0.bytes = Array($0.bytes.prefix(2000)) },
        Damage("cut in the last segment", .truncated) { editor in
            let last = editor.segments(1).last!
            let offset = editor.get(UInt64.self, at: last + 8)
            let size = editor.get(UInt64.self, at: last + 32)
            editor.bytes = Array(editor.bytes.prefix(Int(offset + size / 2)))
        },
        Damage("program headers at the end of the address space", .truncated) { $0.set(UInt64.max - 8, at: 32) },
        Damage("a section table that could hold any number of sections", .malformed, says: ["section table"]) {
            $0.set(UInt16(0), at: 60)
        },
        Damage("no program headers", .malformed) { $0.set(UInt16(0), at: 56) },
        Damage("65,535 program headers", .malformed) { $0.set(UInt16.max, at: 56) },
        Damage("program headers of another size", .malformed) { $0.set(UInt16(32), at: 54) },
        Damage("a segment beyond all addresses", .truncated) { editor in
            editor.set(UInt64.max, at: editor.segments(1).last! + 32)
        },
        Damage("segments out of order", .malformed) { editor in
            editor.set(UInt64(0), at: editor.segments(1).last! + 16)
        },
        Damage("no dynamic section", .malformed) { $0.set(UInt32(0x6FFF_0000), at: $0.segments(2)[0]) },
        Damage("names in no segment", .malformed) { $0.set(UInt64.max, at: $0.dynamic(5)!) },
        Damage("names without end", .malformed) { $0.set(UInt64.max, at: $0.dynamic(10)!) },
        Damage("symbols in no segment", .malformed) { $0.set(UInt64(1) << 40, at: $0.dynamic(6)!) },
        Damage("a hash table in no segment", .malformed) { $0.set(UInt64(1) << 40, at: $0.dynamic(0x6FFF_FEF5)!) },
        Damage("executable stack", .execStack) { $0.set(UInt32(7), at: $0.segments(0x6474_E551)[0] + 4) },
        Damage("no word about the stack", .execStack) { $0.set(UInt32(0x6FFF_0000), at: $0.segments(0x6474_E551)[0]) },
        Damage("text relocations", .textRelocations) { editor in
            // The count of relative relocations is a hint that the loader can do without.
            editor.set(Int64(22), at: editor.dynamic(0x6FFF_FFF9)! - 8)
        },
    ]

    @Test func theSectionTableIsNotNeeded() throws {
        var editor = try GoodPlugin.editor()
        editor.set(UInt64(0), at: 40)
        editor.set(UInt16(0), at: 60)
        #expect(try GoodPlugin.inspect(editor.bytes).refusal == nil)
        editor = try GoodPlugin.editor()
        editor.set(UInt64.max, at: 40)
        #expect(try GoodPlugin.inspect(editor.bytes).refusal == nil)
    }

    @Test(arguments: damages)
    func aDamagedFileIsRefusedByItsName(damage: Damage) throws {
        var editor = try GoodPlugin.editor()
        try damage.change(&editor)
        let refusal = try #require(try GoodPlugin.inspect(editor.bytes).refusal)
        #expect(refusal.code == damage.code, "\(refusal.message)")
        for part in damage.says { #expect(refusal.message.contains(part), "\(refusal.message)") }
        #expect(!refusal.hint.isEmpty)
    }

    @Test(
        arguments: [
            ("an object file", ["-c", "-fPIC"], .objectFile), ("a program", ["-DMAIN", "-no-pie"], .executable),
            ("a movable program", ["-DMAIN", "-pie", "-fPIE"], .executable),
            ("a static movable program", ["-DMAIN", "-static-pie", "-fPIE"], .executable),
            ("a library with an executable stack", ["-shared", "-fPIC", "-Wl,-z,execstack"], .execStack),
            (
                "a large block of static thread-local storage",
                ["-shared", "-fPIC", "-DTHREAD_LOCAL", "-ftls-model=initial-exec"], .staticTLS
            ),
        ] as [(String, [String], Refusal.Code)])
    func whatCompilersMakeIsRefusedByItsName(name: String, arguments: [String], code: Refusal.Code) throws {
        let extra = """
            #ifdef MAIN
            int main(void) { return 0; }
            #endif
            #ifdef THREAD_LOCAL
            __thread char storage[65536];
            char *touch(void) { return storage; }
            #endif
            """
        let inspection = try GoodPlugin.inspect(source: GoodPlugin.source(extra: extra), arguments: arguments)
        #expect(inspection.refusal?.code == code, "\(name): \(String(describing: inspection.refusal))")
    }

    @Test func aCutAtEveryLengthOfTheHeadersIsRefused() throws {
        let whole = try GoodPlugin.bytes.get()
        let directory = try TemporaryDirectory()
        let path = try directory.write(whole.prefix(1024), to: "cut.so")
        for length in (1..<1024).reversed() {
            #expect(unsafe truncate(path, length) == 0)
            #expect(
                PluginInspector.inspect(path: path).refusal?.code == (length < 4 ? .notELF : .truncated), "\(length)")
        }
    }
}
