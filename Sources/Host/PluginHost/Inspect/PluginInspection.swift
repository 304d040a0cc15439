// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// What was read from a file that may be a plugin, and whether it is accepted. No byte of the file has run.
package struct PluginInspection: Sendable {
    /// A library that the plugin needs.
    package struct Need: Hashable, Sendable {
        package var library: String
        /// Versions of its symbols that must be there, as in `GLIBC_2.34`.
        package var versions: [String]
        /// Where it was found; nil if it is in none of the usual places.
        package var path: String?
    }

    /// Something that is accepted but that an author should know.
    package struct Warning: Hashable, Sendable {
        package enum Code: String, CaseIterable, Sendable {
            case extraExports = "extra_exports"
            case riskyImports = "risky_imports"
            case missingLibrary = "missing_library"
            case staticTLS = "static_tls"
            case unknownBits = "unknown_bits"
            case unknownMembers = "unknown_members"
        }

        package var code: Code
        /// One sentence.
        package var message: String
    }

    /// As it was given.
    package var path: String
    /// Which file it was; nil if nothing could be opened.
    package var identity: FileIdentity?
    package var architecture: Architecture?
    package var note: PluginNote?
    package var options: OptionTable?
    /// Names that it offers to others, sorted.
    package var exports: [String] = []
    /// Names that it expects from others, sorted.
    package var imports: [String] = []
    /// In the order in which they are loaded.
    package var needs: [Need] = []
    /// SHA-256 of the file in lower-case hexadecimal; nil unless it was asked for.
    package var sha256: String?
    package var warnings: [Warning] = []
    /// Why it is not accepted; nil if it is. What was read before the reason was found is kept.
    package var refusal: Refusal?

    package init(path: String) {
        self.path = path
    }

    /// The refusal as an error that names the file; nil if it is accepted.
    package var error: PlayerError? {
        refusal?.error(path: path)
    }

    /// What a loader needs of an accepted plugin.
    ///
    /// - Throws: `plugin.refused` if it is not accepted.
    package func accepted() throws(PlayerError) -> (identity: FileIdentity, note: PluginNote, options: OptionTable) {
        if let error { throw error }
        guard let identity, let note, let options else {
            preconditionFailure("an inspection that refuses nothing has read everything")
        }
        return (identity, note, options)
    }
}
