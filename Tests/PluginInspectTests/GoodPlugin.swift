// SPDX-License-Identifier: Apache-2.0

import PluginHost
import TestSupport

/// A plugin that is accepted, and its bytes to be damaged by tests.
enum GoodPlugin {
    static let identity = """
        KIT_PLUGIN_NOTE(KIT_KIND_MONITOR, KIT_CAP_ACTIONS, 0, 0, "com.example.good", "1.2.0", "Good one", "Example");
        """
    static let options = #"KIT_PLUGIN_OPTIONS("{\"every\": {\"type\": \"int\", \"default\": 5}}");"#
    static let entry = """
        KIT_EXPORT kit_result kit_plugin_entry_v1(const kit_host_v1 *host, const kit_plugin_v1 **out) {
          (void)host;
          *out = 0;
          return KIT_INTERNAL;
        }
        """

    /// C text of a plugin from its parts.
    static func source(
        identity: String = identity, options: String = options, entry: String = entry, extra: String = ""
    ) -> String {
        ["#include <kitshell/kit.h>", identity, options, extra, entry, ""].joined(separator: "\n")
    }

    /// The bytes of the accepted one; compiled once.
    static let bytes: Result<[UInt8], any Error> = Result {
        let directory = try TemporaryDirectory()
        return try ElfEditor.contents(of: CommandLineTool.compile(source(), to: "good.so", in: directory))
    }

    static func editor() throws -> ElfEditor {
        ElfEditor(try bytes.get())
    }

    /// Inspects bytes as a file.
    static func inspect(_ bytes: [UInt8], host: HostABI = .current) throws -> PluginInspection {
        let directory = try TemporaryDirectory()
        return PluginInspector.inspect(path: try directory.write(bytes, to: "plugin.so"), host: host)
    }

    /// Compiles C text and inspects the result.
    static func inspect(
        source: String, arguments: [String] = ["-shared", "-fPIC", "-fvisibility=hidden"], host: HostABI = .current
    ) throws -> PluginInspection {
        let directory = try TemporaryDirectory()
        let path = try CommandLineTool.compile(source, to: "plugin.so", in: directory, arguments: arguments)
        return PluginInspector.inspect(path: path, host: host)
    }
}
