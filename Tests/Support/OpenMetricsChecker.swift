// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Holds a text to the exposition format of OpenMetrics 1.0: its grammar, and the rules of each type of family.
///
/// Knows the types counter, gauge, histogram and info, and reports any other.
package struct OpenMetricsChecker {
    /// A sample line, taken apart.
    package struct Sample {
        package var name: String
        package var labels: [String: String]
        package var value: Double
    }

    private struct Family {
        var name: String
        var type: String?
        var unit: String?
        var help: String?
        var samples: [Sample] = []
    }

    package private(set) var samples: [Sample] = []
    private var wrong: [String] = []
    private var family: Family?
    private var closed: Set<String> = []

    package init() {}

    /// What is wrong with a text, empty if nothing.
    package mutating func check(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.popLast() != "" { wrong.append("the text does not end with a line feed") }
        if lines.popLast() != "# EOF" { wrong.append("the last line is not # EOF") }
        for line in lines { check(line: String(line)) }
        close()
        return wrong
    }

    /// The value of the sample with these labels.
    package func value(_ name: String, _ labels: [String: String]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    private mutating func check(line: String) {
        if line.hasPrefix("#") {
            guard let match = line.wholeMatch(of: /# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)/) else {
                return wrong.append("no descriptor: \(line)")
            }
            return describe(String(match.1), String(match.2), String(match.3), line)
        }
        guard let sample = sample(of: line) else { return wrong.append("no sample: \(line)") }
        guard let name = family?.name, sample.name.hasPrefix(name) else {
            return wrong.append("outside of its family: \(line)")
        }
        if family?.samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) == true {
            wrong.append("twice: \(line)")
        }
        family?.samples.append(sample)
        samples.append(sample)
    }

    private mutating func describe(_ what: String, _ name: String, _ text: String, _ line: String) {
        if family?.name != name {
            close()
            if closed.contains(name) { wrong.append("a family comes back: \(line)") }
            family = Family(name: name)
        }
        if family?.samples.isEmpty == false { wrong.append("a descriptor after samples: \(line)") }
        switch what {
        case "TYPE" where family?.type == nil: family?.type = text
        case "UNIT" where family?.unit == nil: family?.unit = text
        case "HELP" where family?.help == nil:
            family?.help = text
            if text.replacing("\\\\", with: "").replacing("\\n", with: "").replacing("\\\"", with: "").contains("\\") {
                wrong.append("a bad escape: \(line)")
            }
        default: wrong.append("a descriptor twice: \(line)")
        }
    }

    /// `name{label="value",…} number`
    private func sample(of line: String) -> Sample? {
        let number = #/[+-]?(?:Inf|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|NaN/#
        guard let head = line.prefixMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) else { return nil }
        var rest = line[head.range.upperBound...]
        var labels: [String: String] = [:]
        if rest.hasPrefix("{") {
            rest = rest.dropFirst()
            while !rest.hasPrefix("}") {
                guard let label = rest.prefixMatch(of: #/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/#) else {
                    return nil
                }
                guard labels.updateValue(String(label.2), forKey: String(label.1)) == nil else { return nil }
                rest = rest[label.range.upperBound...]
                if rest.hasPrefix(",") { rest = rest.dropFirst() } else if !rest.hasPrefix("}") { return nil }
            }
            rest = rest.dropFirst()
        }
        guard rest.hasPrefix(" "), let match = rest.dropFirst().wholeMatch(of: number) else { return nil }
        let text = String(match.output).replacing("Inf", with: "inf")
        return Double(text).map { Sample(name: String(head.output), labels: labels, value: $0) }
    }

    // MARK: Families

    private mutating func close() {
        guard let family else { return }
        self.family = nil
        closed.insert(family.name)
        if family.help == nil { wrong.append("\(family.name) has no help") }
        if family.samples.isEmpty { wrong.append("\(family.name) has no samples") }
        if let unit = family.unit, !family.name.hasSuffix("_\(unit)") {
            wrong.append("\(family.name) does not end with its unit \(unit)")
        }
        let suffixes: [String]
        switch family.type {
        case "gauge": suffixes = [""]
        case "counter": suffixes = ["_total"]
        case "info": suffixes = ["_info"]
        case "histogram":
            suffixes = ["_bucket", "_count", "_sum"]
            checkHistograms(family)
        default: return wrong.append("\(family.name) has type \(family.type ?? "none")")
        }
        for sample in family.samples {
            if !suffixes.contains(where: { sample.name == family.name + $0 }) {
                wrong.append("\(sample.name) is no sample of a \(family.type ?? "")")
            }
            if family.type != "gauge", !(sample.value >= 0) { wrong.append("\(sample.name) is \(sample.value)") }
            if family.type == "info", sample.value != 1 || family.unit != nil { wrong.append("\(sample.name): info") }
        }
    }

    private mutating func checkHistograms(_ family: Family) {
        let groups = Dictionary(grouping: family.samples) { $0.labels.filter { $0.key != "le" } }
        for (labels, samples) in groups {
            let buckets = samples.filter { $0.name.hasSuffix("_bucket") }
            let bounds = buckets.map { $0.labels["le"].flatMap { Double($0.replacing("Inf", with: "inf")) } ?? .nan }
            let counts = buckets.map(\.value)
            let isAscending = zip(bounds, bounds.dropFirst()).allSatisfy(<)
            let isCumulative = zip(counts, counts.dropFirst()).allSatisfy(<=)
            if !isAscending || !isCumulative || bounds.last != .infinity {
                wrong.append("\(family.name) \(labels): buckets \(bounds) \(counts)")
            }
            if samples.count(where: { $0.name.hasSuffix("_count") && $0.value == counts.last }) != 1 {
                wrong.append("\(family.name) \(labels): count")
            }
            if samples.count(where: { $0.name.hasSuffix("_sum") }) != 1 {
                wrong.append("\(family.name) \(labels): sum")
            }
        }
    }
}
