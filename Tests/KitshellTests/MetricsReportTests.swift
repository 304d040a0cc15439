// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing
import kitshell

@Suite struct MetricsReportTests {
    private func checked(_ report: JSONValue) -> OpenMetricsChecker {
        var checker = OpenMetricsChecker()
        #expect(checker.check(MetricsReport.render(report)) == [])
        return checker
    }

    private static let names = [
        "clean", "failing-plugin", "refused-plugin", "failing-source", "two-sessions", "thirty-sessions", "audio-only",
        "interrupted",
    ]

    @Test(arguments: names)
    func aReportIsValid(name: String) throws {
        _ = checked(try Fixture.report(name))
    }

    private static let python = CommandLineTool("/usr/bin/python3")
    private static let isReaderInstalled =
        python.isInstalled && (try? python.run(["-c", "import prometheus_client"]).status) == 0

    @Test(
        .enabled(
            if: isReaderInstalled, "needs the client library of Prometheus for Python (scripts/setup.sh --tests)"))
    func theReaderOfPrometheusReadsEveryReport() throws {
        let directory = try TemporaryDirectory()
        let reports = try MetricsReportTests.names.map(Fixture.report) + MetricsReportTests.odd
        let paths = try reports.enumerated().map { index, report in
            try directory.write(Array(MetricsReport.render(report).utf8), to: "\(index).txt")
        }
        let script = """
            import sys
            from prometheus_client.openmetrics.parser import text_string_to_metric_families
            for path in sys.argv[1:]:
                list(text_string_to_metric_families(open(path, encoding="utf-8", newline="").read()))
            print("read", len(sys.argv) - 1)
            """
        let outcome = try MetricsReportTests.python.run(["-c", script] + paths)
        #expect(outcome.status == 0 && outcome.output == "read \(paths.count)\n", "\(outcome.output)")
    }

