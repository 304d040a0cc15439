// SPDX-License-Identifier: Apache-2.0

/// A word of 1 to 16 bytes in two numbers, so that comparing two of them takes no loop.
struct PackedWord: Hashable {
    static let longest = 16

    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// nil for a text that is empty or too long.
    init?(_ text: String) {
        guard 1...PackedWord.longest ~= text.utf8.count else { return nil }
        for (index, byte) in text.utf8.enumerated() { put(byte, at: index) }
    }

    /// A word that `put` fills, from its first byte on.
    init() {}

    /// - Parameter index: 0 to 15.
    mutating func put(_ byte: UInt8, at index: Int) {
        if index < 8 {
            low |= UInt64(byte) << UInt64(index * 8)
        } else {
            high |= UInt64(byte) << UInt64(index * 8 - 64)
        }
    }

    /// A number that differs for most words, by its upper bits.
    var mixed: UInt64 { (low &* 0x9e37_79b9_7f4a_7c15) ^ (high &* 0xbf58_476d_1ce4_e5b9) }
}
