// SPDX-License-Identifier: Apache-2.0

import JSONText
import TestSupport
import Testing
import kitshell

/// The figures of a run's pool, and of how warm players were, in each form of a report.
@Suite struct PoolFiguresTests {
    private static func times(_ count: Int64, _ milliseconds: Double) -> JSONValue {
        [
            "count": .int(count), "sum": .double(Double(count) * milliseconds), "mean": .double(milliseconds),
            "min": .double(milliseconds), "max": .double(milliseconds), "p50": .double(milliseconds),
            "p99": .double(milliseconds + 1), "histogram": [[.double(milliseconds), .int(count)]],
        ]
    }

    private static func report(waited: Int64 = 3) -> JSONValue {
        [
            "first_frames": [
                "cold": ["count": 2, "median_ms": 31.5], "warm": ["count": 0, "median_ms": nil],
                "pre_rendered": ["count": 4, "median_ms": 0.3],
            ],
            "pool": [
                "strategy": "id-scoped-pool", "created": 3, "acquire_ms": times(6, 1.5),
                "wait_ms": waited > 0 ? times(waited, 40) : nil,
            ],
        ]
    }

    @Test("Text has the times to the first picture side by side, by how warm the player was")
    func firstFramesAsText() {
        let text = TextReport.render(PoolFiguresTests.report(), isColored: false)
        #expect(text.contains(" click to frame  cold 31.5 ms (2)  pre-rendered 0.3 ms (4)\n"), "\(text)")
        // One kind by itself is in its sessions.
        let one: JSONValue = ["first_frames": ["cold": ["count": 2, "median_ms": 31.5]]]
        #expect(!TextReport.render(one, isColored: false).contains("click to frame"))
    }

    @Test("A page has the times to a player, those of waiting apart")
    func poolTimesAsPage() {
        let text = HTMLPage.checked(PoolFiguresTests.report()).text
        #expect(text.contains("time to a player: p50 1.5 ms, p99 2.5 ms (6)"), "\(text)")
        #expect(text.contains("time to a player, with the wait for room: p50 40.0 ms, p99 41.0 ms (3)"))
        #expect(!HTMLPage.checked(PoolFiguresTests.report(waited: 0)).text.contains("with the wait for room"))
    }

    @Test("Metrics have the times to a player as histograms in seconds")
    func poolTimesAsMetrics() {
        var checker = OpenMetricsChecker()
        #expect(checker.check(MetricsReport.render(PoolFiguresTests.report())) == [])
        for (waited, count, sum) in [("false", 6.0, 0.009), ("true", 3, 0.12)] {
            let labels = ["strategy": "id-scoped-pool", "waited": waited]
            #expect(checker.value("kitshell_pool_acquire_seconds_count", labels) == count)
            #expect(checker.value("kitshell_pool_acquire_seconds_sum", labels) == sum)
            #expect(
                checker.value("kitshell_pool_acquire_seconds_bucket", labels.merging(["le": "+Inf"]) { $1 }) == count)
        }
        let bucket = ["strategy": "id-scoped-pool", "waited": "true", "le": "0.01"]
        #expect(checker.value("kitshell_pool_acquire_seconds_bucket", bucket) == 0)
        var none = OpenMetricsChecker()
        #expect(none.check(MetricsReport.render(PoolFiguresTests.report(waited: 0))) == [])
        #expect(
            none.value("kitshell_pool_acquire_seconds_count", ["strategy": "id-scoped-pool", "waited": "true"]) == nil)
    }
}
