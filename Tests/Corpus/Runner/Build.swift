// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Fixtures that differ in how they are compiled and linked.
enum Build {
    private static let program = "int main(void) { return 0; }\n"
    private static let plugin = "sizeof(kit_plugin_v1), KIT_ABI_MINOR"

    /// Flags for plugin.c.
    private static let flags: [String: [String]] = [
        "exec_stack": ["-Wl,-z,execstack"],
        "static_tls": ["-DTHREAD_LOCAL=65536", "-DFAULT=touch_storage", "-ftls-model=initial-exec"],
        "little_static_tls": ["-DTHREAD_LOCAL=64", "-DFAULT=touch_storage", "-ftls-model=initial-exec"],
        "minor_99": ["-DMINOR=99", "-DNEEDED=99"],
        "major_99": ["-DMAJOR=99"],
        "major_99_ctor": ["-DMAJOR=99", "-DFAULT=segv", "-DWHEN=AT_CTOR"],
        "undefined_symbol": ["-DUNDEFINED", "-DFAULT=call_nowhere"],
        "extra_exports": ["-DEXPORTS=used"],
        "weak_export": ["-DEXPORTS=weak"],
        "reserved_id": ["-DBAD_ID=\"bad\""],
        "bad_id": ["-DBAD_ID=\"Com Example\""],
        "short_table": ["-DPLUGIN_TABLE=8, KIT_ABI_MINOR, create, destroy, get_interface"],
        "huge_table": ["-DPLUGIN_TABLE=0xffffffffu, 99, create, destroy, get_interface"],
        "short_monitor": ["-DMONITOR_TABLE=16, 0, {0, 0}, on_events"],
        "null_create": ["-DPLUGIN_TABLE=\(plugin), 0, destroy, get_interface"],
        "null_destroy": ["-DPLUGIN_TABLE=\(plugin), create, 0, get_interface"],
        "null_interface": ["-DPLUGIN_TABLE=\(plugin), create, destroy, 0"],
        "null_on_events": ["-DMONITOR_TABLE=sizeof(kit_monitor_v1), 0, {0, 0}, 0"],
        "no_interface": ["-DNO_INTERFACE"],
        "no_table": ["-DENTRY=*out = 0"],
        "wild_table": ["-DENTRY=*out = WILD"],
        "odd_table": ["-DENTRY=*out = (const void *)((const char *)&plugin + 1)"],
    ]

    static func make(_ name: String, in directory: String, to path: String) throws {
        switch name {
        case "object": try compile("int answer(void) { return 42; }\n", ["-c", "-fPIC"], in: directory, to: path)
        case "program": try compile(program, ["-no-pie"], in: directory, to: path)
        case "movable_program": try compile(program, ["-pie", "-fPIE"], in: directory, to: path)
        case "helper_library":
            try compile("int answer(void) { return 42; }\n", ["-shared", "-fPIC"], in: directory, to: path)
        case "missing_library":
            let library = "\(directory)/libabsent.so"
            try compile("int unused;\n", ["-shared", "-fPIC"], in: directory, to: library)
            try Fixture.compile("plugin.c", ["-Wl,--no-as-needed", "-L", directory, "-labsent"], to: path)
            try FileManager.default.removeItem(atPath: library)
        case "foreign_entry":
            let library = "\(directory)/libentry.so"
            try Fixture.compile("plugin.c", [], to: library)
            try Fixture.compile(
                "plugin.c", ["-DNO_ENTRY", "-Wl,--no-as-needed", "-Wl,-rpath,$ORIGIN", "-L", directory, "-lentry"],
                to: path)
        default:
            guard let flags = flags[name] else {
                throw CommandLineTool.Failure(description: "corpus.txt: there is no build '\(name)'")
            }
            try Fixture.compile("plugin.c", flags, to: path)
        }
    }

    private static func compile(_ text: String, _ flags: [String], in directory: String, to path: String) throws {
        let source = "\(directory)/text.c"
        try text.write(toFile: source, atomically: false, encoding: .utf8)
        try Fixture.run("cc", flags + ["-o", path, source])
    }
}
