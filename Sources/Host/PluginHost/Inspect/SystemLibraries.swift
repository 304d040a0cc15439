// SPDX-License-Identifier: Apache-2.0

internal import Glibc

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
            let candidates =
                need.library.utf8.contains(UInt8(ascii: "/"))
                ? [need.library] : searched.map { "\($0)/\(need.library)" }
            return PluginInspection.Need(
                library: need.library, versions: need.versions,
                path: candidates.first { unsafe access($0, R_OK) == 0 })
        }
    }

    /// Where `locate` looks, in this order.
    static func searchedDirectories(_ dynamic: DynamicInfo, pluginPath: String) -> [String] {
        let slash = pluginPath.utf8.lastIndex(of: UInt8(ascii: "/"))
        let origin = slash.map { String(pluginPath[..<$0]) } ?? "."
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
