// SPDX-License-Identifier: Apache-2.0

internal import PluginABI
internal import WorkerWire

/// Reads the body of a message; every offset and length in it is hostile.
struct WireReader {
    let body: ArraySlice<UInt8>

    /// The plain structure or number that begins at `offset` of the body.
    func load<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int = 0) throws(WireFault) -> Value {
        let size = MemoryLayout<Value>.size
        guard offset >= 0, offset <= body.count, size <= body.count - offset else {
            throw WireFault("a message of \(body.count) bytes is too short for its kind")
        }
        return unsafe body.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }

    /// `count` structures that begin at `offset`.
    func array<Value: BitwiseCopyable>(
        of type: Value.Type, count: Int, at offset: UInt32
    ) throws(WireFault) -> [Value] {
        let size = MemoryLayout<Value>.stride
        guard count >= 0, Int(offset) <= body.count, count <= (body.count - Int(offset)) / size else {
            throw WireFault("a list of \(count) passes the end of its message")
        }
        var values: [Value] = []
        values.reserveCapacity(count)
        for index in 0..<count { values.append(try load(type, at: Int(offset) + index * size)) }
        return values
    }

    /// Where a text lies in the body.
    func range(_ text: kitw_text) throws(WireFault) -> Range<Int> {
        let (offset, length) = (Int(text.offset), Int(text.length))
        guard offset <= body.count, length <= body.count - offset else {
            throw WireFault("a text passes the end of its message")
        }
        return offset..<offset + length
    }

    /// A text, its bad bytes replaced, at most `KITW_TEXT_MAX` bytes of it.
    func string(_ text: kitw_text) throws(WireFault) -> String {
        let range = try range(text)
        return unsafe body.withUnsafeBytes { bytes in
            unsafe KitText.string(WireReader.text(range, in: bytes), limit: KITW_TEXT_MAX) ?? ""
        }
    }

    /// A range of the body as the text of the plugin ABI, while the body is lent.
    static func text(_ range: Range<Int>, in body: UnsafeRawBufferPointer) -> kit_str {
        guard !range.isEmpty, let start = body.baseAddress else { return unsafe kit_str(ptr: nil, len: 0) }
        let characters = unsafe (start + range.lowerBound).assumingMemoryBound(to: CChar.self)
        return unsafe kit_str(ptr: characters, len: UInt64(range.count))
    }
}
