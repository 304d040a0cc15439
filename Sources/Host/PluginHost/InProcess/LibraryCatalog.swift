// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
import Synchronization

/// The plugin files that this process has mapped: the same file is loaded, and its entry called, once.
///
/// Thread: any.
final class LibraryCatalog: Sendable {
    /// The catalog of the process, which is what loading is once for.
    static let shared = LibraryCatalog()

    private struct Key: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    /// A load that is running or done; one whose entry failed stays, since an entry is called once a process.
    private final class Load: Sendable {
        let result = Mutex<Result<PluginLibrary, PluginError>?>(nil)
        let done = Gate()
    }

    private let loads = Mutex<[Key: Load]>([:])

    /// Loads a file or gives the library that it was loaded as. A stranger's is loaded on a thread of its own.
    ///
    /// - Parameters:
    ///   - milliseconds: after which a load is given up for good.
    ///   - journal: makes the place where calls into it are noted; only the first load asks.
    ///   - log: where the plugin's lines go; that of the first load counts.
    func library(
        for file: PluginFile, milliseconds: Int, journal: (@Sendable () -> JournalEntry?)? = nil,
        log: @escaping HostServices.Log
    ) throws(PluginError) -> PluginLibrary {
        let key = Key(device: file.identity.device, inode: file.identity.inode)
        let (load, isFirst) = loads.withLock { loads -> (Load, Bool) in
            if let load = loads[key] { return (load, false) }
            let load = Load()
            loads[key] = load
            return (load, true)
        }
        if isFirst {
            let run: @Sendable () -> Void = {
                let result = Result { () throws(PluginError) in
                    try LibraryCatalog.load(file, journal: journal?(), log: log)
                }
                load.result.withLock { if $0 == nil { $0 = result } }
                load.done.signal()
            }
            if file.origin == .stranger { PlainThread.start("kit-load", run) } else { run() }
        }
        _ = load.done.wait(milliseconds: milliseconds) { load.result.withLock { $0 != nil } }
        let result = load.result.withLock { result in
            let outcome = result ?? .failure(LibraryCatalog.hang(file, milliseconds))
            result = outcome
            return outcome
        }
        if case .failure(let error) = result, error.stage == .open {
            // No code of it was called, so it may be tried again.
            loads.withLock { if $0[key] === load { $0[key] = nil } }
        }
        let library = try result.get()
        guard library.identity == file.identity else {
            throw PluginError(
                .open, path: file.path, "plugin \(file.path) was overwritten after this process had loaded it",
                hint: "Start again to load the new file; install plugins by renaming a finished copy into place.")
        }
        return library
    }

    /// Loads a file; what a stranger changes for the whole process on that occasion is put back and told.
    private static func load(
        _ file: PluginFile, journal: JournalEntry?, log: @escaping HostServices.Log
    ) throws(PluginError) -> PluginLibrary {
        let services = HostServices(log: log)
        guard file.origin == .stranger else {
            return try PluginLibrary.load(file, services: services, journal: journal)
        }
        let before = ProcessState()
        defer {
            let changes = before.restore()
            if !changes.isEmpty { services.noteDrift(changes, of: file.path) }
        }
        return try PluginLibrary.load(file, services: services, journal: journal)
    }

    private static func hang(_ file: PluginFile, _ milliseconds: Int) -> PluginError {
        PluginError(
            .entry, path: file.path, "plugin \(file.path) did not finish loading in \(milliseconds) ms",
            hint: "Run it in a worker (--isolation worker), which can be ended, or mend its constructor or entry.")
    }
}
