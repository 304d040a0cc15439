// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// An aggregate in a document: the shape of a summary's metrics and of a session's distributions.
extension MetricAggregate {
    /// Percentiles that are shown, by their key.
    static let percentiles: [(key: String, thousandths: Int64)] = [
        ("p50", 500), ("p90", 900), ("p95", 950), ("p99", 990),
    ]

    /// - Parameter middle: members that stand between mean and minimum.
    func members(_ kind: SessionField.Kind, _ middle: JSONObject.Member...) -> [JSONObject.Member] {
        let shown = { (value: Int64?) in value.map { kind.shown(Double($0)) } ?? .null }
        var members: [JSONObject.Member] = [
            .init("sum", count > 0 ? shown(sum) : .null), .init("mean", mean.map(kind.shown) ?? .null),
        ]
        members += middle
        members += [.init("min", shown(min)), .init("max", shown(max))]
        members += MetricAggregate.percentiles.map { .init($0.key, shown(percentile(thousandths: $0.thousandths))) }
        members.append(.init("histogram", .array(histogram.map { [shown($0.upperBound), .int($0.count)] })))
        return members
    }

    /// Reads a distribution of a session; one that is not known counts as a value that is not.
    package init(_ value: JSONValue, _ kind: SessionField.Kind) {
        self.init()
        let integer = { (key: String) in kind.integer(value[key]?.number) }
        let buckets = (value["histogram"]?.array ?? []).compactMap { bucket -> (Int64, Int64)? in
            guard let pair = bucket.array, pair.count == 2, let bound = kind.integer(pair[0].number),
                let count = pair[1].int, count > 0
            else { return nil }
            return (bound, count)
        }
        guard let sum = integer("sum"), let min = integer("min"), let max = integer("max"), !buckets.isEmpty else {
            add(nil)
            return
        }
        merge(MetricAggregate(sum: sum, min: min, max: max, buckets: buckets))
    }
}

extension Distribution {
    /// `null` without samples.
    func json(_ kind: SessionField.Kind) -> JSONValue {
        guard samples.count > 0 else { return .null }
        let variance = variance.map { $0 / (kind.scale * kind.scale) }
        return .object(
            JSONObject(
                [.init("count", .int(samples.count))]
                    + samples.members(kind, .init("variance", JSONValue(variance)))))
    }
}
