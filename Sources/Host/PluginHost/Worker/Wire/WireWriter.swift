// SPDX-License-Identifier: Apache-2.0

internal import WorkerWire

/// Puts a message to a worker together: the head, the structure of its kind, then what varies in length.
struct WireWriter {
    private var bytes: [UInt8] = []
    private let kind: Int

    init(_ kind: Int) {
        self.kind = kind
        bytes = Array(repeating: 0, count: KITW_HEADER_SIZE)
    }

    private var bodyCount: Int { bytes.count - KITW_HEADER_SIZE }

    /// Appends a structure, behind padding to a multiple of 8.
    ///
    /// - Returns: its offset in the body.
    @discardableResult
    mutating func append<Value: BitwiseCopyable>(_ value: Value) -> UInt32 {
        while bodyCount % 8 != 0 { bytes.append(0) }
        let offset = bodyCount
        unsafe withUnsafeBytes(of: value) { unsafe bytes.append(contentsOf: $0) }
        return UInt32(offset)
    }

    /// Appends raw records, behind padding to a multiple of 8.
    ///
    /// - Returns: their offset in the body.
    mutating func append(records: UnsafeRawBufferPointer) -> UInt32 {
        while bodyCount % 8 != 0 { bytes.append(0) }
        let offset = bodyCount
        unsafe bytes.append(contentsOf: records)
        return UInt32(offset)
    }

    /// Appends the bytes of a text and tells where they lie.
    mutating func append(text: some Collection<UInt8>) -> kitw_text {
        let offset = bodyCount
        bytes.append(contentsOf: text)
        return kitw_text(offset: UInt32(offset), length: UInt32(bodyCount - offset))
    }

    /// Writes a structure over one that was appended before, now that the offsets in it are known.
    mutating func replace<Value: BitwiseCopyable>(at offset: UInt32, with value: Value) {
        let start = KITW_HEADER_SIZE + Int(offset)
        unsafe withUnsafeBytes(of: value) {
            unsafe bytes.replaceSubrange(start..<start + $0.count, with: $0)
        }
    }

    /// Whether the message is within the bound of the wire.
    var fits: Bool { bodyCount <= KITW_BODY_MAX }

    /// The message as it is sent.
    func message(call: UInt64, instance: UInt32) -> [UInt8] {
        precondition(fits, "a message of \(bodyCount) bytes was not checked against the bound of the wire")
        let head = kitw_header(
            version: KITW_WIRE_VERSION, kind: UInt32(kind), call: call, instance: instance, length: UInt32(bodyCount))
        var message = bytes
        unsafe withUnsafeBytes(of: head) { unsafe message.replaceSubrange(0..<KITW_HEADER_SIZE, with: $0) }
        return message
    }
}
