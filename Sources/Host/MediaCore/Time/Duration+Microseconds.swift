// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// Rounded towards zero; of what is longer than 290,000 years, no more than half of what fits.
    package var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds.magnitude <= UInt64(Int64.max / 2_000_000) else { return seconds < 0 ? .min / 2 : .max / 2 }
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
