// SPDX-License-Identifier: Apache-2.0

/// How measurements of one thing lie.
struct Spread: Encodable {
    var runs: Int
    var median: Double
    /// What 99 of 100 are at or below.
    var p99: Double
    var lowest: Double
    var highest: Double

    /// - Parameter values: at least one.
    init(_ values: [Double]) {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        runs = sorted.count
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        p99 = sorted[Int((Double(sorted.count) * 0.99).rounded(.up)) - 1]
        lowest = sorted[0]
        highest = sorted[sorted.count - 1]
    }
}
