// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

/// Reads the notes of `kitshell/note.h` from bytes of unknown origin and says whether this host can serve what they ask for.
enum NoteReader {
    /// Larger note segments are refused unread, bytes: no set of valid notes comes near.
    static let largestSegment: UInt64 = 1 << 20
    /// Bytes of JSON.
    static let largestOptions = 64 << 10

    /// The notes of this owner.
    struct Notes {
        var identity: [UInt8]
        /// JSON text without its padding; nil if there is no such note.
        var options: [UInt8]?
    }

    /// Picks the plugin's notes out of all those of the file.
    static func pick(_ notes: [ElfFile.Note]) throws(Refusal) -> Notes {
        let ours = notes.filter { $0.owner == Array(KIT_NOTE_OWNER.utf8) + [0] }
        let identities = ours.filter { $0.type == UInt32(KIT_NOTE_IDENTITY) }
        let options = ours.filter { $0.type == UInt32(KIT_NOTE_OPTIONS) }
        guard let identity = identities.first else {
            throw Refusal(
                .noNote, "the file is a library but no plugin: it has no identity note",
                hint: "Put KIT_PLUGIN_NOTE of kitshell/note.h at file scope of one of its C or C++ files.")
        }
        if identities.count > 1 || options.count > 1 {
            throw bad(
                "it has \(identities.count) identity notes and \(options.count) option notes, at most one of each is allowed"
            )
        }
        guard let text = options.first?.contents else { return Notes(identity: identity.contents, options: nil) }
        if text.count > largestOptions {
            throw Refusal(
                .badOptions, "its option table has \(text.count) bytes, at most \(largestOptions) are allowed",
                hint: "Shorten the help texts or move tables into a file that an option names.")
        }
        let padding = text.reversed().prefix { $0 == 0 }.count
        return Notes(identity: identity.contents, options: Array(text.dropLast(padding)))
    }

    /// Reads the identity note.
    static func identity(_ bytes: [UInt8]) throws(Refusal) -> PluginNote {
        let headSize = MemoryLayout<kit_note_head>.size
        let words = (0..<(headSize / 4)).compactMap { bytes.littleEndian(UInt32.self, at: $0 * 4) }
        guard let format = words.first else { throw bad("its identity note is empty") }
        if format != UInt32(KIT_NOTE_FORMAT) {
            throw bad("its identity note has format \(format), this host reads format \(KIT_NOTE_FORMAT)")
        }
        guard words.count == headSize / 4 else {
            throw bad("its identity note has \(bytes.count) bytes, the fixed part alone has \(headSize)")
        }

        var position = headSize
        func text(_ what: String, length: UInt32, limit: Int) throws(Refusal) -> [UInt8] {
            if length > limit { throw bad("its \(what) has \(length) bytes, at most \(limit) are allowed") }
            guard let text = bytes.slice(at: position, length: Int(length)),
                bytes.slice(at: position + Int(length), length: 1)?.first == 0
            else { throw bad("its \(what) of \(length) bytes and the NUL after it do not fit the note") }
            position += Int(length) + 1
            return Array(text)
        }
        let id = try text("id", length: words[7], limit: 128)
        let version = try text("version", length: words[8], limit: 64)
        let name = try text("name", length: words[9], limit: 256)
        let vendor = try text("vendor", length: words[10], limit: 256)
        if position != bytes.count {
            throw bad("its identity note has \(bytes.count) bytes, its parts add up to \(position)")
        }

        let note = PluginNote(
            id: String(printable: id), version: String(printable: version), name: String(printable: name),
            vendor: String(printable: vendor), abiMajor: words[1], abiMinor: words[2], neededMinor: words[3],
            kinds: PluginNote.Kinds(rawValue: words[4]), capabilities: PluginNote.Capabilities(rawValue: words[5]),
            flags: PluginNote.Flags(rawValue: words[6]))
        guard PluginNote.isID(id) else {
            throw bad("its id \"\(note.id)\" breaks the grammar: a to z, 0 to 9 and . _ - with a letter or digit first")
        }
        if note.neededMinor > note.abiMinor {
            throw bad("it needs minor \(note.neededMinor) but was built against minor \(note.abiMinor)")
        }
        return note
    }

    /// Whether this host cannot serve the plugin.
    static func versionRefusal(of note: PluginNote, host: HostABI) -> Refusal? {
        if note.abiMajor != host.major {
            return Refusal(
                .wrongMajor,
                "the plugin was built for ABI \(note.abiMajor).\(note.abiMinor), this host has ABI \(host)",
                hint: note.abiMajor < host.major
                    ? "Get a newer build of the plugin, or build it against this host's headers."
                    : "Update this host, or get a build of the plugin for ABI \(host.major).")
        }
        if note.neededMinor > host.minor {
            return Refusal(
                .minorTooNew,
                "the plugin needs ABI \(note.abiMajor).\(note.neededMinor) or later, this host has ABI \(host)",
                hint: "Update this host, or get an older build of the plugin.")
        }
        if note.abiMinor < host.oldestMinor {
            return Refusal(
                .minorTooOld,
                """
                the plugin was built for ABI \(note.abiMajor).\(note.abiMinor), this host serves plugins from ABI \
                \(host.major).\(host.oldestMinor) to \(host)
                """,
                hint: "Get a newer build of the plugin, or build it against this host's headers.")
        }
        if note.kinds.isDisjoint(with: [.lifecycle, .monitor]) {
            return bad("it offers no kind of strategy that this host knows (kinds \(note.kinds.rawValue))")
        }
        return nil
    }

    /// What the plugin asks for that this host does not know: it comes from newer headers and is ignored.
    static func warnings(of note: PluginNote) -> [PluginInspection.Warning] {
        let unknown: [(String, UInt32)] = [
            ("kinds", note.kinds.rawValue & ~3), ("capabilities", note.capabilities.rawValue & ~31),
            ("flags", note.flags.rawValue & ~3),
        ].filter { $0.1 != 0 }
        return unknown.map { what, bits in
            PluginInspection.Warning(
                code: .unknownBits,
                message:
                    "Its note names \(what) that this host does not know (bits \(String(bits, radix: 16))); they have no effect."
            )
        }
    }

    private static func bad(_ what: String) -> Refusal {
        Refusal(
            .badNote, "the plugin's note is wrong: \(what)", hint: "Emit notes with the macros of kitshell/note.h only."
        )
    }

}
