// SPDX-License-Identifier: Apache-2.0

/// Ours and another's measurements of the same thing, taken by turns so that whatever else the machine does hits both.
struct Comparison: Encodable {
    var oursMilliseconds: Spread
    var baselineMilliseconds: Spread
    /// Ours over the baseline, of the medians.
    var ratio: Double
    /// What the product promises of the ratio.
    var promised: String

    /// - Parameters:
    ///   - runs: of each, after one that is not counted: it fills caches.
    ///   - ours: in milliseconds.
    ///   - baseline: in milliseconds.
    init(
        runs: Int, promised: String, ours: () throws -> Double, baseline: () throws -> Double
    ) throws {
        _ = try ours()
        _ = try baseline()
        var (mine, others): ([Double], [Double]) = ([], [])
        for _ in 0..<runs {
            mine.append(try ours())
            others.append(try baseline())
        }
        oursMilliseconds = Spread(mine)
        baselineMilliseconds = Spread(others)
        ratio = oursMilliseconds.median / baselineMilliseconds.median
        self.promised = promised
    }
}
