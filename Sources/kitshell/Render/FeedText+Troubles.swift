// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// What went wrong in a feed, in sentences.
extension FeedText {
    static let mostErrors = 3

    /// Strategies that have no run, and why.
    static func failures(_ document: JSONValue) -> [String] {
        (document["failures"]?.array ?? []).map { failure in
            TextFormat.clean(
                "\(failure["strategy"]?.string ?? TextFormat.unknown): \(failure["message"]?.string ?? "")")
        }
    }

    /// What was not as it should be in the runs, a sentence each without a full stop.
    package static func troubles(_ document: JSONValue) -> [String] {
        let runs = document["runs"]?.array ?? []
        return runs.flatMap { run in
            troubles(of: run).map {
                (document["feed"]?["comparison"]?.bool == true ? "\(name(of: run)): " : "") + TextFormat.clean($0)
            }
        }
    }

    private static func troubles(of run: JSONValue) -> [String] {
        let swipes = run["swipes"] ?? nil
        let count = { (key: String) in Int(clamping: swipes[key]?.int ?? 0) }
        var sentences: [String] = []
        if run["interrupted"]?.bool == true {
            sentences.append("interrupted after \(TextFormat.count(count("count"), "swipe"))")
        }
        if let decider = run["pool"]?["strategy"]?.string, decider != run["strategy"]?.string {
            sentences.append("the strategy could not be started; \(decider) decided")
        }
        if count("failed") > 0 {
            sentences.append(
                "\(count("failed")) of \(TextFormat.count(count("count"), "swipe")) failed, in no figure of time")
        }
        if count("no_picture") > 0 {
            sentences.append(
                "\(TextFormat.count(count("no_picture"), "swipe")) led to sound alone, in no figure of time")
        }
        if let lasted = run["lasted_ms"]?.number, let nominal = run["nominal_ms"]?.number,
            lasted > max(1.1 * nominal, nominal + 100)
        {
            sentences.append(
                "it took \(TextFormat.duration(lasted)) in place of \(TextFormat.duration(nominal)), since giving players back and asking for them was slow"
            )
        }
        let (retried, reason) = missedWhileRetried(run)
        if retried > 0 {
            sentences.append(
                "\(TextFormat.count(retried, "swipe")) \(retried == 1 ? "was" : "were") missed while the source was retried"
                    + (reason.map { ": \($0)" } ?? ""))
        }
        var messages: [String] = []
        for error in run["errors"]?.array ?? [] {
            guard let message = error["message"]?.string, message != reason, !messages.contains(message) else {
                continue
            }
            messages.append(message)
        }
        let rest = messages.count - mostErrors
        return sentences + messages.prefix(mostErrors) + (rest > 0 ? ["\(rest) more errors in --report json"] : [])
    }

    /// How many swipes were missed whose source was tried again, and why the first of them was.
    private static func missedWhileRetried(_ run: JSONValue) -> (count: Int, reason: String?) {
        let retried = (run["items"]?.array ?? []).filter { item in
            item["outcome"]?.string == "missed" && item["retries"]?.int ?? 0 > 0 && item["position"]?.int ?? 0 > 0
        }
        return (retried.count, retried.lazy.compactMap { $0["retry_reason"]?.string }.first)
    }
}
