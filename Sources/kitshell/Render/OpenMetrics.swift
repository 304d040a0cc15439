// SPDX-License-Identifier: Apache-2.0

internal import PlayerKit

/// Builds a text in the exposition format of OpenMetrics 1.0: families, each with its type, unit, help and samples.
///
/// Names and units are the caller's to get right; values and labels may come from anywhere.
struct OpenMetrics {
    enum FamilyType: String {
        case counter
        case gauge
        case histogram
        case info
    }

    typealias Labels = [(name: String, value: String)]

    private var lines: [String] = []

    /// Begins a family. Its samples must follow before the next one begins; a family without samples is left out.
    ///
    /// - Parameters:
    ///   - name: without the suffixes of samples; ends with the unit if there is one.
    ///   - write: adds the samples.
    mutating func family(
        _ name: String, _ type: FamilyType, unit: String? = nil, help: String, _ write: (inout Family) -> Void
    ) {
        var family = Family(name: unit.map { "\(name)_\($0)" } ?? name)
        write(&family)
        guard !family.samples.isEmpty else { return }
        lines.append("# TYPE \(family.name) \(type.rawValue)")
        if let unit { lines.append("# UNIT \(family.name) \(unit)") }
        lines.append("# HELP \(family.name) \(OpenMetrics.escaped(help))")
        lines += family.samples
    }

    /// The whole text.
    var text: String { (lines + ["# EOF"]).map { $0 + "\n" }.joined() }

    /// The samples of a family.
    struct Family {
        fileprivate let name: String
        fileprivate var samples: [String] = []

        fileprivate init(name: String) {
            self.name = name
        }

        /// Adds a sample; nothing if the value is not known.
        mutating func add(_ value: String?, suffix: String = "", _ labels: Labels = []) {
            guard let value else { return }
            let list = labels.map { "\($0.name)=\"\(OpenMetrics.escaped($0.value))\"" }.joined(separator: ",")
            samples.append("\(name)\(suffix)\(list.isEmpty ? "" : "{\(list)}") \(value)")
        }

        /// Adds the buckets, sum and count of one histogram.
        ///
        /// - Parameters:
        ///   - bounds: ascending, each with its text and how many values are at most it.
        mutating func add(
            buckets: [(bound: String, count: Int64)], count: Int64, sum: String, _ labels: Labels = []
        ) {
            for bucket in buckets { add("\(bucket.count)", suffix: "_bucket", labels + [("le", bucket.bound)]) }
            add("\(count)", suffix: "_bucket", labels + [("le", "+Inf")])
            add("\(count)", suffix: "_count", labels)
            add(sum, suffix: "_sum", labels)
        }

        /// Adds a histogram of durations; nothing without values.
        mutating func add(microseconds values: MetricAggregate, _ labels: Labels = []) {
            guard values.count > 0 else { return }
            add(
                buckets: MetricsReport.bounds.map { (OpenMetrics.millionths($0), values.count(atMost: $0)) },
                count: values.count, sum: OpenMetrics.millionths(values.sum), labels)
        }
    }

    /// A number of millionths, as microseconds are of seconds, exactly.
    static func millionths(_ number: Int64) -> String {
        let (whole, rest) = number.quotientAndRemainder(dividingBy: 1_000_000)
        var digits = String(rest + 1_000_000).dropFirst()
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\"", with: "\\\"")
    }
}
