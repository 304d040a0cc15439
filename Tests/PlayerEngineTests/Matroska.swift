// SPDX-License-Identifier: Apache-2.0

/// A Matroska stream of raw pictures and raw sound, piece by piece.
struct Matroska {
    /// Pixels: what 25 pictures a second of it weigh fills queues quickly.
    private static let (width, height) = (640, 360)
    private static let rate: Float64 = 8000

    /// What stands before the first cluster.
    static var head: [UInt8] {
        let kind = element([0x42, 0x82], Array("matroska".utf8))
        let info = element([0x2A, 0xD7, 0xB1], number(1_000_000))
        let size =
            element([0xB0], number(width)) + element([0xBA], number(height))
            + element([0x2E, 0xB5, 0x24], Array("I420".utf8))
        let samples =
            element([0xB5], (0..<8).map { UInt8(truncatingIfNeeded: rate.bitPattern >> (56 - 8 * UInt64($0))) })
            + element([0x9F], number(1)) + element([0x62, 0x64], number(16))
        let tracks =
            track(1, kind: 1, codec: "V_UNCOMPRESSED", element([0xE0], size))
            + track(2, kind: 2, codec: "A_PCM/INT/LIT", element([0xE1], samples))
        return element([0x1A, 0x45, 0xDF, 0xA3], kind) + [0x18, 0x53, 0x80, 0x67, 0x01]
            + [UInt8](repeating: 0xFF, count: 7)
            + element([0x15, 0x49, 0xA9, 0x66], info) + element([0x16, 0x54, 0xAE, 0x6B], tracks)
    }

    /// A picture and the sound of 40 ms, or one of them.
    static func cluster(_ index: Int, hasPicture: Bool = true, hasSound: Bool) -> [UInt8] {
        var blocks = element([0xE7], number(index * 40))
        if hasPicture {
            blocks += element([0xA3], [0x81, 0, 0, 0x80] + [UInt8](repeating: 0x80, count: width * height * 3 / 2))
        }
        if hasSound { blocks += element([0xA3], [0x82, 0, 0, 0x80] + [UInt8](repeating: 0, count: 640)) }
        return element([0x1F, 0x43, 0xB6, 0x75], blocks)
    }

    /// The blocks of a stream that ffmpeg wrote: the track's number and where its content is. Parts that do not tell their size are
    /// looked into like those that hold others.
    static func blocks(of bytes: [UInt8]) -> [(track: Int, content: Range<Int>)] {
        var (place, blocks) = (0, [(track: Int, content: Range<Int>)]())
        func number(keepingMark: Bool) -> Int {
            guard place < bytes.count else { return 0 }
            let length = bytes[place].leadingZeroBitCount + 1
            var value = keepingMark ? Int(bytes[place]) : Int(bytes[place]) & (0xFF >> length)
            for byte in bytes[min(place + 1, bytes.count)..<min(place + length, bytes.count)] {
                value = value << 8 | Int(byte)
            }
            place += length
            return value
        }
        while place < bytes.count {
            let id = number(keepingMark: true)
            let size = number(keepingMark: false)
            switch id {
            case 0x1853_8067, 0x1F43_B675, 0xA0: break
            case 0xA3, 0xA1:
                blocks.append((Int(bytes[place] & 0x7F), place + 4..<place + size))
                place += size
            default: place += size
            }
        }
        return blocks
    }

    private static func track(_ index: Int, kind: Int, codec: String, _ settings: [UInt8]) -> [UInt8] {
        element(
            [0xAE],
            element([0xD7], number(index)) + element([0x73, 0xC5], number(index)) + element([0x83], number(kind))
                + element([0x86], Array(codec.utf8)) + settings)
    }

    private static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
        id + [0x08] + number(content.count) + content
    }

    /// Four bytes, big-endian.
    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
