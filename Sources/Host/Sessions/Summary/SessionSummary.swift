// SPDX-License-Identifier: Apache-2.0

public import JSONText

/// Many sessions in one: how they went, and an aggregate of every measure that the report has. The document `kitshell.summary/1`.
///
/// Merging is associative, and any order of sessions gives the same bytes.
public struct SessionSummary: Hashable, Sendable {
    public static let schema = "kitshell.summary/1"

    public private(set) var sessions: Int64 = 0
    /// Sessions by outcome.
    public private(set) var outcomes: [String: Int64] = [:]
    /// Sessions by end reason; those that have none are not in it.
    public private(set) var endReasons: [String: Int64] = [:]
    /// Errors by code, fatal ones and others; `other` for those whose code is unknown or has not four digits.
    public private(set) var errors: [String: Int64] = [:]
    /// By path in the report. Of a path through a list every element is a value.
    public private(set) var metrics: [String: MetricAggregate] = [:]

    public init() {}

    /// Adds a session as the report shows it (`SessionReport.json`, an element of a document's `sessions`).
    public mutating func add(_ session: JSONValue) {
        sessions += 1
        if let word = session["outcome"]?.string { outcomes[word, default: 0] += 1 }
        if let word = session["end_reason"]?.string { endReasons[word, default: 0] += 1 }
        for error in session["errors"]?.array ?? [] {
            let code = error["code"]?.int.flatMap { 1000...9999 ~= $0 ? String($0) : nil }
            errors[code ?? "other", default: 0] += 1
        }
        for field in SessionField.measured {
            for value in SessionField.values(at: field.path, in: session) ?? [] {
                metrics[field.path, default: MetricAggregate()].add(field.kind.integer(value.number))
            }
        }
        for field in SessionField.distributions {
            for value in SessionField.values(at: field.path, in: session) ?? [] {
                metrics[field.path, default: MetricAggregate()].merge(MetricAggregate(value, field.kind))
            }
        }
    }

    public mutating func merge(_ other: SessionSummary) {
        sessions += other.sessions
        outcomes.merge(other.outcomes) { $0 + $1 }
        endReasons.merge(other.endReasons) { $0 + $1 }
        errors.merge(other.errors) { $0 + $1 }
        metrics.merge(other.metrics) { left, right in
            var merged = left
            merged.merge(right)
            return merged
        }
    }

    public var json: JSONValue {
        [
            "schema": .string(SessionSummary.schema),
            "sessions": .int(sessions),
            "outcomes": JSONValue(counts: outcomes),
            "end_reasons": JSONValue(counts: endReasons),
            "errors": JSONValue(counts: errors),
            "relative_error": .double(MetricAggregate.relativeError),
            "metrics": .object(
                JSONObject(
                    (SessionField.measured + SessionField.distributions).compactMap { field in
                        metrics[field.path].map { .init(field.path, SessionSummary.json($0, field.kind)) }
                    })),
        ]
    }

    private static func json(_ metric: MetricAggregate, _ kind: SessionField.Kind) -> JSONValue {
        .object(
            JSONObject(
                [
                    .init("unit", JSONValue(kind.unit)), .init("count", .int(metric.count)),
                    .init("nulls", .int(metric.nulls)),
                ] + metric.members(kind)))
    }
}

extension SessionField {
    /// The fields whose values are measures.
    static let measured = all.filter { $0.kind.unit != nil }
}

extension SessionField.Kind {
    /// How a summary names the unit; nil for what is no measure.
    public var unit: String? {
        switch self {
        case .milliseconds: "ms"
        case .ratio: "ratio"
        case .perSecond: "per_second"
        case .count: "count"
        case .bytes: "bytes"
        case .bitsPerSecond: "bit_per_second"
        case .number, .flag, .word, .text: nil
        }
    }

    /// How many units of an aggregate's integers one of the report's is: microseconds, millionths.
    var scale: Double {
        switch self {
        case .milliseconds: 1000
        case .ratio, .perSecond: 1_000_000
        default: 1
        }
    }

    func integer(_ value: Double?) -> Int64? {
        value.flatMap { Int64(exactly: ($0 * scale).rounded()) }
    }

    /// An aggregate's number as the report shows it.
    func shown(_ value: Double) -> JSONValue { .double(value / scale) }
}

extension JSONValue {
    fileprivate init(counts: [String: Int64]) {
        self = .object(JSONObject(counts.sorted { $0.key < $1.key }.map { .init($0.key, .int($0.value)) }))
    }
}
