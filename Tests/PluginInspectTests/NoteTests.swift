// SPDX-License-Identifier: Apache-2.0

import Foundation
import PluginHost
import TestSupport
import Testing

/// What the notes may say.
@Suite struct NoteTests {
    @Test func aLibraryWithoutANoteIsNoPlugin() throws {
        let inspection = try GoodPlugin.inspect(source: GoodPlugin.source(identity: "", options: ""))
        #expect(inspection.refusal?.code == .noNote)
        #expect(inspection.exports == ["kit_plugin_entry_v1"], "what could be read is told all the same")
        #expect(try GoodPlugin.inspect(source: GoodPlugin.source(identity: "")).refusal?.code == .noNote)
    }

    @Test(
        arguments: [
            (99, 0, 0, .wrongMajor), (0, 7, 0, .wrongMajor), (1, 4, 4, .minorTooNew), (1, 1, 1, .minorTooOld),
            (1, 2, 0, nil),
            (1, 3, 3, nil), (1, 9, 3, nil),
        ] as [(Int, Int, Int, Refusal.Code?)])
    func theVersionsMustMeet(major: Int, minor: Int, needed: Int, code: Refusal.Code?) throws {
        let note =
            "KIT_PLUGIN_NOTE_ABI(\(major), \(minor), KIT_KIND_MONITOR, 0, 0, \(needed), \"com.example.v\", \"1\", \"V\", \"\");"
        let inspection = try GoodPlugin.inspect(
            source: GoodPlugin.source(identity: note), host: HostABI(major: 1, minor: 3, oldestMinor: 2))
        #expect(inspection.refusal?.code == code)
        if let message = inspection.refusal?.message {
            #expect(message.contains("\(major).") && message.contains("1.3"), "both sides' numbers: \(message)")
        }
    }

    @Test func aPluginThatIsRefusedForItsMajorHasNotRun() throws {
        let directory = try TemporaryDirectory()
        let marker = directory.file("it-ran")
        let source = GoodPlugin.source(
            identity:
                "KIT_PLUGIN_NOTE_ABI(99, 0, KIT_KIND_MONITOR, 0, 0, 0, \"com.example.eager\", \"1\", \"Eager\", \"\");",
            extra: """
                #include <fcntl.h>
                #include <unistd.h>
                __attribute__((constructor)) static void run(void) { close(open("\(marker)", O_CREAT | O_WRONLY, 0600)); }
                """)
        let path = try CommandLineTool.compile(source, to: "eager.so", in: directory)
        #expect(PluginInspector.inspect(path: path, hashing: true).refusal?.code == .wrongMajor)
        #expect(!FileManager.default.fileExists(atPath: marker))

        // The marker works: the same file does write it once it is loaded.
        let host = try CommandLineTool.compile(
            "#include <dlfcn.h>\nint main(int n, char **v) { return n == 2 && dlopen(v[1], RTLD_NOW) ? 0 : 1; }\n",
            to: "host", in: directory, arguments: [])
        #expect(try CommandLineTool(host).run([path]).status == 0)
        #expect(FileManager.default.fileExists(atPath: marker))
    }

    struct Damage: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var says: String
        var change: @Sendable (inout ElfEditor, _ note: Int) -> Void

