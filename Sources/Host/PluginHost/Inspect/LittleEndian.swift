// SPDX-License-Identifier: Apache-2.0

// Little-endian integers and text in bytes of unknown origin: what does not lie within the bytes is nil.

extension RandomAccessCollection<UInt8> where Index == Int {
    /// The `Integer` whose first byte is `offset` bytes after the start.
    func littleEndian<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self, at offset: Int) -> Integer? {
        let size = Integer.bitWidth / 8
        guard offset >= 0, count >= size, offset <= count - size else { return nil }
        var value: Integer = 0
        for index in (0..<size).reversed() {
            value = value << 8 | Integer(truncatingIfNeeded: self[startIndex + offset + index])
        }
        return value
    }

    /// The `length` bytes that begin `offset` bytes after the start.
    func slice(at offset: Int, length: Int) -> SubSequence? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
        return self[(startIndex + offset)..<(startIndex + offset + length)]
    }
}

extension String {
    /// Text of unknown origin, fit to be shown: bytes that are not UTF-8 and control characters become U+FFFD.
    init(printable bytes: some Collection<UInt8>) {
        if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            self.init(decoding: bytes, as: UTF8.self)
            return
        }
        var scalars = String.UnicodeScalarView()
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalars.append("\u{FFFD}")
            default: scalars.append(scalar)
            }
        }
        self.init(scalars)
    }
}
