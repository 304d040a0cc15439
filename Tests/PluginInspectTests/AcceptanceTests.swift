// SPDX-License-Identifier: Apache-2.0

import PluginHost
import TestSupport
import Testing

@Suite struct AcceptanceTests {
    @Test func aGoodPluginIsAcceptedAndTellsEverything() throws {
        let inspection = try GoodPlugin.inspect(GoodPlugin.bytes.get())
        #expect(inspection.refusal == nil)
        #expect(inspection.warnings.isEmpty)
        let note = try #require(inspection.note)
        #expect(note.id == "com.example.good")
        #expect(note.version == "1.2.0")
        #expect(note.name == "Good one")
        #expect(note.vendor == "Example")
        #expect(note.kinds == .monitor)
        #expect(note.capabilities.names == ["actions"])
        #expect((note.abiMajor, note.abiMinor, note.neededMinor) == (1, 0, 0))
        #expect(inspection.options?.options.map(\.key) == ["every"])
        #expect(inspection.exports == ["kit_plugin_entry_v1"])
        #expect(inspection.imports.contains("__cxa_finalize"))
        #expect(inspection.architecture == .host)
        #expect(try inspection.accepted().identity.size == UInt64(GoodPlugin.bytes.get().count))
    }

    @Test(arguments: [
        ["-O2"], ["-O0", "-g"], ["-O2", "-Wl,--gc-sections", "-s"], ["-Wl,--hash-style=sysv"], ["-flto", "-O2"],
    ])
    func notesAndSymbolsSurviveHowItIsBuilt(flags: [String]) throws {
        let inspection = try GoodPlugin.inspect(
            source: GoodPlugin.source(), arguments: ["-shared", "-fPIC", "-fvisibility=hidden"] + flags)
        #expect(inspection.refusal == nil)
        #expect(inspection.options?.options.count == 1)
    }
}
