// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Another program, run to its end.
struct Child {
    var command: [String]

    init(_ command: [String]) {
        self.command = command
    }

    /// The first file of this name in `PATH`, nil if there is none that can be run.
    static func find(_ name: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// From before it is spawned until it has ended, in milliseconds. What it prints is thrown away.
    ///
    /// - Throws: `Failure` unless it ends with status 0.
    func milliseconds() throws -> Double {
        try run(outputPath: "/dev/null")
    }

    /// What it prints on standard output.
    ///
    /// - Throws: `Failure` unless it ends with status 0.
    func output() throws -> Data {
        let file = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try run(outputPath: file.path)
        return try Data(contentsOf: file)
    }

    private func run(outputPath: String) throws -> Double {
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        defer { words.forEach { free($0) } }
        words.append(nil)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var child: pid_t = 0
        let start = ContinuousClock.now
        let error = posix_spawn(&child, command[0], &actions, nil, words, environ)
        guard error == 0 else { throw Failure("\(command[0]) does not start: \(String(cString: strerror(error)))") }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else {
                throw Failure("waiting for \(command[0]): \(String(cString: strerror(errno)))")
            }
        }
        let spent = ContinuousClock.now - start
        guard status == 0 else { throw Failure("\(command.joined(separator: " ")) ended with wait status \(status)") }
        return spent / .milliseconds(1)
    }
}
