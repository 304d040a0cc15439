// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import PlayerKit

extension MetricsReport {
    /// What one value of the label `strategy` has: rows of one name on several controllers are one.
    private struct Strategy {
        var isRunning = true
        var calls: Int64 = 0
        var delivered: Int64 = 0
        var dropped: Int64 = 0
        var defaults: Int64 = 0
        var cut: Int64 = 0
        var faults: [String: Int64] = [:]

        mutating func add(_ row: JSONValue) {
            let number = { (key: String) in row[key]?.int ?? 0 }
            isRunning = isRunning && row["health"]?.string == "running"
            calls += number("calls")
            delivered += number("events_delivered")
            dropped += number("events_dropped")
            defaults += number("defaults_used")
            cut += number("reports_cut")
            for fault in row["faults"]?.array ?? [] { faults[fault["kind"]?.string ?? "fault", default: 0] += 1 }
        }
    }

    static func writeStrategies(_ rows: [JSONValue], _ metrics: inout OpenMetrics) {
        var labels = BoundedLabels()
        var order: [String] = []
        var strategies: [String: Strategy] = [:]
        for row in rows {
            let label = labels.label(row["name"]?.string ?? TextFormat.unknown)
            if strategies[label] == nil { order.append(label) }
            strategies[label, default: Strategy()].add(row)
        }
        let known = order.compactMap { label in strategies[label].map { (label, $0) } }
        metrics.family(
            "kitshell_strategy_running", .gauge, help: "1 if the strategy runs, 0 if it was refused or failed."
        ) {
            for (label, strategy) in known { $0.add(strategy.isRunning ? "1" : "0", [("strategy", label)]) }
        }
        metrics.family("kitshell_strategy_faults", .counter, help: "What strategies did wrong, by kind.") {
            for (label, strategy) in known {
                for (kind, count) in strategy.faults.sorted(by: { $0.key < $1.key }) {
                    $0.add("\(count)", suffix: "_total", [("strategy", label), ("kind", kind)])
                }
            }
        }
        let counters: [(String, String, KeyPath<Strategy, Int64>)] = [
            ("calls", "Calls of a strategy.", \.calls), ("events_delivered", "Events it was given.", \.delivered),
            ("events_dropped", "Events that it did not get.", \.dropped),
            ("defaults_used", "Decisions that the host took in its place.", \.defaults),
            ("reports_cut", "Reports of it that were refused or not kept.", \.cut),
        ]
        for (name, help, path) in counters {
            metrics.family("kitshell_strategy_\(name)", .counter, help: help) {
                for (label, strategy) in known {
                    $0.add("\(strategy[keyPath: path])", suffix: "_total", [("strategy", label)])
                }
            }
        }
    }

    static func writePool(_ pool: JSONValue, _ metrics: inout OpenMetrics) {
        guard !pool.isNull else { return }
        var labels = BoundedLabels()
        let strategy = [("strategy", labels.label(pool["strategy"]?.string ?? TextFormat.unknown))]
        metrics.family("kitshell_pool_players", .counter, help: "Players of the pool, by what was done with them.") {
            for key in ["created", "reused", "hits", "evicted", "destroyed"] {
                $0.add(pool[key]?.int.map { "\($0)" }, suffix: "_total", strategy + [("action", key)])
            }
        }
        metrics.family("kitshell_pool_size", .gauge, help: "Players that exist, by how they are held.") {
            for key in ["idle", "active", "unbound"] {
                $0.add(pool[key]?.int.map { "\($0)" }, strategy + [("state", key)])
            }
        }
        metrics.family(
            "kitshell_pool_acquire", .histogram, unit: "seconds",
            help: "From asking for a player to having it, by whether it was waited for."
        ) {
            for (key, isWait) in [("acquire_ms", "false"), ("wait_ms", "true")] {
                let times = MetricAggregate(pool[key] ?? nil, .milliseconds)
                $0.add(microseconds: times, strategy + [("waited", isWait)])
            }
        }
        metrics.family("kitshell_pool_rejected", .counter, help: "Operations that the pool rejected, by reason.") {
            for member in pool["rejected"]?.object?.members ?? [] {
                let reason = labels.label(member.key)
                $0.add(member.value.int.map { "\($0)" }, suffix: "_total", strategy + [("reason", reason)])
            }
        }
    }
}
