// SPDX-License-Identifier: Apache-2.0

/// The samples of one figure in one session: an aggregate, which merges with those of others, and how much they vary.
public struct Distribution: Hashable, Sendable {
    public private(set) var samples = MetricAggregate()
    // Of Welford's method, for the variance: exact sums of squares would not fit.
    private var mean = 0.0
    private var squares = 0.0

    public init() {}

    /// - Parameter count: so many samples have this value.
    package mutating func add(_ value: Int64, count: Int64 = 1) {
        let known = samples.count
        samples.add(value, count: count)
        guard samples.count > known else { return }
        let distance = Double(value) - mean
        mean += distance * Double(count) / Double(samples.count)
        squares += distance * (Double(value) - mean) * Double(count)
    }

    /// That of a sample, in squares of the samples' unit; nil for fewer than two.
    public var variance: Double? { samples.count > 1 ? squares / Double(samples.count - 1) : nil }
}
