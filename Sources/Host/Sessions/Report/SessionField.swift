// SPDX-License-Identifier: Apache-2.0

public import JSONText
internal import MediaCore

/// A value that a session of the report has, by its path in the document: `first_frame.total_ms`, `stalls.list.duration_ms`.
///
/// The paths of `report.schema.json`, held together by a test. What strangers report (`plugins.…`) has no fixed paths.
public struct SessionField: Hashable, Sendable {
    /// What a value is, and so what can be done with it.
    public enum Kind: Hashable, Sendable {
        case milliseconds
        /// 0 to 1.
        case ratio
        case perSecond
        case count
        case bytes
        case bitsPerSecond
        /// A number that is a name or a property rather than a measure: nothing to sum.
        case number
        case flag
        /// One of these.
        case word([String])
        case text
    }

    public var path: String
    public var kind: Kind

    /// Every field, in the order of the report.
    public static let all: [SessionField] = host + firstFrame + stutter + traffic

    /// Where a session has the samples of a figure: a distribution, whose parts are fields that cannot be summed.
    static let distributions: [SessionField] = [
        SessionField(path: "frames.fps", kind: .perSecond),
        SessionField(path: "frames.av_offset_ms", kind: .milliseconds),
        SessionField(path: "bytes.throughput_bps", kind: .bitsPerSecond),
    ]

    /// The field of that path.
    public static func named(_ path: String) -> SessionField? { byPath[path] }

    /// The values at a path in a session: several where it leads through lists; nil where there is no such key.
    ///
    /// Keys may have dots in them, as names of instances do.
    ///
    /// - Parameter path: of `all`, or one that begins with `plugins.`.
    public static func values(at path: String, in session: JSONValue) -> [JSONValue]? {
        values(at: path[...], in: session)
    }

    private static func values(at path: Substring, in value: JSONValue) -> [JSONValue]? {
        switch value {
        case .array(let elements):
            let found = elements.compactMap { values(at: path, in: $0) }
            return found.isEmpty && !elements.isEmpty ? nil : found.flatMap(\.self)
        case _ where path.isEmpty: return [value]
        // What is unknown as a whole is unknown in its parts.
        case .null: return [.null]
        case .object(let object):
            for member in object.members where path.hasPrefix(member.key) {
                let rest = path.dropFirst(member.key.count)
                guard rest.isEmpty || rest.first == "." else { continue }
                if let found = values(at: rest.dropFirst(), in: member.value) { return found }
            }
            return nil
        default: return nil
        }
    }

