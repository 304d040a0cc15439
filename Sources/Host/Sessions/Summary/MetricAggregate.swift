// SPDX-License-Identifier: Apache-2.0

/// The values of one metric over many sessions: how many, how many unknown, sum, extremes, and a histogram with exact counts.
///
/// All arithmetic is on integers, so merging is associative and any order gives the same bytes.
///
/// Values of a histogram's bucket are the same once rounded up to three significant digits: percentiles read from it are never
/// below the true ones and less than 1 % above them.
public struct MetricAggregate: Hashable, Sendable {
    /// Percentiles are at most this much above the true ones, as a part of them.
    public static let relativeError = 0.01
    /// Values above this, or below 0, are not known.
    public static let largest: Int64 = 1 << 60

    /// Values that are known.
    public private(set) var count: Int64 = 0
    public private(set) var nulls: Int64 = 0
    /// Stays at the largest 64-bit number once it would pass it.
    public private(set) var sum: Int64 = 0
    public private(set) var min: Int64?
    public private(set) var max: Int64?
    private var counts: [Int64: Int64] = [:]

    public init() {}

    /// What others have counted.
    ///
    /// - Parameter buckets: pairs of an upper bound, as `histogram` has it, and a count above 0.
    init(sum: Int64, min: Int64, max: Int64, buckets: [(bound: Int64, count: Int64)]) {
        self.sum = sum
        self.min = min
        self.max = max
        for bucket in buckets {
            count = MetricAggregate.saturating(count, bucket.count)
            counts[MetricAggregate.upperBound(of: bucket.bound), default: 0] += bucket.count
        }
    }

    /// - Parameters:
    ///   - value: nil for one that is not known.
    ///   - count: how many have this value, at least 1.
    public mutating func add(_ value: Int64?, count: Int64 = 1) {
        guard let value, value >= 0, value <= MetricAggregate.largest else {
            nulls += count
            return
        }
        self.count += count
        let (product, overflows) = value.multipliedReportingOverflow(by: count)
        sum = MetricAggregate.saturating(sum, overflows ? .max : product)
        min = Swift.min(min ?? value, value)
        max = Swift.max(max ?? value, value)
        counts[MetricAggregate.upperBound(of: value), default: 0] += count
    }

    public mutating func merge(_ other: MetricAggregate) {
        count += other.count
        nulls += other.nulls
        sum = MetricAggregate.saturating(sum, other.sum)
        if let least = other.min { min = Swift.min(min ?? least, least) }
        if let most = other.max { max = Swift.max(max ?? most, most) }
        counts.merge(other.counts) { $0 + $1 }
    }

    /// The buckets that have values: a bound that is in the bucket, and the number of values up to it from the next lower bound on.
    public var histogram: [(upperBound: Int64, count: Int64)] {
        counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// nil without values.
    public var mean: Double? { count > 0 ? Double(sum) / Double(count) : nil }

    /// The least value that so many thousandths of all are not above, as exact as buckets are; nil without values.
    ///
    /// - Parameters:
    ///   - thousandths: 1 to 1,000.
    ///   - nullsAreAbove: values that are not known count as above all others; where the percentile is among them it is nil.
    public func percentile(thousandths: Int64, nullsAreAbove: Bool = false) -> Int64? {
        guard count > 0, let max else { return nil }
        let all = nullsAreAbove ? count + nulls : count
        let rank = Swift.max(1, (all * thousandths + 999) / 1000)
        guard rank <= count else { return nil }
        var passed: Int64 = 0
        for bucket in histogram {
            passed += bucket.count
            if passed >= rank { return Swift.min(bucket.upperBound, max) }
        }
        return max
    }

    /// How many values are at most `bound`; exact if the bound has at most three significant digits.
    public func count(atMost bound: Int64) -> Int64 {
        counts.reduce(0) { $0 + ($1.key <= bound ? $1.value : 0) }
    }

    /// The value rounded up to three significant digits.
    private static func upperBound(of value: Int64) -> Int64 {
        var unit: Int64 = 1
        while value / unit >= 1000 { unit *= 10 }
        return (value + unit - 1) / unit * unit
    }

    private static func saturating(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, overflows) = left.addingReportingOverflow(right)
        return overflows ? .max : sum
    }
}
