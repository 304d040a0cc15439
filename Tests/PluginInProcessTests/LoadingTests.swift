// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PluginHost
import TestSupport
import Testing

private struct Refused: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var stage: PluginError.Stage
    /// What the error must name.
    var names: String
    var fixture: @Sendable () -> FixturePlugin

    init(
        _ description: String, _ stage: PluginError.Stage, names: String,
        _ change: @escaping @Sendable (inout FixturePlugin) -> Void
    ) {
        testDescription = description
        self.stage = stage
        self.names = names
        fixture = {
            var fixture = FixturePlugin()
            change(&fixture)
            return fixture
        }
    }
}

private let refused: [Refused] = [
    Refused("an entry that answers with an error", .entry, names: "KIT_INTERNAL") {
        $0.entry = "host->report_error(host, 0, KIT_INTERNAL, text(\"no licence\")); return KIT_INTERNAL;"
    },
    Refused("an entry that declines", .entry, names: "KIT_DECLINE") { $0.entry = "return KIT_DECLINE;" },
    Refused("an entry that gives no table", .descriptor, names: "no table") { $0.entry = "return KIT_OK;" },
    Refused("an entry that gives a misaligned table", .descriptor, names: "no table") {
        $0.entry = "*out = (const kit_plugin_v1 *)((const char *)&plugin + 4); return KIT_OK;"
    },
    Refused("a table that is too short", .descriptor, names: "32 bytes") {
        $0.table = "8, KIT_ABI_MINOR, create, destroy, get_interface"
    },
    Refused("a table without create", .descriptor, names: "is null") {
        $0.table = "sizeof(kit_plugin_v1), KIT_ABI_MINOR, 0, destroy, get_interface"
    },
    Refused("a table without destroy", .descriptor, names: "is null") {
        $0.table = "sizeof(kit_plugin_v1), KIT_ABI_MINOR, create, 0, get_interface"
    },
    Refused("a table without get_interface", .descriptor, names: "is null") {
        $0.table = "sizeof(kit_plugin_v1), KIT_ABI_MINOR, create, destroy, 0"
    },
    Refused("a promised interface that is not given", .descriptor, names: "kit.monitor/1") {
        $0.getInterface = "return 0;"
    },
    Refused("an interface that is too short", .descriptor, names: "kit.monitor/1") {
        $0.monitor = "4, 0, {0, 0}, on_events"
    },
    Refused("an interface without its function", .descriptor, names: "on_events") {
        $0.monitor = "sizeof(kit_monitor_v1), 0, {0, 0}, 0"
    },
]

@Suite("loading into this process")
struct LoadingTests {
    @Test("is refused at the stage that failed, naming file and reason", arguments: refused)
    private func refusal(_ example: Refused) throws {
        let directory = try TemporaryDirectory()
        let file = try example.fixture().build(in: directory)
        let error = #expect(throws: PluginError.self) { _ = try InProcessPlace(file, log: CapturedLog().sink) }
        #expect(error?.stage == example.stage)
        #expect(error?.message.contains(example.names) == true)
        #expect(error?.message.contains(file.path) == true)
        #expect(error?.hint.isEmpty == false)
    }

    @Test("what the plugin said of its failure is the cause")
    func cause() throws {
        let directory = try TemporaryDirectory()
        let file = try refused[0].fixture().build(in: directory)
        let error = #expect(throws: PluginError.self) { _ = try InProcessPlace(file, log: CapturedLog().sink) }
        #expect(error?.cause == "no licence")
    }

    @Test("an exception thrown by the entry is caught and named")
    func entryThrows() throws {
        let directory = try TemporaryDirectory()
        var fixture = FixturePlugin(prelude: "#include <stdexcept>")
        fixture.entry = "throw std::runtime_error(\"not today\");"
        let file = try fixture.build(in: directory, compiler: "c++")
        let error = #expect(throws: PluginError.self) { _ = try InProcessPlace(file, log: CapturedLog().sink) }
        #expect(error?.stage == .entry)
        #expect(error?.message.contains("std::runtime_error: not today") == true)
    }

    @Test("an undefined symbol is an error of opening, with the loader's words")
    func undefinedSymbol() throws {
        let directory = try TemporaryDirectory()
        var fixture = FixturePlugin(prelude: "extern int kit_future_call(void);")
        fixture.onEvents = "return kit_future_call();"
        let file = try fixture.build(in: directory)
        let error = #expect(throws: PluginError.self) { _ = try InProcessPlace(file, log: CapturedLog().sink) }
        #expect(error?.stage == .open)
        #expect(error?.cause.contains("kit_future_call") == true)
    }

    @Test("a library without the entry is refused, also if a dependency has one")
    func foreignEntry() throws {
        let directory = try TemporaryDirectory()
        let dependency = try FixturePlugin().build(in: directory)
        let bare = try CommandLineTool.compile("int nothing;", to: "bare.so", in: directory)
        let error = #expect(throws: PluginError.self) {
            _ = try InProcessPlace(PluginFile(at: bare, kinds: .monitor, origin: .stranger), log: CapturedLog().sink)
        }
        #expect(error?.stage == .symbol)

        let dependent = try CommandLineTool.compile(
            "int nothing;", to: "dependent.so", in: directory,
            arguments: ["-shared", "-fPIC", "-Wl,--no-as-needed", dependency.path])
        let foreign = #expect(throws: PluginError.self) {
            _ = try InProcessPlace(
                PluginFile(at: dependent, kinds: .monitor, origin: .stranger), log: CapturedLog().sink)
        }
        #expect(foreign?.stage == .symbol)
        #expect(foreign?.message.contains("fixture.so") == true)
    }

    @Test("a file that changed since it was inspected is refused, and its constructor does not run")
    func changed() throws {
        let directory = try TemporaryDirectory()
        let marker = directory.file("marker")
        var fixture = FixturePlugin()
        fixture.prelude =
            "__attribute__((constructor)) static void begin(void) { fclose(fopen(\"\(marker)\", \"w\")); }"
        var file = try fixture.build(in: directory)
        file.identity.modifiedNanoseconds -= 1
        let error = #expect(throws: PluginError.self) { _ = try InProcessPlace(file, log: CapturedLog().sink) }
        #expect(error?.stage == .open)
        #expect(!FileManager.default.fileExists(atPath: marker))
    }

    @Test("the same file, also by another path, is loaded once and its entry called once")
    func loadedOnce() throws {
        let directory = try TemporaryDirectory()
        var fixture = FixturePlugin(prelude: "static int calls;")
        fixture.entry = "*out = &plugin; return calls++ ? KIT_INTERNAL : KIT_OK;"
        let file = try fixture.build(in: directory)
        let link = directory.file("link.so")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
        _ = try InProcessPlace(file, log: CapturedLog().sink)
        _ = try InProcessPlace(file, log: CapturedLog().sink)
        _ = try InProcessPlace(PluginFile(at: link, kinds: .monitor, origin: .stranger), log: CapturedLog().sink)
    }

    @Test("an entry that does not return is given up")
    func hangingEntry() throws {
        let directory = try TemporaryDirectory()
        var fixture = FixturePlugin()
        fixture.entry = "for (;;) pause();"
        let file = try fixture.build(in: directory)
        var deadlines = CallDeadlines()
        deadlines.load = 50
        let error = #expect(throws: PluginError.self) {
            _ = try InProcessPlace(file, deadlines: deadlines, log: CapturedLog().sink)
        }
        #expect(error?.stage == .entry)
    }
}
