// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// A plugin file that inspection accepted: what is to be loaded.
package struct PluginFile: Hashable, Sendable {
    /// Absolute: a bare name would be searched for in the library path.
    package var path: String
    /// The file as it was when it was inspected.
    package var identity: FileIdentity
    /// What its note promises.
    package var kinds: PluginNote.Kinds
    package var origin: LoadPolicy.Origin
    package var libraries = PluginLibraries()
    /// What to do if the system's loader does not take it; one sentence. The loader itself names only the first library it misses.
    var loaderHint: String

    package init(path: String, identity: FileIdentity, kinds: PluginNote.Kinds, origin: LoadPolicy.Origin) {
        self.path = FilePath.absolute(path)
        self.identity = identity
        self.kinds = kinds
        self.origin = origin
        loaderHint = "Install what it needs (ldd \(self.path) lists it), or rebuild it on this machine."
    }

    /// - Throws: why the file was not accepted.
    package init(_ inspection: PluginInspection, origin: LoadPolicy.Origin) throws(PlayerError) {
        let accepted = try inspection.accepted()
        self.init(path: inspection.path, identity: accepted.identity, kinds: accepted.note.kinds, origin: origin)
        libraries = PluginLibraries(of: inspection.needs)
        if let missing = inspection.warnings.first(where: { $0.code == .missingLibrary }) {
            loaderHint = missing.message
        }
    }
}
