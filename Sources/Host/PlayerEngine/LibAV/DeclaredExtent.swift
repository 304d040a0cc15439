// SPDX-License-Identifier: Apache-2.0

/// Where a file ends by what its own outermost boxes or elements say, in the two families of containers that say it.
enum DeclaredExtent {
    /// Boxes looked at before giving up; files have a handful, fragmented ones two a fragment.
    private static let boxLimit = 100_000

    /// nil if the file does not say.
    static func end(of file: LocalFile) -> Int64? {
        guard let size = file.size else { return nil }
        return endOfMatroska(file) ?? endOfBoxes(file, size: size)
    }

    /// ISO base media: boxes of a 32-bit size and a type, one after the other; size 1 means a 64-bit size follows, 0 to the end.
    private static func endOfBoxes(_ file: LocalFile, size: Int64) -> Int64? {
        var place: Int64 = 0
        for _ in 0..<boxLimit where place < size {
            let header = file.bytes(at: place, count: 16)
            guard header.count >= 8, header[4..<8].allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
            let short = number(header[0..<4])
            let length = short == 1 && header.count == 16 ? number(header[8..<16]) : short
            guard length >= 8 else { return length == 0 ? size : nil }
            let (end, overflow) = place.addingReportingOverflow(length)
            guard !overflow else { return nil }
            place = end
        }
        return place
    }

    /// Matroska: the EBML header, then one segment whose size is known or all ones.
    private static func endOfMatroska(_ file: LocalFile) -> Int64? {
        let start = file.bytes(at: 0, count: 12)
        guard start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]), let header = size(start.dropFirst(4)) else { return nil }
        let place = Int64(4 + header.width) + header.value
        let segment = file.bytes(at: place, count: 12)
        guard segment.starts(with: [0x18, 0x53, 0x80, 0x67]), let body = size(segment.dropFirst(4)) else { return nil }
        return place + Int64(4 + body.width) + body.value
    }

    /// An EBML size: as many leading zero bits as bytes follow the first; nil if it is unknown or there is none.
    private static func size(_ bytes: ArraySlice<UInt8>) -> (value: Int64, width: Int)? {
        guard let first = bytes.first, first != 0 else { return nil }
        let width = first.leadingZeroBitCount + 1
        guard bytes.count >= width else { return nil }
        let value = number(bytes.prefix(width)) & (1 << Int64(7 * width) - 1)
        return value == 1 << Int64(7 * width) - 1 ? nil : (value, width)
    }

    /// Big-endian; the highest bit is left out so that the sum stays positive.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { ($0 << 8 | Int64($1)) & .max }
    }
}
