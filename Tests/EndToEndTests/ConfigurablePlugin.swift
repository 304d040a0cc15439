// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport

/// A plugin that may be named in a configuration: a monitor with an option of each type, which asks for the network and for files. It
/// cannot be started.
enum ConfigurablePlugin {
    static let id = "com.example.probe"

    /// Its file; built once.
    static func path() throws -> String { try built.get().path }

    /// Builds one.
    ///
    /// - Parameter id: nil: it says nothing of itself, and so is a library like others.
    static func build(in directory: TemporaryDirectory, as name: String, id: String? = id) throws -> String {
        let note =
            id.map { id in
                """
                KIT_PLUGIN_NOTE(KIT_KIND_MONITOR, KIT_CAP_NETWORK | KIT_CAP_READ_PATHS, 0, 0, "\(id)", "1.0.0", "Probe", "Example");
                KIT_PLUGIN_OPTIONS("{\\"every\\":{\\"type\\":\\"int\\",\\"default\\":5,\\"min\\":1,\\"max\\":9},"
                  "\\"ratio\\":{\\"type\\":\\"double\\"},\\"label\\":{\\"type\\":\\"string\\",\\"choices\\":[\\"red\\",\\"blue\\"]},"
                  "\\"on\\":{\\"type\\":\\"flag\\"},\\"after_ms\\":{\\"type\\":\\"duration\\",\\"min\\":0},"
                  "\\"names\\":{\\"type\\":\\"list of string\\"}}");
                """
            } ?? ""
        return try CommandLineTool.compile(
            """
            #include <kitshell/kit.h>
            \(note)
            KIT_EXPORT kit_result kit_plugin_entry_v1(const kit_host_v1 *host, const kit_plugin_v1 **out) {
              (void)host;
              *out = 0;
              return KIT_INTERNAL;
            }

            """, to: name, in: directory)
    }

    /// The hash of its file.
    static let sha256 = Result<String, any Error> {
        let report = try Report(try Kitshell.run("plugin", "inspect", try path(), "--report", "json"))
        return report.json["plugins"]?.array?.first?["sha256"]?.string ?? ""
    }

    private static let built = Result<(directory: TemporaryDirectory, path: String), any Error> {
        let directory = try TemporaryDirectory()
        return (directory, try build(in: directory, as: "libprobe.so"))
    }
}

/// A directory with a configuration file and what it names.
struct ConfigurationFixture {
    let directory: TemporaryDirectory
    let file: String

    /// - Parameter text: what is in the file, `config.json`.
    init(_ text: String = "{}") throws {
        directory = try TemporaryDirectory()
        file = directory.file("config.json")
        try write(text)
    }

    var path: String { directory.path }

    /// Replaces the file.
    func write(_ text: String) throws { _ = try directory.write(Array(text.utf8), to: "config.json") }

    /// Puts the configurable plugin, or a copy of another file, in a directory beside the configuration.
    ///
    /// - Returns: its path.
    @discardableResult
    func add(_ source: String? = nil, as name: String = "libprobe.so", in folder: String? = nil) throws -> String {
        var place = path
        if let folder {
            place += "/" + folder
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let target = "\(place)/\(name)"
        try FileManager.default.copyItem(atPath: try source ?? ConfigurablePlugin.path(), toPath: target)
        return target
    }

    /// Links a name in the directory to a path.
    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }

    /// Checks the file.
    func check() throws -> ChildProcess.Outcome { try Kitshell.run("config", "check", file) }

    /// The lines of errors that checking it gives, without the path of the directory.
    func problems() throws -> [String] {
        let outcome = try check()
        return outcome.errors.split(separator: "\n").map { line in
            line.hasPrefix("\(file):") ? String(line.dropFirst(file.count + 1)) : String(line)
        }
    }
}
