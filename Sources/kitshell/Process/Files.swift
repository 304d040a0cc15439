// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PlayerKit

/// A file that results are written to, closed with its last owner, or standard output for `-`.
final class OutputFile {
    let path: String
    let descriptor: Int32
    private let isStandard: Bool

    /// Opens it, creating it if need be; what is in it stays until `clear`.
    ///
    /// - Parameters:
    ///   - option: what the user gave the path with.
    ///   - others: paths of what this run reads or writes besides; a file must not be one of them.
    init(path: String, for option: String, sparing others: [String]) throws(PlayerError) {
        self.path = path
        isStandard = path == OutputOptions.standardOutput
        descriptor =
            isStandard ? StandardStreams.output : unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw PlayerError(
                .sinkFailed, "option \(option): '\(path)' cannot be written: \(SystemReason.last)",
                hint: "Name a file in a directory that you may write to.")
        }
        if let other = others.first(where: { isSame(as: $0) }) {
            if !isStandard { close(descriptor) }
            throw PlayerError(
                .sinkFailed, "option \(option): '\(path)' is the same file as '\(other)'",
                hint: "Name a file that this run does not use for anything else.")
        }
    }

    deinit {
        if !isStandard { close(descriptor) }
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

    /// Makes room for new contents. A pipe or device has none to remove, and what is in standard output was there before.
    func clear() {
        if !isStandard { ftruncate(descriptor, 0) }
    }
}

/// A file that is read, or standard input for `-`.
final class InputFile {
    let path: String
    let descriptor: Int32
    private let isOwned: Bool

    init(path: String) throws(PlayerError) {
        self.path = path
        isOwned = path != "-"
        descriptor = isOwned ? unsafe open(path, O_RDONLY | O_CLOEXEC) : 0
        guard descriptor >= 0 else {
            throw PlayerError(
                .notFound, "'\(path)' cannot be read: \(SystemReason.last)",
                hint: "Name an event log, or '-' for standard input.")
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
