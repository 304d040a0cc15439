// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PlayerKit

/// A file that results are written to, closed with its last owner, or standard output for `-`.
///
/// One that was made here and never came to be written to is removed again: a run that does not begin leaves nothing behind.
///
/// Thread: one at a time.
final class OutputFile {
    let path: String
    let descriptor: Int32
    private let isStandard: Bool
    private var mustRemove: Bool

    /// Opens it, creating it if need be; what is in it stays until `clear`.
    ///
    /// - Parameters:
    ///   - option: what the user gave the path with.
    ///   - others: paths of what this run reads or writes besides; a file must not be one of them.
    init(path: String, for option: String, sparing others: [String]) throws(PlayerError) {
        self.path = path
        isStandard = path == OutputOptions.standardOutput
        (descriptor, mustRemove) = isStandard ? (StandardStreams.output, false) : OutputFile.open(path)
        guard descriptor >= 0 else {
            throw PlayerError(
                .sinkFailed, "option \(option): '\(path)' cannot be written: \(SystemReason.last)",
                hint: "Name a file in a directory that you may write to.")
        }
        if let other = others.first(where: { isSame(as: $0) }) {
            throw PlayerError(
                .sinkFailed, "option \(option): '\(path)' is the same file as '\(other)'",
                hint: "Name a file that this run does not use for anything else.")
        }
    }

    deinit {
        guard !isStandard, descriptor >= 0 else { return }
        // What is at the path by now may be somebody else's.
        if mustRemove, isSame(as: path) { unsafe unlink(path) }
        close(descriptor)
    }

    private static func open(_ path: String) -> (descriptor: Int32, isNew: Bool) {
        let mode = O_WRONLY | O_CREAT | O_CLOEXEC
        let new = unsafe Glibc.open(path, mode | O_EXCL, 0o644)
        if new >= 0 || errno != EEXIST { return (new, true) }
        let existing = unsafe Glibc.open(path, mode, 0o644)
        return (existing, false)
    }

    /// What the kit writes to.
    var output: OutputDescriptor {
        OutputDescriptor(descriptor: descriptor, name: isStandard ? "standard output" : path)
    }

    /// Whether that path leads to this file. Pipes and devices may be shared.
    private func isSame(as other: String) -> Bool {
        var (own, status) = (stat(), stat())
        guard unsafe fstat(descriptor, &own) == 0, unsafe stat(other, &status) == 0 else { return false }
        return own.st_mode & S_IFMT == S_IFREG && own.st_dev == status.st_dev && own.st_ino == status.st_ino
    }

    /// Makes room for new contents, which will come. A pipe or device has none to remove, and what is in standard output was there
    /// before.
    func clear() {
        mustRemove = false
        if !isStandard { ftruncate(descriptor, 0) }
    }
}

/// A file that is read, or standard input for `-`.
final class InputFile {
    /// What messages call it.
    let name: String
    let descriptor: Int32
    private let isOwned: Bool

    /// - Parameter hint: what to do about a path that leads nowhere.
    init(path: String, hint: String = "Name an event log, or '-' for standard input.") throws(PlayerError) {
        isOwned = path != "-"
        name = isOwned ? path : "standard input"
        descriptor = isOwned ? unsafe open(path, O_RDONLY | O_CLOEXEC) : 0
        guard descriptor >= 0 else {
            throw PlayerError(
                .notFound, "'\(path)' cannot be read: \(SystemReason.last)",
                hint: hint)
        }
    }

    deinit {
        if isOwned { close(descriptor) }
    }
}

/// Why the last system call failed.
enum SystemReason {
    static var last: String { of(errno) }

    static func of(_ number: Int32) -> String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }
}
