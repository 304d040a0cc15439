// SPDX-License-Identifier: Apache-2.0

package import PluginABI

/// Text that crosses the plugin ABI: reading it as hostile input, and lending it.
package enum KitText {
    /// Log lines, error texts and string fields are cut to this many bytes.
    package static let maxBytes = 4096

    /// Copies text of a plugin: bad bytes are replaced, and at most `limit` bytes are read.
    ///
    /// - Returns: nil for a null pointer with a length.
    package static func string(_ text: kit_str, limit: Int = maxBytes) -> String? {
        guard unsafe text.len > 0 else { return "" }
        guard let start = unsafe text.ptr else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(min(text.len, UInt64(limit))))
        let whole = unsafe text.len > UInt64(limit) ? wholeScalars(bytes) : bytes.count
        return unsafe String(decoding: bytes[..<whole], as: UTF8.self)
    }

    /// How many of `bytes` do not belong to a scalar that was cut in two at the end.
    package static func wholeScalars(_ bytes: UnsafeRawBufferPointer) -> Int {
        var start = bytes.count
        // A scalar has at most three continuation bytes.
        for _ in 0..<4 where start > 0 {
            start -= 1
            let byte = unsafe bytes[start]
            if byte & 0xC0 == 0x80 { continue }
            let length =
                switch byte {
                case 0xC0...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF7: 4
                default: 1
                }
            return start + length > bytes.count ? start : bytes.count
        }
        return bytes.count
    }
}

/// Strings laid end to end, so that many can be lent to C in one scope.
struct TextArena {
    private(set) var bytes: [UInt8] = []

    /// Adds a string and tells where it lies.
    mutating func add(_ text: String) -> Range<Int> {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        return start..<bytes.count
    }

    /// Where a range of the arena lies while `base` is lent.
    static func text(_ range: Range<Int>, in base: UnsafeBufferPointer<UInt8>) -> kit_str {
        guard !range.isEmpty, let start = base.baseAddress else { return unsafe kit_str(ptr: nil, len: 0) }
        let characters = unsafe UnsafeRawPointer(start + range.lowerBound).assumingMemoryBound(to: CChar.self)
        return unsafe kit_str(ptr: characters, len: UInt64(range.count))
    }
}
