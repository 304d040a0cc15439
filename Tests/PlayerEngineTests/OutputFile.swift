// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MediaCore
import PlayerEngine
import TestSupport

/// A new file that a sink writes to.
final class OutputFile {
    let path: String
    let target: OutputDescriptor

    init(_ name: String, in directory: TemporaryDirectory) {
        path = directory.file(name)
        target = OutputDescriptor(
            descriptor: unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600), name: name)
    }

    deinit {
        close(target.descriptor)
    }

    var bytes: Data { FileManager.default.contents(atPath: path) ?? Data() }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The lines of a list of frame hashes that are about frames, without what varies with time.
    var lines: [Substring] { text.split(separator: "\n").filter { !$0.hasPrefix("#") } }
}

/// What ffmpeg makes of the same media.
enum FFmpeg {
    static let tool = CommandLineTool("ffmpeg")

    /// What it writes, empty where it has nothing to write.
    static func output(of arguments: [String], in directory: TemporaryDirectory) throws -> Data {
        let path = directory.file("reference")
        try? FileManager.default.removeItem(atPath: path)
        _ = try tool.run(["-nostdin", "-v", "quiet"] + arguments + [path])
        return FileManager.default.contents(atPath: path) ?? Data()
    }

    /// Makes media.
    ///
    /// - Throws: `CommandLineTool.Failure` with what it said.
    static func make(_ name: String, in directory: TemporaryDirectory, _ arguments: [String]) throws -> String {
        let path = directory.file(name)
        let outcome = try tool.run(["-nostdin", "-v", "error"] + arguments + ["-y", path])
        guard outcome.status == 0 else { throw CommandLineTool.Failure(description: "ffmpeg: \(outcome.output)") }
        return path
    }
}
