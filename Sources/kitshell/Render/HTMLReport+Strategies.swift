// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension HTMLReport {
    private static let mostStrategies = 200

    static func strategySection(_ strategies: [JSONValue]) -> String {
        guard !strategies.isEmpty else { return "" }
        let rows = strategies.prefix(mostStrategies).map { row -> [String] in
            let health = row["health"]?.string ?? TextFormat.unknown
            let word = isHealthy(row) ? "healthy" : health == "running" ? "has faults" : health
            let title = [row["name"]?.string, row["version"]?.string].compactMap { $0 }.joined(separator: " ")
            let origin = row["origin"]?.string ?? ""
            return [
                HTMLText.element("strong", [], HTMLText.escape(title))
                    + (origin.isEmpty ? "" : HTMLText.element("span", "path", HTMLText.escape(origin))),
                HTMLText.escape((row["kinds"]?.array ?? []).compactMap(\.string).joined(separator: ", ")),
                HTMLText.escape(place(row)), badge(word, isHealthy(row) ? .good : .bad),
                integer(row["events_delivered"]),
                integer(row["events_dropped"]), integer(row["calls"]),
                integer(row["reports_cut"]),
            ]
        }
        let faults = strategies.flatMap { row in
            (row["faults"]?.array ?? []).map { (name: row["name"]?.string ?? TextFormat.unknown, fault: $0) }
        }
        let notes = faults.prefix(50).map { entry in
            let kind = [entry.fault["kind"]?.string, entry.fault["signal"]?.string].compactMap { $0 }.joined(
                separator: ", ")
            return HTMLText.element(
                "div", "error",
                HTMLText.element(
                    "p", [],
                    HTMLText.element("strong", [], HTMLText.escape(entry.name)) + " "
                        + HTMLText.escape(entry.fault["detail"]?.string ?? TextFormat.unknown) + " "
                        + HTMLText.element("code", [], HTMLText.escape(kind))))
        }
        return HTMLText.element(
            "section", "card",
            HTMLText.element("h2", [], "Strategies") + notes.joined()
                + HTMLText.table(
                    caption: "Strategies of the run",
                    [
                        ("Strategy", false), ("Kind", false), ("Runs", false), ("Health", false), ("Events", true),
                        ("Dropped", true), ("Calls", true),
                        ("Reports cut", true),
                    ], rows))
    }

    private static func place(_ row: JSONValue) -> String {
        guard let runs = row["runs"]?.string else { return "–" }
        let sandbox = row["sandbox"]?.string.map { $0 == "none" ? ", no sandbox" : ", \($0) sandbox" } ?? ""
        return runs.replacing("-", with: " ") + sandbox
    }

    static func poolSection(_ pool: JSONValue) -> String {
        guard let strategy = pool["strategy"]?.string else { return "" }
        let times = [("acquire_ms", "time to a player"), ("wait_ms", "time to a player, with the wait for room")]
            .compactMap { key, name in
                pool[key]?["count"]?.int.map { count in
                    "\(name): p50 \(TextFormat.duration(pool[key]?["p50"]?.number)), p99 "
                        + "\(TextFormat.duration(pool[key]?["p99"]?.number)) (\(count))"
                }
            }
        let keys = ["created", "reused", "hits", "evicted", "destroyed", "idle", "active", "unbound"]
        let rejected = (pool["rejected"]?.object?.members ?? []).map {
            "\($0.key.replacing("_", with: " ")) \(integer($0.value))"
        }
        return HTMLText.element(
            "section", "card",
            HTMLText.element("h2", [], "Player pool")
                + HTMLText.element("p", "sub", HTMLText.escape("decided by \(strategy)"))
                + HTMLText.element(
                    "dl", "figures small",
                    keys.map { key in
                        HTMLText.element(
                            "div", "figure",
                            HTMLText.element("dt", [], key) + HTMLText.element("dd", [], integer(pool[key])))
                    }.joined())
                + times.map { HTMLText.element("p", "sub", HTMLText.escape($0)) }.joined()
                + (rejected.isEmpty
                    ? ""
                    : HTMLText.element("p", "sub", HTMLText.escape("rejected: \(rejected.joined(separator: ", "))"))))
    }
}
