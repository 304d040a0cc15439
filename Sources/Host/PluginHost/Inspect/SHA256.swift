// SPDX-License-Identifier: Apache-2.0

/// SHA-256 (FIPS 180-4), for pins and for the names under which faults are remembered.
struct SHA256 {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

    /// The digest of a whole file in lower-case hexadecimal.
    static func digest(of file: borrowing CheckedFile) throws(Refusal) -> String {
        var hash = SHA256()
        var offset: UInt64 = 0
        while offset < LoadRules.largestFile {
            let bytes = try file.read(at: offset, count: 1 << 20)
            if bytes.isEmpty { break }
            hash.update(bytes)
            offset += UInt64(bytes.count)
        }
        return hash.finish()
    }

    mutating func update(_ bytes: [UInt8]) {
        byteCount += UInt64(bytes.count)
        pending += bytes
        var schedule = [UInt32](repeating: 0, count: 64)
        var start = 0
        while pending.count - start >= 64 {
            compress(at: start, &schedule)
            start += 64
        }
        pending.removeFirst(start)
    }

    /// Ends the message and gives its digest in lower-case hexadecimal.
    mutating func finish() -> String {
        let bitCount = byteCount * 8
        let zeros = (119 - pending.count % 64) % 64
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * UInt64($0))) }
        update([0x80] + [UInt8](repeating: 0, count: zeros) + length)
        return state.map { $0.padded(to: 8, radix: 16) }.joined()
    }

    private mutating func compress(at start: Int, _ w: inout [UInt32]) {
        for index in 0..<16 {
            let byte = start + index * 4
            w[index] =
                UInt32(pending[byte]) << 24 | UInt32(pending[byte + 1]) << 16 | UInt32(pending[byte + 2]) << 8
                | UInt32(pending[byte + 3])
        }
        for index in 16..<64 {
            let a = w[index - 15]
            let b = w[index - 2]
            let s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3)
            let s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10)
            w[index] = w[index - 16] &+ s0 &+ w[index - 7] &+ s1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            let first = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ SHA256.constants[index] &+ w[index]
            let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
            let second = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    private func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
