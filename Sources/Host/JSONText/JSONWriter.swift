// SPDX-License-Identifier: Apache-2.0

/// Writes JSON text front to back into one buffer: members stay in the order they are given.
///
/// Numbers are the shortest text that reads back as the same number; a whole number has no fraction (5012, not 5012.0), and one
/// that is not finite is null. The caller nests correctly: one `key` before each member's value.
///
/// Thread: one at a time.
public struct JSONWriter: Sendable {
    /// How the text is laid out.
    public enum Style: Sendable {
        /// One line, no spaces.
        case compact
        /// A member a line, two spaces a level, no line feed at the end.
        case pretty
    }

    /// What was written since the last `removeAll`.
    public private(set) var bytes: [UInt8] = []
    private let style: Style
    private var depth = 0
    private var needsComma = false
    private var followsKey = false

    public init(style: Style = .compact) {
        self.style = style
    }

    /// The text of one value.
    public static func text(_ value: JSONValue, style: Style = .compact) -> String {
        var writer = JSONWriter(style: style)
        writer.write(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Empties the buffer and keeps its storage, ready for the next document.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        depth = 0
        needsComma = false
        followsKey = false
    }

    public mutating func beginObject() { begin(UInt8(ascii: "{")) }
    public mutating func endObject() { end(UInt8(ascii: "}")) }
    public mutating func beginArray() { begin(UInt8(ascii: "[")) }
    public mutating func endArray() { end(UInt8(ascii: "]")) }

    public mutating func key(_ key: String) {
        prepare()
        quote(key)
        bytes.append(UInt8(ascii: ":"))
        if style == .pretty { bytes.append(UInt8(ascii: " ")) }
        followsKey = true
    }

    public mutating func null() { literal("null") }
    public mutating func write(_ value: Bool) { literal(value ? "true" : "false") }

    public mutating func write(_ value: Int64) {
        prepare()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        digits(value.magnitude)
        needsComma = true
    }

    public mutating func write(_ value: Double) {
        guard value.isFinite else { return null() }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return write(whole) }
        literal(value.description)
    }

    /// Writes `value` / 1000 exactly: microseconds as milliseconds, at most three decimals, no exponent.
    public mutating func write(thousandths value: Int64) {
        prepare()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: 1000)
        digits(whole)
        if rest != 0 {
            bytes.append(UInt8(ascii: "."))
            var rest = rest
            var unit: UInt64 = 100
            while rest > 0 {
                bytes.append(UInt8(ascii: "0") + UInt8(rest / unit))
                rest %= unit
                unit /= 10
            }
        }
        needsComma = true
    }

    public mutating func write(_ value: String) {
        prepare()
        quote(value)
        needsComma = true
    }

    public mutating func write(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): write(value)
        case .int(let value): write(value)
        case .double(let value): write(value)
        case .string(let value): write(value)
        case .array(let elements):
            beginArray()
            for element in elements { write(element) }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members {
                key(member.key)
                write(member.value)
            }
            endObject()
        }
    }

    /// Ends a document of several values with a line feed: one value a line.
    public mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Private

    /// Separates what follows from what stands before.
    private mutating func prepare() {
        if followsKey {
            followsKey = false
            return
        }
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
        if depth > 0 { breakLine() }
    }

    private mutating func breakLine() {
        guard style == .pretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<(2 * depth) { bytes.append(UInt8(ascii: " ")) }
    }

    private mutating func begin(_ bracket: UInt8) {
        prepare()
        bytes.append(bracket)
        depth += 1
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        depth -= 1
        if needsComma { breakLine() }
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func literal(_ text: String) {
        prepare()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    private mutating func digits(_ value: UInt64) {
        guard value > 9 else {
            bytes.append(UInt8(ascii: "0") + UInt8(value))
            return
        }
        let start = bytes.count
        var value = value
        while value > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(value % 10))
            value /= 10
        }
        bytes[start...].reverse()
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            escape(text)
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x20...: bytes.append(byte)
            case 0x0a: bytes.append(contentsOf: "\\n".utf8)
            case 0x0d: bytes.append(contentsOf: "\\r".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            default:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(UInt8(ascii: "0") + (byte >> 4))
                bytes.append((byte & 15 < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) + (byte & 15))
            }
        }
    }
}
