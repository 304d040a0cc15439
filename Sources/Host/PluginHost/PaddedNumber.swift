// SPDX-License-Identifier: Apache-2.0

extension BinaryInteger {
    /// The digits, with zeros in front up to a width. It is not negative.
    func padded(to width: Int, radix: Int = 10) -> String {
        let digits = String(self, radix: radix)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