    @Test func figuresAreInBaseUnits() throws {
        let metrics = checked(try Fixture.report("clean"))
        let source = ["source": "demo.mp4"]
        #expect(metrics.value("kitshell_sessions_total", ["source": "demo.mp4", "outcome": "complete"]) == 1)
        #expect(metrics.value("kitshell_first_frame_seconds_sum", source) == 0.0063)
        #expect(metrics.value("kitshell_first_frame_seconds_bucket", ["source": "demo.mp4", "le": "0.005"]) == 0)
        #expect(metrics.value("kitshell_first_frame_seconds_bucket", ["source": "demo.mp4", "le": "0.01"]) == 1)
        #expect(metrics.value("kitshell_watched_seconds_total", source) == 5.012)
        #expect(metrics.value("kitshell_state_seconds_total", ["source": "demo.mp4", "state": "playing"]) == 5.0057)
        #expect(metrics.value("kitshell_stall_ratio", source) == 0)
        #expect(metrics.value("kitshell_frames_total", ["source": "demo.mp4", "result": "presented"]) == 125)
        #expect(metrics.value("kitshell_strategy_running", ["strategy": "first-frame"]) == 1)
        #expect(metrics.value("kitshell_pool_players_total", ["strategy": "reuse-pool", "action": "created"]) == 1)
        #expect(
            metrics.value("kitshell_build_info", ["version": "0.1.0", "abi": "1.0", "libavformat": "59.27.100"]) == 1)
    }

    @Test func samplesAreHistograms() {
        let distribution: JSONValue = [
            "count": 3, "sum": 4.5, "min": 1, "max": 2, "histogram": [[1.0, 1], [1.5, 1], [2.0, 1]],
        ]
        let metrics = checked([
            "sessions": [
                [
                    "source": "a", "frames": ["fps": distribution, "av_offset_ms": distribution],
                    "loop_gap_ms": [3, 40],
                    "bytes": [
                        "by_purpose": ["probe": 5, "wasted_preload": 7],
                        "throughput_bps": [
                            "count": 2, "sum": 3_500_000, "min": 500_000, "max": 3_000_000,
                            "histogram": [[500_000.0, 1], [3_000_000.0, 1]],
                        ],
                    ],
                ], ["source": "a", "frames": ["fps": nil]],
            ]
        ])
        #expect(metrics.value("kitshell_frame_rate_count", ["source": "a"]) == 3)
        #expect(metrics.value("kitshell_frame_rate_sum", ["source": "a"]) == 4.5)
        #expect(metrics.value("kitshell_frame_rate_bucket", ["source": "a", "le": "1.0"]) == 1)
        #expect(metrics.value("kitshell_av_offset_seconds_sum", ["source": "a"]) == 0.0045)
        #expect(metrics.value("kitshell_loop_gap_seconds_count", ["source": "a"]) == 2)
        #expect(metrics.value("kitshell_throughput_megabits_per_second_sum", ["source": "a"]) == 3.5)
        #expect(metrics.value("kitshell_throughput_megabits_per_second_bucket", ["source": "a", "le": "0.5"]) == 1)
        #expect(
            metrics.value("kitshell_read_by_purpose_bytes_total", ["source": "a", "purpose": "wasted_preload"]) == 7)
    }

    @Test func whatIsUnknownIsLeftOut() {
        let metrics = checked([
            "sessions": [
                ["source": "a", "outcome": "ebvs", "frames": ["presented": nil], "first_frame": ["total_ms": nil]]
            ]
        ])
        #expect(metrics.samples.map(\.name) == ["kitshell_sessions_total"])
    }

    @Test func sessionsOfOneSourceAreSummedUp() {
        let session: JSONValue = ["source": "http://h/a.mp4?token=1", "outcome": "complete", "stalls": ["count": 2]]
        let metrics = checked(["sessions": [session, session, ["source": "/x/a.mp4", "stalls": ["count": 1]]]])
        #expect(metrics.value("kitshell_stalls_total", ["source": "a.mp4"]) == 5)
    }

    @Test(arguments: [
        ("https://user:secret@cdn.example.com/v/ep1.m3u8?auth_key=123#t=5", "ep1.m3u8"), ("/movies/a b.mkv", "a b.mkv"),
        ("https://user:secret@example.com", "example.com"), ("https://example.com/?token=secret", "example.com"),
        ("udp://239.0.0.1:1234", "239.0.0.1:1234"), ("a\"b\\c\nx", "a\\\"b\\\\c\u{FFFD}x"), ("", "unknown"),
        (String(repeating: "長", count: 100), String(repeating: "長", count: 21)),
    ])
    func aSourceIsNamedShortAndWithoutSecrets(source: String, label: String) {
        let metrics = checked(["sessions": [["source": .string(source), "outcome": "complete"]]])
        #expect(metrics.samples.first?.labels["source"] == label)
    }

    @Test func ofVeryManyNamesTheLastOnesAreOther() {
        let sessions = (0..<200).map { JSONValue.object(["source": .string("\($0).mp4"), "outcome": "complete"]) }
        let strategies = (0..<200).map {
            JSONValue.object(["name": .string("s\($0)"), "health": "running", "calls": 2])
        }
        let metrics = checked(["sessions": .array(sessions), "strategies": .array(strategies)])
        #expect(Set(metrics.samples.compactMap { $0.labels["source"] }).count == 51)
        #expect(metrics.value("kitshell_sessions_total", ["source": "other", "outcome": "complete"]) == 150)
        #expect(metrics.value("kitshell_strategy_calls_total", ["strategy": "other"]) == 300)
    }

    private static let odd: [JSONValue] = [
        nil, 7, ["sessions": 3], ["sessions": [nil, 1, ["outcome": "x\"\n"]]],
        ["sessions": [["source": "a", "elapsed_ms": 1e300, "watched_ms": -5, "errors": [["code": "x"]]]]],
        ["sessions": [["source": "a\\\"b", "outcome": "complete", "first_frame": ["total_ms": 0.001]]]],
        ["strategies": ["x", [:], ["name": "\u{1B}\n\"", "faults": [["kind": "crash"], 5]]]],
        ["pool": ["strategy": "x", "rejected": ["a\n": 1], "created": "y"]], ["host": ["version": "1\n\""]],
    ]

    @Test func strangeReportsAreValidAllTheSame() {
        for value in MetricsReportTests.odd { _ = checked(value) }
    }

    @Test(arguments: [
        "", "# EOF", "a 1\n# EOF\n", "# TYPE a gauge\n# HELP a x\na 1\n", "# TYPE a gauge\n# HELP a x\na 1\n# EOF\n\n",
        "# TYPE a gauge\n# HELP a x\na{b=\"c} 1\n# EOF\n", "# TYPE a gauge\n# HELP a x\na{b=\"1\",b=\"2\"} 1\n# EOF\n",
        "# TYPE a gauge\n# HELP a x\na one\n# EOF\n", "# TYPE a gauge\n# HELP a x\na 1\na 2\n# EOF\n",
        "# TYPE a counter\n# HELP a x\na 1\n# EOF\n", "# TYPE a counter\n# HELP a x\na_total -1\n# EOF\n",
        "# TYPE a gauge\n# UNIT a seconds\n# HELP a x\na 1\n# EOF\n", "# TYPE a gauge\na 1\n# EOF\n",
        "# TYPE a histogram\n# HELP a x\na_bucket{le=\"+Inf\"} 1\na_count 2\na_sum 1\n# EOF\n",
        "# TYPE a histogram\n# HELP a x\na_bucket{le=\"1.0\"} 1\na_count 1\na_sum 1\n# EOF\n",
        "# TYPE a histogram\n# HELP a x\na_bucket{le=\"1.0\"} 2\na_bucket{le=\"+Inf\"} 1\na_count 1\na_sum 1\n# EOF\n",
        "# TYPE a gauge\n# HELP a x\na 1\n# TYPE b gauge\n# HELP b x\nb 1\n# TYPE a gauge\n# HELP a x\na 2\n# EOF\n",
    ])
    func theCheckerSeesWhatIsWrong(text: String) {
        var checker = OpenMetricsChecker()
        #expect(checker.check(text) != [])
    }
}
