// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What a file must fulfil besides being a plugin.
package struct LoadPolicy: Hashable, Sendable {
    /// Who made the plugin.
    package enum Origin: Hashable, Sendable {
        /// Ships with the product: found in its own directory, as trusted as the executable beside it.
        case builtIn
        case stranger
    }

    package var origin: Origin
    /// Skips the check of owner and permissions.
    package var allowsInsecurePath: Bool
    /// Whether it is to be loaded into this process, with the host and everybody else's plugins.
    package var sharesProcess: Bool
    /// The SHA-256 that the file must have, in lower-case hexadecimal; nil: any.
    package var sha256: String?

    package init(
        origin: Origin, allowsInsecurePath: Bool = false, sharesProcess: Bool = false, sha256: String? = nil
    ) {
        self.origin = origin
        self.allowsInsecurePath = allowsInsecurePath
        self.sharesProcess = sharesProcess
        self.sha256 = sha256
    }
}

/// The rules of loading that concern the file at a path, not what is in it.
package enum LoadRules {
    /// A larger file is refused unread, bytes.
    package static let largestFile: UInt64 = 256 << 20

    /// Opens a file that may be inspected: regular, not empty, not too large.
    static func open(path: String) throws(Refusal) -> CheckedFile {
        let file = try CheckedFile(path: path)
        if file.size == 0 {
            throw Refusal(.empty, "the file is empty (0 bytes)", hint: "Build or copy it again.")
        }
        if file.size > largestFile {
            throw Refusal(
                .tooLarge, "the file has \(file.size) bytes, a plugin may have at most \(largestFile)",
                hint: "Link it without what it does not use, or keep data in files of their own.")
        }
        return file
    }

    /// Whether somebody else could have put the file there or could change it: the file and the directories that hold it and its
    /// link must belong to root or to this user, and nobody else may write to them.
    static func permissionRefusal(of file: borrowing CheckedFile, policy: LoadPolicy) -> Refusal? {
        if policy.origin == .builtIn || policy.allowsInsecurePath { return nil }
        if let refusal = refusal(of: file.status, what: "the file", path: file.path) { return refusal }

        var directories = [directory(of: file.path)]
        if let target = resolved(file.path).map(directory(of:)), target != directories[0] {
            directories.append(target)
        }
        for path in directories {
            guard let status = try? FileStatus(path: path) else { continue }
            if let refusal = refusal(of: status, what: "its directory", path: path) { return refusal }
        }
        return nil
    }

    private static func refusal(of status: FileStatus, what: String, path: String) -> Refusal? {
        let user = geteuid()
        if status.owner != 0, status.owner != user {
            return Refusal(
                .unsafeOwner,
                "\(what) belongs to user \(status.owner), allowed are root and user \(user) who runs this",
                hint: "Copy the plugin to a directory of your own, or pass --insecure-path if you trust that user.")
        }
        // A group with this user's own number is the private group that Linux systems give each user.
        let groupIsOthers = status.group != user
        let writableByOthers = status.mode & (groupIsOthers ? 0o022 : 0o002)
        if writableByOthers != 0 {
            // A directory with the sticky bit, as /tmp, is meant for everybody.
            let remedy =
                status.mode & mode_t(S_ISVTX) != 0
                ? "Copy the plugin to a directory of your own" : "Run chmod go-w \(path)"
            return Refusal(
                .unsafeMode, "\(what) (mode \(String(status.mode, radix: 8))) can be written to by other users",
                hint: "\(remedy), or pass --insecure-path if you trust all who can write there.")
        }
        return nil
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        let directory = String(path[..<slash])
        return directory.isEmpty ? "/" : directory
    }

    private static func resolved(_ path: String) -> String? {
        guard let buffer = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(buffer) }
        return unsafe String(cString: buffer)
    }
}
