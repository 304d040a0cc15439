// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Glibc

/// A process that a test starts, talks to with signals and waits for. It is its own process group and dies with this object.
///
/// Its state directory is its own too, unless its arguments name another, and no configuration is in force: nothing of the user's is
/// written or read.
///
/// Thread: one.
package final class ChildProcess {
    /// How it ended and what it wrote.
    package struct Outcome: Sendable {
        /// The exit status; nil if a signal ended it.
        package var status: Int32?
        /// The signal that ended it; nil if none did.
        package var signal: Int32?
        package var output: String
        package var errors: String
    }

    package let id: Int32
    private let directory: TemporaryDirectory
    private var outcome: Outcome?

    /// Starts it. Standard input is empty unless a file is named; output is kept unless it has somewhere else to go.
    ///
    /// - Throws: `CommandLineTool.Failure` if it cannot be started.
    package init(
        executable: String, arguments: [String], input: String = "/dev/null", output: FileHandle? = nil
    ) throws {
        directory = try TemporaryDirectory()
        let (out, err) = (directory.file("out"), directory.file("err"))
        let mode = mode_t(0o600)
        let create = O_WRONLY | O_CREAT | O_TRUNC
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        if let output {
            unsafe posix_spawn_file_actions_adddup2(&actions, output.fileDescriptor, 1)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 1, out, create, mode)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, 2, err, create, mode)

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var words = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var child = pid_t()
        let variables = ProcessInfo.processInfo.environment.merging([
            "KITSHELL_CONFIG": "none", "KITSHELL_STATE_DIR": directory.file("state"),
        ]) { $1 }
        var environment = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { unsafe environment.forEach { unsafe free($0) } }
        let failure = unsafe posix_spawn(&child, executable, &actions, &attributes, &words, &environment)
        guard failure == 0 else {
            throw CommandLineTool.Failure(description: "\(executable) cannot be started: error \(failure)")
        }
        id = child
    }

    deinit {
        if outcome == nil {
            kill(-id, SIGKILL)
            var status: Int32 = 0
            unsafe waitpid(id, &status, 0)
        }
    }

    /// What it has written to standard output so far.
    package var output: String { contents(of: "out") }

    /// What it has written to standard error so far.
    package var errors: String { contents(of: "err") }

    /// Sends it a signal.
    package func send(_ signal: Int32) {
        if outcome == nil { kill(id, signal) }
    }

    /// Waits for its end.
    ///
    /// - Throws: `CommandLineTool.Failure` if it does not end within the shared limit; it is then killed.
    package func wait() throws -> Outcome {
        if let outcome { return outcome }
        var status: Int32 = 0
        let hasEnded = Patience.wait { unsafe waitpid(id, &status, WNOHANG) == id }
        if !hasEnded {
            kill(-id, SIGKILL)
            unsafe waitpid(id, &status, 0)
        }
        let hasExited = status & 0x7f == 0
        let ended = Outcome(
            status: hasExited ? status >> 8 & 0xff : nil, signal: hasExited ? nil : status & 0x7f,
            output: output, errors: contents(of: "err"))
        outcome = ended
        guard hasEnded else {
            throw CommandLineTool.Failure(
                description:
                    "the process did not end within \(Patience.limit) and was killed; it wrote: \(ended.errors)")
        }
        return ended
    }

    private func contents(of name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: directory.file(name)) ?? Data(), as: UTF8.self)
    }
}

extension ChildProcess {
    /// The processes it has started and not yet collected, ended ones included.
    package var children: [Int32] { ChildProcess.children(of: id) }

    /// The processes that a process has started and not yet collected.
    package static func children(of id: Int32) -> [Int32] {
        names(in: "/proc").compactMap { Int32($0) }.filter { status(of: $0)?.parent == id }
    }

    /// Whether one of its threads has this name.
    package func hasThread(_ name: String) -> Bool { ChildProcess.hasThread(name, in: id) }

    /// Whether a thread of a process has this name.
    package static func hasThread(_ name: String, in id: Int32) -> Bool {
        names(in: "/proc/\(id)/task").contains { thread in
            text("/proc/\(id)/task/\(thread)/comm") == name + "\n"
        }
    }

    /// The workers of hosts that may be gone: a worker names its host in its arguments. One that has ended and was not collected has none.
    package static func workers(of hosts: Set<Int32>) -> [Int32] {
        names(in: "/proc").compactMap { Int32($0) }.filter { id in
            let words = (text("/proc/\(id)/cmdline") ?? "").split(separator: "\0")
            return words.count == 2 && (words[0] == "kit-worker" || words[0].hasSuffix("/kit-worker"))
                && Int32(words[1]).map(hosts.contains) ?? false
        }
    }

    /// The processes that have a file below a directory mapped.
    package static func users(of directory: String) -> [Int32] {
        names(in: "/proc").compactMap { Int32($0) }.filter { id in
            id != getpid() && mappedFiles(of: id).contains { $0.hasPrefix(directory + "/") }
        }
    }

    /// The file of each mapping that a process has.
    package static func mappedFiles(of id: Int32) -> [String] {
        // A page at a time, which not everything that reads files expects.
        guard let bytes = try? FileHandle(forReadingAtPath: "/proc/\(id)/maps")?.readToEnd() else { return [] }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.compactMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } }
    }

    /// Whether there is a process of this id, collected or not.
    package static func exists(_ id: Int32) -> Bool {
        kill(id, 0) == 0 || errno != ESRCH
    }

    /// Whether a process of this id runs: one that has ended and is not yet collected does not.
    package static func isAlive(_ id: Int32) -> Bool {
        status(of: id).map { $0.state != "Z" } ?? false
    }

    private static func status(of id: Int32) -> (state: Substring, parent: Int32?)? {
        // The name, in parentheses, may hold anything; state and parent follow it.
        guard let text = text("/proc/\(id)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 1 ? (fields[0], Int32(fields[1])) : nil
    }

    private static func names(in directory: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