    private static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })

    private static func fields(_ prefix: String, _ kind: Kind, _ names: String...) -> [SessionField] {
        names.map { SessionField(path: prefix + $0, kind: kind) }
    }

    private static func word(_ path: String, _ words: [String]) -> [SessionField] {
        [SessionField(path: path, kind: .word(words))]
    }

    private static let host: [SessionField] =
        fields("", .number, "session", "controller", "continued_from") + fields("", .text, "source", "unique_id")
        + fields("", .number, "player")
        + word("instance", ["cold", "warm", "pre-rendered"])
        + word("outcome", ["complete", "partial", "ebvs", "vsf", "vpf", "not_an_attempt"])
        + word(
            "end_reason",
            [
                "completed", "stopped", "until", "preview_end", "interrupted", "error", "idle", "switch", "evict",
                "taken_over", "destroy",
            ])
        + word("failure", ["technical", "business", "user"])
        + fields("media.", .text, "container") + fields("media.", .milliseconds, "duration_ms")
        + fields("media.", .flag, "seekable") + fields("media.video.", .text, "codec")
        + fields("media.video.", .number, "width", "height", "fps") + fields("media.audio.", .text, "codec")
        + fields("media.audio.", .number, "rate", "channels")
        + fields("", .milliseconds, "elapsed_ms", "watched_ms", "join_ms")
        + word("join_invalid", ["seek", "stop", "error", "pause"])
        + fields("", .milliseconds, "click_to_frame_ms") + fields("", .flag, "playback_confirmed")
        + fields(
            "ready_latency.", .milliseconds, "opened_ms", "stream_info_ms", "first_packet_ms", "first_decoded_ms",
            "first_video_frame_ms") + fields("", .ratio, "wait_ratio")
        + fields("", .milliseconds, "media_time_ms") + fields("", .ratio, "completion")
        + fields("", .count, "pause_count")
        + fields(
            "states_ms.", .milliseconds, "joining", "playing", "join_paused", "paused", "paused_buffering", "seeking",
            "stalled", "suppressed", "suppressed_buffering", "preloading", "prepared_bg", "background", "suspended")
        + stalls + seeks + fields("", .count, "loop_count") + fields("", .milliseconds, "loop_gap_ms") + delivery

    private static let stalls: [SessionField] =
        fields("stalls.", .count, "count") + fields("stalls.", .milliseconds, "total_ms")
        + fields("stalls.", .ratio, "ratio", "play_ratio", "connection_induced_ratio")
        + fields("stalls.", .perSecond, "rebuffer_rate") + fields("stalls.", .milliseconds, "time_between_stalls_ms")
        + fields("stalls.", .count, "on_resume_count") + fields("stalls.", .milliseconds, "on_resume_ms")
        + fields("stalls.list.", .milliseconds, "start_ms", "duration_ms")
        + word("stalls.list.cause", LoadingCause.allCases.map(\.name))
        + word("stalls.list.kind", ["plain", "on_resume"])
        + fields("stalls.", .count, "duplicate_begins", "orphan_ends")

    private static let seeks: [SessionField] =
        fields("seeks.", .count, "requested", "completed", "superseded", "failed")
        + fields("seeks.", .milliseconds, "latency_ms")

    private static func distribution(_ prefix: String) -> [SessionField] {
        fields(
            prefix, .number, "count", "sum", "mean", "variance", "min", "max", "p50", "p90", "p95", "p99", "histogram")
    }

    private static let delivery: [SessionField] =
        fields("frames.", .count, "decoded", "presented", "dropped_late", "dropped_decoder", "skipped")
        + fields("frames.", .count, "decoder_slow") + fields("frames.", .milliseconds, "decoder_slow_ms")
        + fields("frames.", .count, "max_consecutive_dropped")
        + fields("frames.", .ratio, "dropped_ratio") + fields("frames.", .perSecond, "mean_fps")
        + distribution("frames.fps.") + distribution("frames.av_offset_ms.")
        + fields("renditions.", .count, "switches", "up", "down")
        + fields("renditions.", .bitsPerSecond, "mean_bitrate")
        + fields("renditions.list.", .text, "id") + fields("renditions.list.", .number, "width", "height", "bitrate")
        + fields("renditions.list.", .milliseconds, "media_ms")
        + fields("bytes.", .bytes, "read")
        + NetworkType.allCases.map { SessionField(path: "bytes.by_network.\($0.name)", kind: .bytes) }
        + SessionRecord.Bytes.Purpose.allCases.map {
            SessionField(path: "bytes.by_purpose.\($0.rawValue)", kind: .bytes)
        } + distribution("bytes.throughput_bps.")
        + fields("", .count, "retries", "reopen_count")
        + word("stuck.kind", SessionRecord.Stuck.Kind.allCases.map(\.rawValue))
        + fields("stuck.", .milliseconds, "start_ms", "duration_ms")
        + fields("errors.", .number, "code", "http_status") + fields("errors.", .text, "name")
        + fields("errors.", .flag, "fatal")
        + fields("errors.", .text, "message", "hint") + fields("", .flag, "incomplete")

    private static let firstFrame: [SessionField] =
        fields(
            "first_frame.", .milliseconds, "prepare_ms", "render_ms", "total_ms", "user_wait_ms", "effective_ms",
            "first_audio_ms") + fields("first_frame.", .flag, "partial")

    private static let stutter: [SessionField] =
        fields("stutter.", .milliseconds, "threshold_ms") + fields("stutter.", .count, "count")
        + fields("stutter.", .milliseconds, "total_ms", "stay_ms", "valid_play_ms")
        + fields("stutter.stutters.", .milliseconds, "start_ms", "duration_ms") + fields("stutter.", .flag, "partial")

    private static let traffic: [SessionField] =
        word("traffic.type", NetworkType.allCases.map(\.name)) + fields("traffic.", .flag, "metered")
        + fields("traffic.", .count, "cellular_episodes")
        + fields("traffic.cellular_detected.", .milliseconds, "start_ms")
        + fields("traffic.wifi_detected.", .milliseconds, "start_ms") + fields("traffic.", .flag, "partial")
}
