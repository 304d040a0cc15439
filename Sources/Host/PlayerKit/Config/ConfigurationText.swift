// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Reads the bytes of a configuration file, whatever is at its path.
package enum ConfigurationText {
    /// Bytes; a larger file is refused unread.
    static let largest = 1 << 20
    /// A file that keeps changing is read so often.
    private static let tries = 3

    /// - Parameter afterReading: is called between reading and making sure that the file has not changed; for tests.
    /// - Throws: one problem with the file as a whole.
    package static func read(_ path: String, afterReading: () -> Void = {}) throws(ConfigurationError) -> [UInt8] {
        do throws(ConfigurationError.Problem) {
            for _ in 0..<tries {
                if let bytes = try readOnce(path, afterReading) { return bytes }
            }
            throw .init(
                "the file is being changed while it is read", hint: "try again, or replace it by renaming a new one")
        } catch {
            throw ConfigurationError(file: path, problems: [error])
        }
    }

    /// nil if it changed meanwhile. One that is replaced is read as it was.
    private static func readOnce(
        _ path: String, _ afterReading: () -> Void
    ) throws(ConfigurationError.Problem) -> [UInt8]? {
        // A pipe, device or socket is not even opened: opening alone can block or have effects.
        var status = stat()
        if path.utf8.contains(0) { throw failure(path, ENOENT) }
        guard unsafe stat(path, &status) == 0 else { throw failure(path, errno) }
        try requireFile(status)
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
        try requireFile(status)

        let bytes = try contents(descriptor, path)
        afterReading()
        var after = stat()
        guard unsafe fstat(descriptor, &after) == 0 else { throw failure(path, errno) }
        let isSame =
            after.st_size == status.st_size && bytes.count == Int(status.st_size)
            && after.st_mtim.tv_sec == status.st_mtim.tv_sec && after.st_mtim.tv_nsec == status.st_mtim.tv_nsec
        return isSame ? bytes : nil
    }

    private static func contents(_ descriptor: Int32, _ path: String) throws(ConfigurationError.Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= largest {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { throw failure(path, errno) }
            if count == 0 { break }
            if count > 0 { bytes += chunk[..<count] }
        }
        return bytes
    }

    private static func requireFile(_ status: stat) throws(ConfigurationError.Problem) {
        let hint = "name a file"
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .init("it is a directory", hint: "name the file in it")
        case S_IFIFO: throw .init("it is a pipe, and only files are read", hint: hint)
        default: throw .init("it is a device or a socket, and only files are read", hint: hint)
        }
        if status.st_size == 0 { throw .init("the file is empty", hint: "write {} for one that says nothing") }
        if status.st_size > largest {
            throw .init(
                "the file has \(status.st_size) bytes, a configuration at most \(largest)",
                hint: "look whether it is the right file")
        }
    }

    private static func failure(_ path: String, _ number: Int32) -> ConfigurationError.Problem {
        switch number {
        case ENOENT, ENOTDIR:
            var link = stat()
            if unsafe lstat(path, &link) == 0 {
                return .init("it is a link that leads to no file", hint: "mend the link, or name the file itself")
            }
            return .init(
                "there is no such file",
                hint: "check the path; '\(ConfigurationPlace.none)' stands for no configuration at all")
        case EACCES, EPERM:
            return .init(
                "the file cannot be read (\(SystemError(number)))",
                hint:
                    "give this user read permission, or name another file; '\(ConfigurationPlace.none)' stands for none"
            )
        default: return .init("the file cannot be read (\(SystemError(number)))", hint: "check the path")
        }
    }
}
