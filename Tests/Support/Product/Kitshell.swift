// SPDX-License-Identifier: Apache-2.0

package import Foundation
import JSONText

/// The kitshell of this build, run as a process.
package enum Kitshell {
    /// Starts it.
    ///
    /// - Parameter environment: what it has besides the variables of this process, as `NAME=VALUE`.
    /// - Throws: `CommandLineTool.Failure` that says what to do if something it needs is not there.
    package static func start(
        _ arguments: [String], environment: [String] = [], input: String = "/dev/null", output: FileHandle? = nil
    ) throws -> ChildProcess {
        let program = try executable.get()
        guard !environment.isEmpty else {
            return try ChildProcess(executable: program, arguments: arguments, input: input, output: output)
        }
        return try ChildProcess(
            executable: "/usr/bin/env", arguments: environment + [program] + arguments, input: input, output: output)
    }

    /// Starts it from a shell that ignores a signal, as `nohup` does.
    package static func start(_ arguments: [String], ignoring signal: String) throws -> ChildProcess {
        let script = "trap '' \(signal); exec \"$0\" \"$@\""
        return try ChildProcess(executable: "/bin/sh", arguments: ["-c", script, try executable.get()] + arguments)
    }

    /// Runs it from a shell that redirects its streams, as `>&-`.
    package static func run(_ arguments: [String], redirecting: String) throws -> ChildProcess.Outcome {
        try run(script: "exec \"$0\" \"$@\" \(redirecting)", arguments)
    }

    /// Runs it from a shell script, in which `"$0" "$@"` is it.
    package static func run(script: String, _ arguments: [String]) throws -> ChildProcess.Outcome {
        try ChildProcess(executable: "/bin/sh", arguments: ["-c", script, try executable.get()] + arguments).wait()
    }

    /// Runs it to its end.
    package static func run(_ arguments: String..., input: String = "/dev/null") throws -> ChildProcess.Outcome {
        try start(arguments, input: input).wait()
    }

    /// Plays without waiting and gives the report with the exit status.
    package static func play(_ arguments: String...) throws -> Report {
        try Report(try start(["play", "--speed", "max", "--report", "json"] + arguments).wait())
    }

    /// Replays an event log.
    package static func replay(_ arguments: String..., input: String = "/dev/null") throws -> Report {
        try Report(try start(["replay", "--report", "json"] + arguments, input: input).wait())
    }

    /// The folder of the repository.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The clip that ships with the product: 5 s, 125 pictures.
    package static let clip = root.appending(path: "Media/demo.mp4").path

    package static let executable = Result<String, any Error> {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let directory = URL(filePath: own).deletingLastPathComponent()
        for part in ["kitshell", "kit-worker", "builtin", "share/demo.mp4", "share/feed/feed.txt"] {
            let path = directory.appending(path: part).path
            guard FileManager.default.fileExists(atPath: path) else {
                throw CommandLineTool.Failure(
                    description: "\(path) is missing: run `make test`, or `swift build --build-tests` and "
                        + "`scripts/stage.sh \(directory.path)` before `swift test`")
            }
        }
        return directory.appending(path: "kitshell").path
    }
}

/// Small media of the engine's tests.
package enum Media {
    /// 50 pictures and sound, 2 s.
    package static let short = path("clip.mp4")

    package static func path(_ name: String) -> String {
        Kitshell.root.appending(path: "Tests/PlayerEngineTests/Fixtures/\(name)").path
    }
}
