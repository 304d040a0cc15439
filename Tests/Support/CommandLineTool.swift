// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program of the system that a test runs, as compilers are.
package struct CommandLineTool: Sendable {
    /// What it printed and how it ended.
    package struct Outcome: Sendable {
        package var status: Int32
        /// Standard output and standard error as they came.
        package var output: String
    }

    package struct Failure: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// Looked up in `PATH` unless it contains a slash.
    package var name: String

    package init(_ name: String) {
        self.name = name
    }

    /// Whether it is on this machine.
    package var isInstalled: Bool { location != nil }

    private var location: String? {
        if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) ? name : nil }
        let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return directories.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs it to its end.
    ///
    /// - Throws: `Failure` if it is not installed.
    package func run(_ arguments: [String]) throws -> Outcome {
        guard let location else { throw Failure(description: "\(name) is not installed") }
        let process = Process()
        process.executableURL = URL(filePath: location)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
    }
}

extension CommandLineTool {
    /// The folder of the plugin ABI's headers.
    package static var pluginHeaders: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/PluginABI/include").path
    }

    /// Compiles C text against the plugin ABI and gives the path of the result.
    ///
    /// - Parameters:
    ///   - name: of the result, in `directory`.
    ///   - arguments: how to link; a shared library unless told otherwise.
    /// - Throws: `Failure` with what the compiler said.
    package static func compile(
        _ source: String, to name: String, in directory: TemporaryDirectory,
        arguments: [String] = ["-shared", "-fPIC", "-fvisibility=hidden"], compiler: String = "cc"
    ) throws -> String {
        let input = try directory.write(Array(source.utf8), to: "\(name).\(compiler.hasSuffix("++") ? "cpp" : "c")")
        let result = directory.file(name)
        let outcome = try CommandLineTool(compiler).run(["-I", pluginHeaders, "-o", result, input] + arguments)
        if outcome.status != 0 { throw Failure(description: "\(compiler) on \(name): \(outcome.output)") }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: result)
        return result
    }
}
