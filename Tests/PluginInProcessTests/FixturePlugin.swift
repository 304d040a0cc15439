// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PluginHost
import Synchronization
import TestSupport

/// A plugin in C for one test: every part does what a good plugin does unless a test says otherwise.
struct FixturePlugin {
    /// File-scope text before the functions.
    var prelude = ""
    /// Bodies of functions.
    var entry = "*out = &plugin; return KIT_OK;"
    var create = "*self = (void *)how; return KIT_OK;"
    var destroy = ""
    var getInterface =
        "return !strcmp(id, KIT_MONITOR_ID) ? (const void *)&monitor : !strcmp(id, KIT_LIFECYCLE_ID) ? &lifecycle : 0;"
    var onEvents = "return KIT_OK;"
    var decide = "return KIT_DECLINE;"
    /// Initialisers of the tables.
    var table = "sizeof(kit_plugin_v1), KIT_ABI_MINOR, create, destroy, get_interface"
    var monitor = "sizeof(kit_monitor_v1), 0, {0, 0}, on_events"
    var lifecycle = "sizeof(kit_lifecycle_v1), 0, decide"

    private var source: String {
        """
        #include <kitshell/kit.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        static const kit_host_v1 *host_table;
        static inline kit_str text(const char *s) { kit_str t = {s, strlen(s)}; return t; }
        static inline kit_result occur(const kit_report_sink_v1 *sink, uint32_t session, const char *name, int64_t value) {
          kit_field_v1 field = {sizeof field, KIT_FIELD_INT, text("value"), value, 0, {0, 0}};
          kit_report_v1 report = {sizeof report, KIT_REPORT_OCCURRENCE, session, 0, text(name), &field, 1, sizeof field};
          return sink->emit(sink, &report);
        }
        \(prelude)
        static kit_result create(const kit_host_v1 *host, const kit_create_v1 *how, void **self) { \(create) }
        static void destroy(void *self) { \(destroy) }
        static kit_result on_events(void *self, const kit_event_batch_v1 *batch, const kit_report_sink_v1 *sink) { \(onEvents) }
        static kit_result decide(void *self, const kit_pool_request_v1 *request, kit_pool_decision_v1 *decision) { \(decide) }
        static const kit_monitor_v1 monitor = {\(monitor)};
        static const kit_lifecycle_v1 lifecycle = {\(lifecycle)};
        static const void *get_interface(const char *id) { \(getInterface) }
        static const kit_plugin_v1 plugin = {\(table)};
        KIT_EXPORT kit_result kit_plugin_entry_v1(const kit_host_v1 *host, const kit_plugin_v1 **out) {
          host_table = host;
          \(entry)
        }
        """
    }

    /// Compiles it.
    func build(
        in directory: TemporaryDirectory, kinds: PluginNote.Kinds = .monitor, origin: LoadPolicy.Origin = .stranger,
        compiler: String = "cc", arguments: [String] = []
    ) throws -> PluginFile {
        let extern =
            compiler == "cc"
            ? source : source.replacing("KIT_EXPORT kit_result", with: "extern \"C\" KIT_EXPORT kit_result")
        let path = try CommandLineTool.compile(
            extern, to: "fixture.so", in: directory,
            arguments: ["-shared", "-fPIC", "-fvisibility=hidden"] + arguments,
            compiler: compiler)
        return try PluginFile(at: path, kinds: kinds, origin: origin)
    }
}

extension PluginFile {
    /// A file taken as it is, without inspection.
    init(at path: String, kinds: PluginNote.Kinds, origin: LoadPolicy.Origin) throws {
        guard let identity = FileIdentity(path: path) else {
            throw CommandLineTool.Failure(description: "there is no \(path)")
        }
        self.init(path: path, identity: identity, kinds: kinds, origin: origin)
    }
}

/// Keeps what plugins log.
final class CapturedLog: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var sink: HostServices.Log {
        { level, text in self.lines.withLock { $0.append("\(level.letter) \(text)") } }
    }
}

/// Longest time a test waits for something that must happen, milliseconds.
let patience = 60_000
