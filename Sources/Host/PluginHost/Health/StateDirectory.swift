// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore
internal import Synchronization

/// The directory in which things are remembered between runs. It belongs to its user alone and is made when it is first written to.
///
/// Nothing in it is trusted, and nothing depends on it: what cannot be read or written is told once, and goes without. Files are written
/// beside their place and renamed into it, so that several processes at once never see a part of one.
///
/// Thread: any; blocks for the disk.
package final class StateDirectory: Sendable {
    /// A directory in it.
    enum Folder: String, CaseIterable {
        case faults
        case journal
        case quarantine
    }

    /// Names that are looked at in a folder, at most.
    private static let mostNames = 10_000

    /// Absolute.
    package let path: String
    private let complain: @Sendable (String) -> Void
    private let told = Mutex<Set<String>>([])
    private let writes = Atomic<Int>(0)

    /// - Parameters:
    ///   - path: need not exist.
    ///   - complain: gets one line about each thing that is wrong with it.
    package init(path: String, complain: @escaping @Sendable (String) -> Void) {
        self.path = FilePath.absolute(path)
        self.complain = complain
    }

    /// Where it is unless the user says otherwise: `$KITSHELL_STATE_DIR`, else `$XDG_STATE_HOME/kitshell`, else
    /// `~/.local/state/kitshell`; nil where there is no home either.
    package static var usualPath: String? { usual.path }

    /// The variable of the environment that says where; nil if none does but that of the home directory.
    package static var usualVariable: String? { usual.variable }

    private static var usual: (path: String?, variable: String?) {
        func variable(_ name: String) -> String? {
            guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
            return unsafe String(cString: value)
        }
        if let own = variable("KITSHELL_STATE_DIR") { return (own, "KITSHELL_STATE_DIR") }
        // The convention says that one that is not absolute is to be ignored.
        if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") {
            return (state + "/kitshell", "XDG_STATE_HOME")
        }
        guard let home = variable("HOME"), home.hasPrefix("/") else { return (nil, nil) }
        return (home + "/.local/state/kitshell", nil)
    }

    // MARK: Files

    /// The files of a folder by their names, sorted, at most 10,000; hidden ones, which are being written, are left out.
    func names(in folder: Folder) -> [String] {
        allNames(in: folder).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// A file, unless it is not there, is larger than `most` bytes, or is not a plain file of this user.
    func read(_ name: String, in folder: Folder, atMost most: Int) -> [UInt8]? {
        perform("read \(place(name, folder))") { () throws(StateFailure) in
            guard let directory = try open(folder, isMade: false) else { return nil }
            guard let file = try openFile(name, in: directory) else { return nil }
            guard file.size <= most else {
                throw .other("it is larger than \(most) bytes")
            }
            return try read(file.descriptor, atMost: most)
        }
    }

    /// Writes a file in place of the one of that name, if there is one.
    ///
    /// - Returns: false if that was not possible; it has then been told.
    func write(_ bytes: [UInt8], to name: String, in folder: Folder) -> Bool {
        perform("write \(place(name, folder))") { () throws(StateFailure) in
            guard let directory = try open(folder, isMade: true) else { return nil }
            let number = writes.wrappingAdd(1, ordering: .relaxed).newValue
            let draft = ".\(name).\(getpid()).\(number)"
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            do throws(StateFailure) {
                let file = try checked { unsafe openat(directory.number, draft, flags, 0o600) }
                try write(bytes, to: file)
                if unsafe renameat(directory.number, draft, directory.number, name) != 0 { throw StateFailure.last() }
            } catch {
                unsafe unlinkat(directory.number, draft, 0)
                throw error
            }
            return true
        } ?? false
    }

    /// Removes a file.
    ///
    /// - Returns: false if it was not there, or could not be removed, which has then been told.
    @discardableResult
    func remove(_ name: String, from folder: Folder) -> Bool {
        perform("remove \(place(name, folder))") { () throws(StateFailure) in
            guard let directory = try open(folder, isMade: false) else { return nil }
            if unsafe unlinkat(directory.number, name, 0) == 0 { return true }
            if errno == ENOENT { return nil }
            throw .last()
        } ?? false
    }

    /// Removes files until no more than `count` are left, and no more than `bytes` in all: those first whose names sort first. Drafts that
    /// nobody finished in an hour go as well.
    func prune(_ folder: Folder, toCount count: Int, bytes: Int) {
        perform("tidy \(path)/\(folder.rawValue)") { () throws(StateFailure) -> Bool? in
            guard let directory = try open(folder, isMade: false) else { return nil }
            let names = allNames(in: folder).sorted()
            let now = WallTime.now().seconds
            var kept: [(name: String, size: Int)] = []
            for name in names {
                var status = stat()
                guard unsafe fstatat(directory.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
                if !name.hasPrefix(".") {
                    kept.append((name, Int(clamping: status.st_size)))
                } else if Int64(status.st_mtim.tv_sec) + 3600 < now {
                    unsafe unlinkat(directory.number, name, 0)
                }
            }
            var total = kept.reduce(0) { $0 + $1.size }
            for (index, file) in kept.enumerated() where kept.count - index > count || total > bytes {
                unsafe unlinkat(directory.number, file.name, 0)
                total -= file.size
            }
            return true
        }
    }

    /// Opens a new file of a fixed size for mapping, all of it backed by the disk, and locks it as long as it is open.
    ///
    /// - Returns: nil if that was not possible, which has then been told, or if another process was quicker.
    func makeLocked(_ name: String, in folder: Folder, size: Int) -> Descriptor? {
        perform("write \(place(name, folder))") { () throws(StateFailure) in
            guard let directory = try open(folder, isMade: true) else { return nil }
            let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let file = try checked { unsafe openat(directory.number, name, flags, 0o600) }
            guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { return nil }
            // Without room on the disk a write to mapped memory would be a deadly signal.
            let failure = posix_fallocate(file.number, 0, off_t(size))
            var status = stat()
            guard failure == 0 else {
                unsafe unlinkat(directory.number, name, 0)
                throw .system(failure)
            }
            // Before it was locked it could be taken for a file of a process that is gone.
            return unsafe fstat(file.number, &status) == 0 && status.st_nlink == 1 ? file : nil
        }
    }

    /// Reads and removes a file that `makeLocked` made in a process that has ended.
    ///
    /// - Returns: nil if its process lives, or it is no such file.
    func takeUnlocked(_ name: String, from folder: Folder, size: Int) -> [UInt8]? {
        perform("read \(place(name, folder))") { () throws(StateFailure) in
            guard let directory = try open(folder, isMade: false) else { return nil }
            guard let file = try openFile(name, in: directory) else { return nil }
            guard flock(file.descriptor.number, LOCK_EX | LOCK_NB) == 0 else { return nil }
            let bytes = file.size <= size ? try read(file.descriptor, atMost: size) : []
            unsafe unlinkat(directory.number, name, 0)
            return bytes
        }
    }

    // MARK: Whether it can be used

    /// What would keep things from being written; nil if nothing does. It is tried, and what had to be made for it is removed again.
    package var obstacle: String? {
        let made = makeRoot()
        defer { for directory in made.reversed() { unsafe rmdir(directory) } }
        do throws(StateFailure) {
            guard let directory = try openRoot(isMade: false) else { throw .system(ENOENT) }
            let name = ".probe.\(getpid())"
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            defer { unsafe unlinkat(directory.number, name, 0) }
            let file = try checked { unsafe openat(directory.number, name, flags, 0o600) }
            try write([0], to: file)
            return nil
        } catch {
            return error.description
        }
    }

    /// Whether it is there.
    package var exists: Bool { Directory.exists(path) }
}

// MARK: Directories

extension StateDirectory {
    private func place(_ name: String, _ folder: Folder) -> String { "\(path)/\(folder.rawValue)/\(name)" }

    /// Does something that must not fail for anybody; what is wrong is told once.
    @discardableResult
    private func perform<Result>(
        _ what: @autoclosure () -> String, _ body: () throws(StateFailure) -> Result?
    ) -> Result? {
        do throws(StateFailure) {
            return try body()
        } catch {
            let reason = error.description
            let isNew = told.withLock { $0.count < 16 && $0.insert(reason).inserted }
            if isNew {
                complain(
                    "cannot \(what()): \(reason); it goes without. Give a directory of your own with --state-dir, or mend this one."
                )
            }
            return nil
        }
    }

    /// - Parameter isMade: whether it is made if it is not there.
    /// - Returns: nil if it is not there.
    private func open(_ folder: Folder, isMade: Bool) throws(StateFailure) -> Descriptor? {
        guard let root = try openRoot(isMade: isMade) else { return nil }
        if isMade, unsafe mkdirat(root.number, folder.rawValue, 0o700) != 0, errno != EEXIST { throw .last() }
        return try openDirectory("\(path)/\(folder.rawValue)", isMade) {
            unsafe openat(root.number, folder.rawValue, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        }
    }

    private func openRoot(isMade: Bool) throws(StateFailure) -> Descriptor? {
        if isMade { _ = makeRoot() }
        return try openDirectory(path, isMade) { unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }

    private func openDirectory(
        _ name: String, _ isMade: Bool, _ open: () -> Int32
    ) throws(StateFailure) -> Descriptor? {
        let number = open()
        if number < 0, errno == ENOENT, !isMade { return nil }
        let directory = try checked { number }
        let status = try look(directory)
        guard status.owner == geteuid() else { throw .other("\(name) belongs to another user") }
        guard status.mode & 0o022 == 0 else { throw .other("others may write to \(name)") }
        return directory
    }

    /// Makes the directory with those above it. What goes wrong shows when it is opened.
    ///
    /// - Returns: what had to be made, the outermost first.
    private func makeRoot() -> [String] {
        var made: [String] = []
        var end = path.startIndex
        while end < path.endIndex {
            end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
            let directory = String(path[..<end])
            if unsafe mkdir(directory, 0o700) == 0 { made.append(directory) }
        }
        return made
    }

    private func allNames(in folder: Folder) -> [String] {
        perform("read \(path)/\(folder.rawValue)") { () throws(StateFailure) -> [String]? in
            guard let directory = try open(folder, isMade: false) else { return nil }
            return Directory.entries(of: directory, atMost: StateDirectory.mostNames)
        } ?? []
    }

    // MARK: Files

    /// - Returns: nil if there is none of that name.
    private func openFile(
        _ name: String, in directory: Descriptor
    ) throws(StateFailure) -> (descriptor: Descriptor, size: Int)? {
        guard !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0) else { throw .other("it is no name") }
        // Nothing but a plain file is even opened: opening alone can have effects.
        var status = stat()
        guard unsafe fstatat(directory.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw .last()
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .other("it is no plain file") }
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let number = unsafe openat(directory.number, name, flags)
        if number < 0, errno == ENOENT { return nil }
        let file = try checked { number }
        let found = try look(file)
        guard found.kind == S_IFREG, found.owner == geteuid() else { throw .other("it is no plain file of this user") }
        return (file, Int(clamping: found.identity.size))
    }

    private func look(_ descriptor: Descriptor) throws(StateFailure) -> FileStatus {
        do throws(SystemFailure) {
            return try FileStatus(descriptor: descriptor.number)
        } catch {
            throw .system(error.number)
        }
    }

    private func checked(_ open: () -> Int32) throws(StateFailure) -> Descriptor {
        do throws(SystemFailure) {
            return try Descriptor(open())
        } catch {
            throw .system(error.number)
        }
    }

    private func read(_ file: Descriptor, atMost most: Int) throws(StateFailure) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
            while filled < buffer.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let count = unsafe Glibc.read(file.number, rest.baseAddress, rest.count)
                if count > 0 {
                    filled += count
                } else if count == 0 {
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        if failure != 0 { throw .system(failure) }
        return bytes
    }

    private func write(_ bytes: [UInt8], to file: Descriptor) throws(StateFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file.number, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw .last()
            }
        }
    }
}

/// Why something in the state directory could not be done.
private enum StateFailure: Error, CustomStringConvertible {
    case system(Int32)
    case other(String)

    static func last() -> StateFailure { .system(errno) }

    var description: String {
        switch self {
        case .system(let number): SystemFailure(number: number).description
        case .other(let reason): reason
        }
    }
}
