// SPDX-License-Identifier: Apache-2.0

internal import CElf
internal import CLinux
internal import Glibc

/// The libraries that loading a plugin brings in, as far as a sandbox has to know of them. The system's own directories are open anyway.
package struct PluginLibraries: Hashable, Sendable {
    /// Runtimes of languages, from the system or from where this host has its own: trusted to set themselves up outside. Absolute paths.
    package var runtimes: [String] = []
    /// What else lies outside of the system's directories; as little trusted as the plugin.
    package var others: [Library] = []

    /// A library of this machine, as it was found.
    package struct Library: Hashable, Sendable {
        /// Absolute.
        package var path: String
        package var identity: FileIdentity
    }

    /// Files that are followed for what they need in turn.
    private static let mostFiles = 64

    package init() {}

    init(of needs: [PluginInspection.Need]) {
        var waiting = needs.compactMap(\.path)[...]
        var seen: Set<String> = []
        while let path = waiting.popFirst(), seen.count < PluginLibraries.mostFiles {
            guard seen.insert(path).inserted, let parts = PluginLibraries.split(path) else { continue }
            let isSystem = SystemLibraries.isSystemDirectory(parts.directory)
            if isSystem || parts.directory == PluginLibraries.ownRuntimeDirectory {
                if PluginLibraries.isRuntime(parts.name) { runtimes.append(path) }
            } else if let identity = SystemLibraries.library(at: path) {
                others.append(Library(path: path, identity: identity))
                waiting += PluginLibraries.needs(of: path)
            }
        }
    }

    private static func split(_ path: String) -> (directory: String, name: String)? {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return nil }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    private static func isRuntime(_ name: String) -> Bool {
        [
            "libstdc++.so", "libgcc_s.so", "libc++.so", "libc++abi.so", "libswift", "libdispatch.so",
            "libBlocksRuntime.so",
        ]
        .contains { name.hasPrefix($0) }
    }

    /// Where this process has its Swift runtime from; nil if it is linked in.
    private static let ownRuntimeDirectory: String? = {
        var info = unsafe clinux_symbol_info()
        var owner: UnsafeMutableRawPointer?
        guard let symbol = unsafe dlsym(nil, "swift_retain"),
            unsafe clinux_dladdr1(symbol, &info, &owner, Int32(CLINUX_LINK_MAP)) != 0, let name = unsafe info.file
        else { return nil }
        let path = unsafe String(cString: name)
        return path.contains("libswift") ? split(path)?.directory : nil
    }()

    /// Of a file that cannot be read nothing is known; the system's loader will say why.
    private static func needs(of path: String) -> [String] {
        do {
            let file = try LoadRules.open(path: path)
            let header = ElfHeader(try file.read(at: 0, count: ElfHeader.size), fileSize: file.size)
            guard header.refusal == nil else { return [] }
            let dynamic = try DynamicInfo(try ElfFile(file, header: header))
            return SystemLibraries.locate(dynamic, pluginPath: path).compactMap(\.path)
        } catch {
            return []
        }
    }
}