        init(_ name: String, says: String, _ change: @escaping @Sendable (inout ElfEditor, Int) -> Void) {
            testDescription = name
            self.says = says
            self.change = change
        }
    }

    // Offsets in a note: 12 owner, 16 the head's eleven words (format, major, minor, needed, kinds, capabilities, flags,
    // four lengths), 60 the texts.
    static let damages: [Damage] = [
        Damage("another format", says: "format 2") { $0.set(UInt32(2), at: $1 + 16) },
        Damage("no kind", says: "kinds 0") { $0.set(UInt32(0), at: $1 + 32) },
        Damage("needs more than it was built against", says: "needs minor 7") { $0.set(UInt32(7), at: $1 + 28) },
        Damage("an empty id", says: "NUL") { $0.set(UInt32(0), at: $1 + 44) },
        Damage("a long id", says: "4294967295 bytes") { $0.set(UInt32.max, at: $1 + 44) },
        Damage("an id that reaches beyond the note", says: "do not fit") { $0.set(UInt32(100), at: $1 + 44) },
        Damage("a name one byte too long", says: "name") { $0.set(UInt32(9), at: $1 + 52) },
        Damage("a shorter vendor", says: "vendor") { $0.set(UInt32(3), at: $1 + 56) },
        Damage("a capital letter in the id", says: "Com.example.good") { $0.bytes[$1 + 60] = UInt8(ascii: "C") },
        Damage("an id that begins with a dot", says: "grammar") { $0.bytes[$1 + 60] = UInt8(ascii: ".") },
        Damage("a slash in the id", says: "grammar") { $0.bytes[$1 + 61] = UInt8(ascii: "/") },
        Damage("an id that is not UTF-8", says: "grammar") { $0.bytes[$1 + 62] = 0xFF },
        Damage("a NUL in the id", says: "grammar") { $0.bytes[$1 + 62] = 0 },
        Damage("an escape sequence in the id", says: "\u{FFFD}") { $0.bytes[$1 + 62] = 0x1B },
        Damage("contents that run past the end", says: "past their end") { $0.set(UInt32.max - 8, at: $1 + 4) },
        Damage("an owner that runs past the end", says: "past their end") { $0.set(UInt32.max, at: $1) },
        Damage("a shorter note", says: "fixed part") { editor, note in
            editor.set(UInt32(12), at: note + 4)
            editor.set(UInt64(28), at: editor.segments(4)[0] + 32)
        },
    ]

    @Test(arguments: damages)
    func aWrongNoteIsRefused(damage: Damage) throws {
        // One note alone, so that what follows the damaged one is the end.
        let directory = try TemporaryDirectory()
        let path = try CommandLineTool.compile(
            GoodPlugin.source(options: ""), to: "one.so", in: directory,
            arguments: ["-shared", "-fPIC", "-fvisibility=hidden", "-Wl,--build-id=none"])
        var editor = ElfEditor(try ElfEditor.contents(of: path))
        damage.change(&editor, try editor.note(1))
        let refusal = try #require(try GoodPlugin.inspect(editor.bytes).refusal)
        #expect(refusal.code == .badNote)
        #expect(refusal.message.contains(damage.says), "\(refusal.message)")
        #expect(!refusal.message.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test func twoIdentityNotesAreRefused() throws {
        let second = GoodPlugin.identity.replacingOccurrences(of: "com.example.good", with: "com.example.other")
        let source = GoodPlugin.source(
            extra: "#define kit_identity_note second_note\n\(second)\n#undef kit_identity_note")
        #expect(try GoodPlugin.inspect(source: source).refusal?.code == .badNote)
    }

    @Test func aHugeNoteIsRefusedUnread() throws {
        let huge = """
            static const struct { unsigned sizes[3]; char owner[4]; char text[10 << 20]; } huge
                __attribute__((section(".note.kit"), used, aligned(4))) = {{4, 10 << 20, 9}, "KIT", {1}};
            """
        let refusal = try #require(try GoodPlugin.inspect(source: GoodPlugin.source(extra: huge)).refusal)
        #expect(refusal.code == .badNote)
    }

    @Test func bitsOfNewerHeadersAreAWarning() throws {
        var editor = try GoodPlugin.editor()
        let note = try editor.note(1)
        editor.set(UInt32(0x12), at: note + 32)
        editor.set(UInt32(0x4000), at: note + 40)
        let inspection = try GoodPlugin.inspect(editor.bytes)
        #expect(inspection.refusal == nil)
        #expect(inspection.warnings.map(\.code) == [.unknownBits, .unknownBits])
    }

    @Test func anIdWithoutADotIsForTheProductOnly() throws {
        let directory = try TemporaryDirectory()
        let source = GoodPlugin.source(
            identity: "KIT_PLUGIN_NOTE(KIT_KIND_MONITOR, 0, 0, 0, \"first-frame\", \"1.0.0\", \"First frame\", \"\");")
        let path = try CommandLineTool.compile(source, to: "reserved.so", in: directory)
        #expect(PluginInspector.inspect(path: path).refusal?.code == .reservedID)
        #expect(PluginInspector.inspect(path: path, policy: LoadPolicy(origin: .builtIn)).refusal == nil)
    }

    @Test func textsAreMadeFitToBeShown() throws {
        let source = GoodPlugin.source(
            identity: #"KIT_PLUGIN_NOTE(KIT_KIND_MONITOR, 0, 0, 0, "com.example.x", "1", "a\x1b[2Jb\xff\n", "Größe");"#)
        let note = try #require(try GoodPlugin.inspect(source: source).note)
        #expect(note.name == "a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}")
        #expect(note.vendor == "Größe")
    }
}
