// SPDX-License-Identifier: Apache-2.0

/// Lets so many lines through in a second of real time and counts the others.
struct LineLimit {
    static let maxPerSecond = 200

    private var second: UInt64 = 0
    private var count = 0

    /// Whether one more line passes now.
    ///
    /// - Returns: also how many were cut in the second that is over, once.
    mutating func admit(at now: RealTime) -> (passes: Bool, cutBefore: Int) {
        var cutBefore = 0
        let current = now.nanoseconds / 1_000_000_000
        if current != second {
            cutBefore = max(0, count - LineLimit.maxPerSecond)
            second = current
            count = 0
        }
        count += 1
        return (count <= LineLimit.maxPerSecond, cutBefore)
    }
}
