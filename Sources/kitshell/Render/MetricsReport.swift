// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import PlayerKit

/// The report as OpenMetrics text: sessions summed up by source, strategies, the pool. What is not known is left out, never 0.
package struct MetricsReport {
    /// Sessions of one value of the label `source`.
    private struct Source {
        var label: String
        var summary = SessionSummary()
    }

    private var labels = BoundedLabels()
    private var sources: [Source] = []
    private var strategies: [JSONValue] = []
    private var host: JSONValue = nil
    private var pool: JSONValue = nil
    /// From click to frame in microseconds, by how warm the player was.
    private var instances: [String: MetricAggregate] = [:]

    package init() {}

    /// The text of one report.
    ///
    /// - Parameter report: schema `kitshell.report/1`.
    package static func render(_ report: JSONValue) -> String {
        var metrics = MetricsReport()
        metrics.add(report)
        return metrics.text
    }

    /// Adds the sessions and strategies of a report; its pool takes the place of a former one.
    package mutating func add(_ report: JSONValue) {
        for session in report["sessions"]?.array ?? [] {
            let label = labels.label(source: session["source"]?.string)
            let index = sources.firstIndex { $0.label == label } ?? sources.count
            if index == sources.count { sources.append(Source(label: label)) }
            sources[index].summary.add(session)
            if let instance = session["instance"]?.string, let time = session["click_to_frame_ms"]?.number {
                instances[labels.label(instance), default: MetricAggregate()].add(
                    Int64(exactly: (time * 1000).rounded()))
            }
        }
        strategies += report["strategies"]?.array ?? []
        host = report["host"] ?? nil
        pool = report["pool"] ?? nil
    }

    package var text: String {
        var metrics = OpenMetrics()
        writeHost(&metrics)
        writeSessions(&metrics)
        writeHistograms(&metrics)
        metrics.family(
            "kitshell_instance_click_to_frame", .histogram, unit: "seconds",
            help: "From the intent to play to the first picture, by how warm the player was."
        ) {
            for (instance, times) in instances.sorted(by: { $0.key < $1.key }) {
                $0.add(microseconds: times, [("instance", instance)])
            }
        }
        writeCounters(&metrics)
        MetricsReport.writeStrategies(strategies, &metrics)
        MetricsReport.writePool(pool, &metrics)
        return metrics.text
    }

    // MARK: Sessions

    private func writeHost(_ metrics: inout OpenMetrics) {
        metrics.family("kitshell_build", .info, help: "Versions of what made this.") { family in
            let labels = (host.object?.members ?? []).compactMap { member in
                member.value.string.map { (member.key, TextFormat.clean($0)) }
            }
            family.add(labels.isEmpty ? nil : "1", suffix: "_info", labels)
        }
    }

    private func writeSessions(_ metrics: inout OpenMetrics) {
        metrics.family("kitshell_sessions", .counter, help: "Attempts to play a source, by what became of them.") {
            for source in sources {
                for (outcome, count) in source.summary.outcomes.sorted(by: { $0.key < $1.key }) {
                    $0.add("\(count)", suffix: "_total", [("source", source.label), ("outcome", outcome)])
                }
            }
        }
        metrics.family("kitshell_errors", .counter, help: "Errors of the player, by code.") {
            for source in sources {
                for (code, count) in source.summary.errors.sorted(by: { $0.key < $1.key }) {
                    $0.add("\(count)", suffix: "_total", [("source", source.label), ("code", code)])
                }
            }
        }
        metrics.family("kitshell_stall", .gauge, unit: "ratio", help: "Stalled time over watched time.") {
            for source in sources {
                guard let stalled = source.summary.metrics["stalls.total_ms"]?.sum,
                    let watched = source.summary.metrics["watched_ms"]?.sum, watched > 0
                else { continue }
                $0.add("\(Double(stalled) / Double(watched))", [("source", source.label)])
            }
        }
    }

    /// A family of histograms of what aggregates count in millionths of its unit; bounds are of three significant digits at most, so
    /// that counts are exact.
    private struct Histogram {
        var name: String
        var unit: String?
        var path: String
        var help: String
        var bounds: [Int64]
    }

    private static let samples: [Histogram] = [
        Histogram(
            name: "frame_rate", path: "frames.fps", help: "Pictures presented in each full second of playing.",
            bounds: [0, 1, 5, 10, 15, 20, 23, 24, 25, 29, 30, 48, 50, 59, 60, 120].map { $0 * 1_000_000 }),
        Histogram(
            name: "throughput", unit: "megabits_per_second", path: "bytes.throughput_bps",
            help: "What the network takes while reading waits for it.",
            bounds: [100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 1_000_000].map { $0 * 1000 }),
    ]

    /// Upper bounds of buckets in microseconds.
    static let bounds: [Int64] = [
        5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
        30_000_000,
        60_000_000,
    ]

    private static let durations: [(name: String, path: String, help: String)] = [
        ("prepare", "first_frame.prepare_ms", "From preparing to prepared."),
        ("first_frame", "first_frame.total_ms", "From preparing to the first presented picture."),
        ("effective_first_frame", "first_frame.effective_ms", "The same without the user's wait."),
        ("first_audio", "first_frame.first_audio_ms", "From the request to the first sound."),
        ("join", "join_ms", "From the request to the start of play."),
        ("click_to_frame", "click_to_frame_ms", "From the intent to play to the first picture."),
        ("opened", "ready_latency.opened_ms", "From preparing to an open source."),
        ("stream_info", "ready_latency.stream_info_ms", "From preparing to known tracks."),
        ("first_packet", "ready_latency.first_packet_ms", "From preparing to the first packet."),
        ("first_decoded", "ready_latency.first_decoded_ms", "From preparing to the first decoded frame."),
        ("stall_duration", "stalls.list.duration_ms", "How long each stall was."),
        ("seek_latency", "seeks.latency_ms", "From each seek to its first picture."),
        ("loop_gap", "loop_gap_ms", "From the end of each pass of a loop to the first picture of the next."),
        ("av_offset", "frames.av_offset_ms", "How far sound and pictures were apart."),
    ]

    private func writeHistograms(_ metrics: inout OpenMetrics) {
        let durations = MetricsReport.durations.map {
            Histogram(
                name: $0.name, unit: "seconds", path: $0.path, help: $0.help, bounds: MetricsReport.bounds)
        }
        for histogram in durations + MetricsReport.samples {
            metrics.family("kitshell_\(histogram.name)", .histogram, unit: histogram.unit, help: histogram.help) {
                for source in sources {
                    guard let values = source.summary.metrics[histogram.path], values.count > 0 else { continue }
                    $0.add(
                        buckets: histogram.bounds.map { (OpenMetrics.millionths($0), values.count(atMost: $0)) },
                        count: values.count, sum: OpenMetrics.millionths(values.sum), [("source", source.label)])
                }
            }
        }
    }

    // MARK: Counters

    /// A family whose samples are sums over sessions, told apart by one label.
    private struct Counter {
        var name: String
        var unit: String?
        var help: String
        var label: String?
        /// Values of the label and the paths that are summed.
        var parts: [(value: String, path: String)]

        init(
            _ name: String, unit: String? = nil, _ help: String, by label: String? = nil,
            _ parts: [(value: String, path: String)]
        ) {
            self.name = name
            self.unit = unit
            self.help = help
            self.label = label
            self.parts = parts
        }
    }

    private static let counters: [Counter] = [
        Counter("watched", unit: "seconds", "Time with intent to play.", [("", "watched_ms")]),
        Counter(
            "state", unit: "seconds", "Time in each session state.", by: "state",
            MetricsReport.parts("states_ms.")),
        Counter("media", unit: "seconds", "Media presented.", [("", "media_time_ms")]),
        Counter("stalls", "Stalls of at least a millisecond.", [("", "stalls.count")]),
        Counter(
            "stutters", "Loadings after the first picture, as stutter-detect counts them.", [("", "stutter.count")]),
        Counter("stutter", unit: "seconds", "Time in them.", [("", "stutter.total_ms")]),
        Counter(
            "seeks", "Seeks, by what became of them.", by: "result",
            [
                ("completed", "seeks.completed"), ("superseded", "seeks.superseded"), ("failed", "seeks.failed"),
            ]),
        Counter(
            "frames", "Pictures, by what became of them.", by: "result",
            [
                ("decoded", "frames.decoded"), ("presented", "frames.presented"),
                ("dropped_late", "frames.dropped_late"), ("dropped_decoder", "frames.dropped_decoder"),
                ("skipped", "frames.skipped"),
            ]),
        Counter(
            "rendition_switches", "Switches from one rendition to another.", [("", "renditions.switches")]),
        Counter(
            "read", unit: "bytes", "Bytes read, by network.", by: "network", MetricsReport.parts("bytes.by_network.")),
        Counter(
            "read_by_purpose", unit: "bytes", "Bytes read, by what for.", by: "purpose",
            MetricsReport.parts("bytes.by_purpose.")),
        Counter("retries", "Attempts to connect or read again.", [("", "retries")]),
        Counter("cellular_episodes", "Times of playing on a cellular network.", [("", "traffic.cellular_episodes")]),
    ]

    private static func parts(_ prefix: String) -> [(value: String, path: String)] {
        SessionField.all.filter { $0.path.hasPrefix(prefix) }
            .map { (String($0.path.dropFirst(prefix.count)), $0.path) }
    }

    private func writeCounters(_ metrics: inout OpenMetrics) {
        for counter in MetricsReport.counters {
            metrics.family("kitshell_\(counter.name)", .counter, unit: counter.unit, help: counter.help) {
                for source in sources {
                    for part in counter.parts {
                        guard let values = source.summary.metrics[part.path], values.count > 0 else { continue }
                        let value = counter.unit == "seconds" ? OpenMetrics.millionths(values.sum) : "\(values.sum)"
                        let labels = counter.label.map { [("source", source.label), ($0, part.value)] }
                        $0.add(value, suffix: "_total", labels ?? [("source", source.label)])
                    }
                }
            }
        }
    }
}
