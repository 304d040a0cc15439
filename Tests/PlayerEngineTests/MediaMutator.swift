// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Damages media in the ways that break readers.
struct MediaMutator {
    var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// A damaged copy; one to four kinds of damage.
    mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) where bytes.count > 16 {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: flipBits(&bytes)
            case 1: overwrite(&bytes)
            case 2: fill(&bytes)
            case 3: bytes.removeLast(Int.random(in: 0..<bytes.count - 8, using: &generator))
            case 4: swapBlocks(&bytes)
            case 5: repeatBlock(&bytes)
            case 6: resizeBox(&bytes)
            default: changeNumber(&bytes)
            }
        }
        return bytes
    }

    /// Half of the places are in the first kilobyte or the last: there the structure is.
    private mutating func place(in bytes: [UInt8]) -> Int {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: Int.random(in: 0..<min(1024, bytes.count), using: &generator)
        case 1: Int.random(in: max(0, bytes.count - 1024)..<bytes.count, using: &generator)
        default: Int.random(in: 0..<bytes.count, using: &generator)
        }
    }

    private mutating func range(in bytes: [UInt8], atMost longest: Int) -> Range<Int> {
        let start = place(in: bytes)
        return start..<min(bytes.count, start + Int.random(in: 1...longest, using: &generator))
    }

    private mutating func flipBits(_ bytes: inout [UInt8]) {
        for _ in 0..<(1 << Int.random(in: 0..<8, using: &generator)) {
            bytes[place(in: bytes)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        }
    }

    private mutating func overwrite(_ bytes: inout [UInt8]) {
        for index in range(in: bytes, atMost: 256) { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
    }

    private mutating func fill(_ bytes: inout [UInt8]) {
        let values: [UInt8] = [0, 0xFF, 0x80, 0x7F]
        let value = values.randomElement(using: &generator) ?? 0
        for index in range(in: bytes, atMost: 512) { bytes[index] = value }
    }

    private mutating func swapBlocks(_ bytes: inout [UInt8]) {
        let length = Int.random(in: 1...min(2048, bytes.count / 2), using: &generator)
        let first = Int.random(in: 0...bytes.count - length, using: &generator)
        let second = Int.random(in: 0...bytes.count - length, using: &generator)
        let (left, right) = (Array(bytes[first..<first + length]), Array(bytes[second..<second + length]))
        bytes.replaceSubrange(second..<second + length, with: left)
        bytes.replaceSubrange(first..<first + length, with: right)
    }

    private mutating func repeatBlock(_ bytes: inout [UInt8]) {
        let block = Array(bytes[range(in: bytes, atMost: 2048)])
        bytes.insert(contentsOf: block, at: place(in: bytes))
    }

    /// Four letters after four bytes are a box of MP4 and its size; elsewhere that is one more kind of overwriting.
    private mutating func resizeBox(_ bytes: inout [UInt8]) {
        let boxes = (4..<bytes.count - 4).filter { index in
            bytes[index..<index + 4].allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        }
        let start = (boxes.randomElement(using: &generator) ?? place(in: Array(bytes.dropLast(4))) + 4) - 4
        write(&bytes, at: start)
    }

    private mutating func changeNumber(_ bytes: inout [UInt8]) {
        write(&bytes, at: place(in: bytes))
    }

    /// A number at the edges of 32 bits, big-endian; as an EBML size all ones are unknown.
    private mutating func write(_ bytes: inout [UInt8], at start: Int) {
        let edges: [UInt32] = [
            0, 1, 7, 8, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFF0, 0x0100_0000, 0x10FF_FFFF,
        ]
        let number = edges.randomElement(using: &generator) ?? 0
        for index in 0..<4 where start + index < bytes.count && start >= 0 {
            bytes[start + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32(index)))
        }
    }
}
