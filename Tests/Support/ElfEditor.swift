// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Changes bytes of a 64-bit little-endian ELF file.
package struct ElfEditor {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static func contents(of path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    package func get<Integer: FixedWidthInteger>(_ type: Integer.Type, at offset: Int) -> Integer {
        (0..<(Integer.bitWidth / 8)).reversed().reduce(0) { $0 << 8 | Integer(bytes[offset + $1]) }
    }

    package mutating func set<Integer: FixedWidthInteger>(_ value: Integer, at offset: Int) {
        for index in 0..<(Integer.bitWidth / 8) {
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (Integer(index) * 8))
        }
    }

    /// Offsets of the program headers of a type.
    package func segments(_ type: UInt32) -> [Int] {
        let start = Int(get(UInt64.self, at: 32))
        return (0..<Int(get(UInt16.self, at: 56))).map { start + $0 * 56 }.filter { get(UInt32.self, at: $0) == type }
    }

    /// Offset of the header of the first note of owner `KIT` and this type.
    package func note(_ type: UInt32) throws -> Int {
        let pattern = [0x4B, 0x49, 0x54, 0] as [UInt8]
        let found = (12..<(bytes.count - 4)).first {
            bytes[$0] == pattern[0] && Array(bytes[$0..<($0 + 4)]) == pattern && get(UInt32.self, at: $0 - 4) == type
                && get(UInt32.self, at: $0 - 12) == 4
        }
        guard let found else { throw CocoaError(.fileReadCorruptFile) }
        return found - 12
    }

    /// Adds a dynamic entry, for which linkers leave some room.
    ///
    /// - Returns: whether there is any.
    package mutating func addDynamic(_ tag: Int64, _ value: UInt64) -> Bool {
        guard let end = dynamic(0), get(Int64.self, at: end + 8) == 0, get(UInt64.self, at: end + 16) == 0 else {
            return false
        }
        set(tag, at: end - 8)
        set(value, at: end)
        return true
    }

    /// Offset of the value of a dynamic entry.
    package func dynamic(_ tag: Int64) -> Int? {
        guard let header = segments(2).first else { return nil }
        let start = Int(get(UInt64.self, at: header + 8))
        let count = Int(get(UInt64.self, at: header + 32)) / 16
        return (0..<count).map { start + $0 * 16 }.first { get(Int64.self, at: $0) == tag }.map { $0 + 8 }
    }
}
