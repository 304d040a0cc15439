// SPDX-License-Identifier: Apache-2.0

import JSONText
import Sessions
import TestSupport
import Testing

@Suite struct SummaryTests {
    /// Values of every size, some of them unknown.
    private func values(_ count: Int, _ random: inout SeededGenerator) -> [Int64?] {
        (0..<count).map { _ in
            switch Int.random(in: 0..<20, using: &random) {
            case 0: nil
            case 1: Int64.random(in: .min...Int64.max, using: &random)
            default: Int64.random(in: 0...(1 << Int64.random(in: 0...40, using: &random)), using: &random)
            }
        }
    }

    private func aggregate(_ values: some Sequence<Int64?>) -> MetricAggregate {
        values.reduce(into: MetricAggregate()) { $0.add($1) }
    }

    @Test(arguments: UInt64(1)...20) func anyTreeOfMergesGivesTheSame(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let values = values(500, &random)
        var parts = values.map { aggregate([$0]) }
        while parts.count > 1 {
            var merged = parts.remove(at: Int.random(in: 0..<parts.count, using: &random))
            merged.merge(parts.remove(at: Int.random(in: 0..<parts.count, using: &random)))
            parts.append(merged)
        }
        #expect(parts[0] == aggregate(values))
    }

    @Test func whereUnknownValuesCountAsAboveAllOthersAPercentileAmongThemIsUnknown() {
        let aggregate = aggregate([10, nil, 30, 20])
        let percentiles = [1, 250, 500, 750, 751, 1000].map {
            aggregate.percentile(thousandths: $0, nullsAreAbove: true)
        }
        #expect(percentiles == [10, 10, 20, 30, nil, nil])
        #expect(self.aggregate([nil]).percentile(thousandths: 1, nullsAreAbove: true) == nil)
    }

    @Test(arguments: UInt64(1)...20) func percentilesAreAtMostOnePercentTooHigh(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let values = values(300, &random)
        let known = values.compactMap(\.self).filter { 0...MetricAggregate.largest ~= $0 }.sorted()
        let aggregate = aggregate(values)
        #expect(aggregate.count == Int64(known.count) && aggregate.nulls == Int64(values.count - known.count))
        #expect(aggregate.min == known.first && aggregate.max == known.last)
        for thousandths: Int64 in [1, 10, 500, 900, 950, 990, 999, 1000] {
            let rank = max(1, (known.count * Int(thousandths) + 999) / 1000)
            let truth = known[rank - 1]
            let told = try #require(aggregate.percentile(thousandths: thousandths))
            #expect(told >= truth)
            #expect(Double(told - truth) <= Double(truth) * MetricAggregate.relativeError)
        }
        #expect(aggregate.histogram.reduce(0) { $0 + $1.count } == aggregate.count)
    }

    @Test(
        arguments: [
            (0, 0), (1, 1), (999, 999), (1000, 1000), (1001, 1010), (1010, 1010), (9991, 10_000), (10_001, 10_100),
            (123_456_789, 124_000_000), (MetricAggregate.largest, 1_160_000_000_000_000_000),
        ] as [(Int64, Int64)])
    func aBucketHoldsWhatRoundsUpToItsBound(value: Int64, bound: Int64) {
        let aggregate = aggregate([value])
        #expect(aggregate.histogram.map(\.upperBound) == [bound])
        #expect(aggregate.percentile(thousandths: 500) == value)
        #expect(aggregate.count(atMost: bound) == 1 && aggregate.count(atMost: bound - 1) == 0)
    }

    @Test func aSumThatIsTooLargeStaysAtTheLargestNumber() {
        let aggregate = aggregate(Array(repeating: MetricAggregate.largest, count: 20))
        #expect(aggregate.sum == .max)
        #expect(aggregate.count == 20)
    }

    @Test func withoutValuesNothingIsKnown() {
        let aggregate = aggregate([nil, nil])
        #expect(aggregate.nulls == 2)
        #expect(aggregate.mean == nil && aggregate.percentile(thousandths: 500) == nil && aggregate.min == nil)
    }

    private func sessions(seed: UInt64) -> [JSONValue] {
        var source = RandomEvents(seed: seed)
        return Replay(source.sequence(of: 2000)).records.map {
            SessionReport(record: $0, reports: ReportCollector(), builtIns: [.stutter]).json
        }
    }

    @Test(arguments: UInt64(1)...4) func summariesOfPartsMergeToTheBytesOfTheWhole(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let sessions = sessions(seed: seed)
        let whole = sessions.reduce(into: SessionSummary()) { $0.add($1) }
        var parts = (0..<5).map { _ in SessionSummary() }
        for session in sessions.shuffled(using: &random) { parts[Int.random(in: 0..<5, using: &random)].add(session) }
        parts.shuffle(using: &random)
        let merged = parts.reduce(into: SessionSummary()) { $0.merge($1) }
        #expect(merged == whole)
        #expect(JSONWriter.text(merged.json) == JSONWriter.text(whole.json))
        #expect(whole.sessions == Int64(sessions.count))
        #expect(whole.outcomes.values.reduce(0, +) == whole.sessions)
    }

    @Test func aSummaryFitsItsSchema() throws {
        var checker = try SchemaChecker("summary.schema.json")
        let summary = (sessions(seed: 1) + (try ReportTests.fullReport().json["sessions"]?.array ?? []))
            .reduce(into: SessionSummary()) { $0.add($1) }
        #expect(checker.check(summary.json) == [])
        #expect(checker.check(SessionSummary().json) == [])
        #expect(checker.named.subtracting(checker.met) == [])
    }

    @Test func unknownValuesAreLeftOutAndCounted() throws {
        var summary = SessionSummary()
        summary.add([
            "first_frame": ["total_ms": 6.3], "outcome": "complete", "errors": [["code": 2005], ["code": nil]],
        ])
        summary.add(["first_frame": ["total_ms": nil], "outcome": "vsf"])
        summary.add(["first_frame": nil, "stalls": ["list": [["duration_ms": 1], ["duration_ms": 3]]]])
        let total = try #require(summary.json["metrics"]?["first_frame.total_ms"])
        #expect(total["count"] == 1 && total["nulls"] == 2)
        #expect(total["sum"]?.number == 6.3 && total["p50"]?.number == 6.3)
        let stalls = try #require(summary.metrics["stalls.list.duration_ms"])
        #expect(stalls.count == 2 && stalls.nulls == 0 && stalls.sum == 4000)
        #expect(summary.errors == ["2005": 1, "other": 1])
    }
}
