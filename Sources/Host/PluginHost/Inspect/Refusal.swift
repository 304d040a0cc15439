// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// Why a file is not accepted as a plugin: a stable code, what is wrong, and what to do about it.
package struct Refusal: Error, Hashable, Sendable {
    /// Stable names: reports, tests and scripts compare them.
    package enum Code: String, CaseIterable, Sendable {
        // The path.
        case notFound = "not_found"
        case unreadable
        case directory
        case fifo
        case socket
        case device
        case empty
        case tooLarge = "too_large"
        case unsafeOwner = "unsafe_owner"
        case unsafeMode = "unsafe_mode"
        case hashMismatch = "hash_mismatch"

        // What kind of file it is.
        case notELF = "not_elf"
        case truncated
        case malformed
        case wrongClass = "wrong_class"
        case wrongEndian = "wrong_endian"
        case wrongMachine = "wrong_machine"
        case objectFile = "object_file"
        case executable
        case coreFile = "core_file"

        // What it says of itself.
        case noNote = "no_note"
        case badNote = "bad_note"
        case badOptions = "bad_options"
        case wrongMajor = "wrong_major"
        case minorTooNew = "minor_too_new"
        case minorTooOld = "minor_too_old"
        case reservedID = "reserved_id"

        // How it was built.
        case missingEntry = "missing_entry"
        case execStack = "exec_stack"
        case textRelocations = "text_relocations"
        case staticTLS = "static_tls"
        case glibcTooNew = "glibc_too_new"
        // In the host's process only.
        case extraExports = "extra_exports"
    }

    package var code: Code
    /// One sentence about "the file", with the numbers of both sides where two sides differ; ends without a full stop.
    package var message: String
    /// One sentence: what to do next.
    package var hint: String

    package init(_ code: Code, _ message: String, hint: String) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The refusal as an error that names the file.
    package func error(path: String) -> PlayerError {
        PlayerError(.pluginRefused, "plugin \(path) is refused: \(message)", hint: hint, cause: code.rawValue)
    }
}
