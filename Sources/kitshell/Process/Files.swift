// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PlayerKit

/// A file that results are written to; closed with its last owner.
final class OutputFile {
    let path: String
    let descriptor: Int32

    /// Opens it, creating it if need be; what is in it stays until `clear`.
    ///
    /// - Parameter option: what the user gave the path with.
    init(path: String, for option: String) throws(PlayerError) {
        self.path = path
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw PlayerError(
                .sinkFailed, "option \(option): '\(path)' cannot be written: \(SystemReason.last)",
                hint: "Name a file in a directory that you may write to.")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Makes room for new contents. A pipe or device has none to remove.
    func clear() {
        ftruncate(descriptor, 0)
    }
}

/// A file that is read, or standard input for `-`.
final class InputFile {
    let descriptor: Int32
    private let isOwned: Bool

    init(path: String) throws(PlayerError) {
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
    static var last: String {
        unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
    }
}
