// SPDX-License-Identifier: Apache-2.0

/// One message of the kernel's netlink protocol, cut out of a datagram. Trusts no length in it.
package struct NetlinkMessage {
    private static let headerSize = 16

    /// `RTM_*`, `NLMSG_*`.
    package var type: Int
    /// `NLM_F_*`.
    package var flags: Int
    package var sequence: UInt32
    package var body: ArraySlice<UInt8>

    /// The messages of a datagram, up to the first whose length cannot be.
    package static func all(in datagram: ArraySlice<UInt8>) -> [NetlinkMessage] {
        var messages: [NetlinkMessage] = []
        var rest = datagram
        while let length = rest.number(UInt32.self, at: 0), let type = rest.number(UInt16.self, at: 4),
            let flags = rest.number(UInt16.self, at: 6), let sequence = rest.number(UInt32.self, at: 8),
            Int(length) >= headerSize, Int(length) <= rest.count
        {
            let body = rest.dropFirst(headerSize).prefix(Int(length) - headerSize)
            messages.append(NetlinkMessage(type: Int(type), flags: Int(flags), sequence: sequence, body: body))
            rest = rest.dropFirst(aligned(Int(length)))
        }
        return messages
    }

    /// The attributes behind a message's fixed part, by type; of several of one type the last, none of those whose length cannot be.
    ///
    /// - Parameter offset: where they begin in `bytes`.
    static func attributes(of bytes: ArraySlice<UInt8>, from offset: Int) -> [Int: ArraySlice<UInt8>] {
        var attributes: [Int: ArraySlice<UInt8>] = [:]
        var rest = bytes.dropFirst(offset)
        while let length = rest.number(UInt16.self, at: 0), let type = rest.number(UInt16.self, at: 2),
            length >= 4, Int(length) <= rest.count
        {
            // The two highest bits say how the value is coded.
            attributes[Int(type & 0x3fff)] = rest.dropFirst(4).prefix(Int(length) - 4)
            rest = rest.dropFirst(aligned(Int(length)))
        }
        return attributes
    }

    private static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
}

extension ArraySlice<UInt8> {
    /// A number in the machine's byte order; nil if it does not lie in the slice.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at offset: Int) -> Number? {
        guard offset >= 0, offset + MemoryLayout<Number>.size <= count else { return nil }
        return unsafe withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
    }
}
