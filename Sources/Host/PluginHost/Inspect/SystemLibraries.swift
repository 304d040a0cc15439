// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore

/// What this system offers to libraries that are loaded.
enum SystemLibraries {
    /// A version as in `2.36`.
    struct Version: Hashable, Comparable, CustomStringConvertible {
        var major: Int
        var minor: Int

        init?(_ text: some StringProtocol) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count >= 2, let major = Int(parts[0]), let minor = Int(parts[1]) else { return nil }
            (self.major, self.minor) = (major, minor)
        }

        /// Of a symbol version as in `GLIBC_2.34`; nil for others.
        init?(glibcSymbol name: String) {
            guard name.hasPrefix("GLIBC_") else { return nil }
            self.init(name.dropFirst("GLIBC_".count))
        }

        var description: String { "\(major).\(minor)" }

        static func < (left: Version, right: Version) -> Bool {
            (left.major, left.minor) < (right.major, right.minor)
        }
    }

    /// The C library's; nil if it does not tell.
    static let glibcVersion: Version? = {
        var buffer = [CChar](repeating: 0, count: 64)
        let length = unsafe confstr(Int32(_CS_GNU_LIBC_VERSION), &buffer, buffer.count)
        guard length > 1, length <= buffer.count else { return nil }
        let text = String(decoding: buffer[..<(length - 1)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: " ").last.flatMap { Version($0) }
    }()

    /// Says for each needed library where it lies: in the plugin's own search path, then in the system's directories. The system's
    /// loader may know more places, so nil is no proof that a library is missing.
    static func locate(_ dynamic: DynamicInfo, pluginPath: String) -> [PluginInspection.Need] {
        let searched = searchedDirectories(dynamic, pluginPath: pluginPath)
        return dynamic.needs.map { need in
            PluginInspection.Need(
                library: need.library, versions: need.versions,
                path: candidates(for: need.library, in: searched).first { library(at: $0) != nil })
        }
    }

    /// The paths that a needed library may have.
    private static func candidates(for name: String, in searched: [String]) -> [String] {
        // The loader takes no name for the program itself.
        if name.isEmpty { return [] }
        if name.utf8.contains(UInt8(ascii: "/")) { return [name] }
        // Every process has these already, and takes no other ones, wherever a plugin says that they lie.
        let isHere = ["libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"].contains(name)
        return (isHere ? directories : searched).map { "\($0)/\(name)" }
    }

    /// Which library of this machine lies at an absolute path; nil if there is none, whatever else is there.
    static func library(at path: String) -> FileIdentity? {
        guard path.hasPrefix("/"), let file = try? LoadRules.open(path: path),
            let bytes = try? file.read(at: 0, count: ElfHeader.size),
            ElfHeader(bytes, fileSize: file.size).refusal == nil
        else { return nil }
        return file.status.identity
    }

    /// Where `locate` looks, in this order.
    static func searchedDirectories(_ dynamic: DynamicInfo, pluginPath: String) -> [String] {
        let path = FilePath.absolute(pluginPath)
        let origin = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
        let own = (dynamic.searchPath ?? "").split(separator: ":").prefix(32).map { directory in
            substitute(origin, in: String(directory))
        }
        return own + directories
    }

    /// Whether a directory is one in which the system keeps its libraries.
    static func isSystemDirectory(_ path: String) -> Bool { directories.contains(path) }

    private static func substitute(_ origin: String, in directory: String) -> String {
        for variable in ["$ORIGIN", "${ORIGIN}"] where directory.hasPrefix(variable) {
            return origin + directory.dropFirst(variable.count)
        }
        return directory
    }

    private static let directories: [String] = {
        #if arch(arm64)
            let triple = "aarch64-linux-gnu"
        #else
            let triple = "x86_64-linux-gnu"
        #endif
        return ["/lib/\(triple)", "/usr/lib/\(triple)", "/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"]
    }()
}
