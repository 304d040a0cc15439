// SPDX-License-Identifier: Apache-2.0

/// What a plugin says of itself in its identity note (`kitshell/note.h`).
package struct PluginNote: Hashable, Sendable {
    /// Which interfaces the plugin offers.
    package struct Kinds: OptionSet, Hashable, Sendable {
        package var rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let lifecycle = Kinds(rawValue: 1)
        package static let monitor = Kinds(rawValue: 2)

        /// The known ones as reports name them.
        package var names: [String] {
            (contains(.lifecycle) ? ["lifecycle"] : []) + (contains(.monitor) ? ["monitor"] : [])
        }
    }

    /// What it asks for beyond computing.
    package struct Capabilities: OptionSet, Hashable, Sendable {
        package var rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let network = Capabilities(rawValue: 1)
        package static let threads = Capabilities(rawValue: 2)
        package static let readPaths = Capabilities(rawValue: 4)
        package static let writePaths = Capabilities(rawValue: 8)
        package static let actions = Capabilities(rawValue: 16)

        /// The known ones as grants name them.
        package var names: [String] {
            let all: [(Capabilities, String)] = [
                (.network, "network"), (.threads, "threads"), (.readPaths, "read_paths"),
                (.writePaths, "write_paths"), (.actions, "actions"),
            ]
            return all.filter { contains($0.0) }.map { $0.1 }
        }
    }

    /// How a lifecycle strategy treats players.
    package struct Flags: OptionSet, Hashable, Sendable {
        package var rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Keeps one player per unique id.
        package static let bindsIDs = Flags(rawValue: 1)
        /// May answer with a player in use, whose owner then loses it.
        package static let takesOver = Flags(rawValue: 2)
    }

    /// `[a-z0-9][a-z0-9._-]*`, at most 128 bytes.
    package var id: String
    /// Free text without control characters, as are `name` and `vendor`; at most 64 bytes.
    package var version: String
    /// For people, at most 256 bytes.
    package var name: String
    /// At most 256 bytes.
    package var vendor: String
    package var abiMajor: UInt32
    /// The minor it was built against.
    package var abiMinor: UInt32
    /// The lowest minor of a host that it can run in.
    package var neededMinor: UInt32
    package var kinds: Kinds
    package var capabilities: Capabilities
    package var flags: Flags

    /// Whether the bytes are an id: `[a-z0-9][a-z0-9._-]*`, at most 128.
    package static func isID(_ bytes: some Collection<UInt8>) -> Bool {
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        }
        guard let first = bytes.first, isAlphanumeric(first), bytes.count <= 128 else { return false }
        return bytes.allSatisfy { isAlphanumeric($0) || "._-".utf8.contains($0) }
    }

    /// Ids without a dot are kept for the strategies that ship with the product.
    package var isReservedID: Bool { !id.utf8.contains(UInt8(ascii: ".")) }
}
