// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport

/// A fixture that was made: a plugin file in a directory of its own, and what goes with it.
struct Fixture: Sendable {
    var plugin: String
    /// The second plugin of a pair, copy or link.
    var twin: String?
    /// The kitshell that has this fixture as its worker; nil: the one of the build.
    var kitshell: String?
}

/// Why a fixture cannot be made here. The row is not measured and not counted.
struct Skip: Error {
    var why: String
}

extension Fixture {
    private static let sources = Kitshell.root.appending(path: "Tests/Corpus/fixtures").path
    private static let library = [
        "-shared", "-fPIC", "-fvisibility=hidden", "-fstack-protector-all", "-pthread", "-O0", "-g1", "-w",
    ]

    /// Makes a row's fixture in a directory of its own.
    ///
    /// - Throws: `Skip`, or what the compiler said.
    init(_ row: Row, in directory: String) throws {
        let recipe = row.recipe
        let path = "\(directory)/bad.so"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        self.init(plugin: path)
        switch recipe.kind {
        case .file: plugin = try FileFixture.make(recipe.name, in: directory)
        case .build: try Build.make(recipe.name, in: directory, to: path)
        case .c, .pool, .cpp: try Fixture.compile(row, number: 1, to: path)
        case .rust: try Fixture.compileRust(row, to: path)
        case .swift: try Fixture.compileSwift(row, in: directory, to: path)
        case .wire:
            try Fixture.compile("plugin.c", [], to: path)
            kitshell = try HostileInstallation.make(in: directory, fault: recipe.name)
        }
        let second = "\(directory)/twin.so"
        switch recipe.company {
        case .pair: try Fixture.compile(row, number: 2, to: second)
        case .copy: try FileManager.default.copyItem(atPath: path, toPath: second)
        case .link: try FileManager.default.createSymbolicLink(atPath: second, withDestinationPath: path)
        case nil: return
        }
        twin = second
    }

    private static func compile(_ row: Row, number: Int, to path: String) throws {
        var defines = ["-DFAULT=\(row.recipe.name)", "-DNUMBER=\(number)"]
        if number == 2 { defines.append("-DBAD_ID=\"com.example.twin\"") }
        defines.append("-DWHEN=AT_\((row.moment?.name ?? "call").uppercased())")
        if row.recipe.kind == .pool { defines.append("-DPOOL") }
        if row.recipe.name == "check_helper" { defines.append("-DEXPORTS=weak") }
        try compile(row.recipe.kind == .cpp ? "plugin.cpp" : "plugin.c", defines, to: path)
    }

    /// Compiles a source of the corpus to a library.
    static func compile(_ source: String, _ arguments: [String], to path: String) throws {
        let isCpp = source.hasSuffix(".cpp")
        try run(
            isCpp ? "c++" : "cc",
            ["-std=\(isCpp ? "c++17" : "gnu11")", "-I", CommandLineTool.pluginHeaders] + library
                + ["-o", path, "\(sources)/\(source)"] + arguments + ["-lm"])
    }

    private static func compileRust(_ row: Row, to path: String) throws {
        guard CommandLineTool("rustc").isInstalled else { throw Skip(why: "no rustc") }
        let moment = row.moment?.name == "create" ? ["--cfg", "at_create"] : []
        try run(
            "rustc",
            ["--edition", "2021", "--crate-type", "cdylib", "-O", "--cfg", "\(row.recipe.name)_here"] + moment
                + ["-o", path, "\(sources)/plugin.rs"])
    }

    private static func compileSwift(_ row: Row, in directory: String, to path: String) throws {
        let note = "\(directory)/note.o"
        try run("cc", ["-I", CommandLineTool.pluginHeaders, "-fPIC", "-c", "-o", note, "\(sources)/note.c"])
        let exports = Kitshell.root.appending(path: "Sources/Plugins/exports.map").path
        try run(
            "swiftc",
            [
                "-swift-version", "6", "-O", "-emit-library", "-module-name", "Hostile", "-module-cache-path",
                "\(directory)/modules", "-D", row.recipe.name.uppercased(), "-I", CommandLineTool.pluginHeaders,
                "-Xlinker",
                "--version-script=\(exports)", "-o", path, "\(sources)/plugin.swift", note,
            ])
    }

    static func run(_ tool: String, _ arguments: [String]) throws {
        let outcome = try CommandLineTool(tool).run(arguments)
        guard outcome.status == 0 else {
            throw CommandLineTool.Failure(description: "\(tool) \(arguments.joined(separator: " ")): \(outcome.output)")
        }
    }
}

/// A kitshell whose kit-worker is one of worker.c: installed beside it, as everything is looked for beside the executable.
enum HostileInstallation {
    static func make(in directory: String, fault: String) throws -> String {
        let place = "\(directory)/host"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let product = URL(filePath: try Kitshell.executable.get()).deletingLastPathComponent().path
        let executable = "\(place)/kitshell"
        // A link would be followed to where it leads.
        if unsafe link("\(product)/kitshell", executable) != 0 {
            try FileManager.default.copyItem(atPath: "\(product)/kitshell", toPath: executable)
        }
        for name in ["builtin", "share"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(place)/\(name)", withDestinationPath: "\(product)/\(name)")
        }
        let root = Kitshell.root.path
        try Fixture.run(
            "cc",
            [
                "-std=gnu11", "-O1", "-w", "-pthread", "-I", "\(root)/Tests/PluginWorkerTests/Fixtures", "-I",
                CommandLineTool.pluginHeaders, "-I", "\(root)/Sources/Host/WorkerWire/include", "-DFAULT=\(fault)",
                "-o",
                "\(place)/kit-worker", "\(root)/Tests/Corpus/fixtures/worker.c",
            ])
        return executable
    }
}
