// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// How one type of event is spelled in a log: its name, the keys of its values and what its text is.
///
/// The one table of `kitshell.events/1`; writer and reader know nothing else of the types.
struct EventSchema {
    /// What a slot's number means.
    enum Kind {
        /// Shown divided by 1,000: microseconds as milliseconds, rates as factors.
        case thousandths
        /// A moment in event time, counted from the log's start like `t_ms`.
        case moment
        case integer
        /// 0 or 1, as a boolean.
        case flag
        /// The name at this index.
        case name([String])
        /// The name of an event type.
        case eventName
    }

    /// A value of the event and its key.
    struct Slot {
        var index: Int
        var key: String
        var kind: Kind
        /// The value that a missing key stands for.
        var absent: Int64

        init(_ index: Int, _ key: String, _ kind: Kind, absent: Int64 = PlayerEvent.unknown) {
            self.index = index
            self.key = key
            self.kind = kind
            self.absent = absent
        }
    }

    /// What an event's text holds.
    enum Text {
        case none
        /// All of it under one key.
        case whole(String)
        /// Source and unique id; value 0 is the bytes of the source.
        case source
        /// Lines name, message and hint of an error.
        case failure
        /// Lines container, video codec and audio codec, shown with the numbers of `prepared` as `media`.
        case media
    }

    var type: EventType
    var name: String
    var slots: [Slot]
    var text: Text
    /// A key that is true where this flag is set.
    var flag: (key: String, flag: EventFlags)?

    private init(
        _ type: EventType, _ name: String, _ slots: [Slot] = [], text: Text = .none,
        flag: (key: String, flag: EventFlags)? = nil
    ) {
        self.type = type
        self.name = name
        self.slots = slots
        self.text = text
        self.flag = flag
    }

    /// The schema of a type, nil for one that this version does not know.
    static func of(_ type: EventType) -> EventSchema? {
        type.rawValue < byType.count ? byType[Int(type.rawValue)] : nil
    }

    static func named(_ name: String) -> EventSchema? { byName[name] }

    static let videoSlots = [
        Slot(1, "width", .integer), Slot(2, "height", .integer), Slot(3, "fps", .thousandths),
    ]
    static let audioSlots = [Slot(4, "rate", .integer), Slot(5, "channels", .integer)]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    private static let byType: [EventSchema?] = {
        var table = [EventSchema?](repeating: nil, count: Int(EventType.limit))
        for schema in all { table[Int(schema.type.rawValue)] = schema }
        return table
    }()

    static let all: [EventSchema] = [
        EventSchema(
            .request, "request",
            [
                Slot(1, "player", .integer), Slot(2, "instance", .name(EventNames.instances), absent: 0),
                Slot(3, "continued_from", .integer),
            ], text: .source),
        EventSchema(.attach, "attach", [Slot(0, "player", .integer)]),
        EventSchema(.detach, "detach", [Slot(0, "player", .integer)]),
        EventSchema(.state, "state", [Slot(0, "state", .name(EventNames.playerStates))]),
        EventSchema(.playIntent, "play_intent"),
        EventSchema(.pauseIntent, "pause_intent"),
        EventSchema(.opened, "opened", text: .whole("container")),
        EventSchema(.streamInfo, "stream_info", [Slot(0, "tracks", .integer)]),
        EventSchema(.firstPacket, "first_packet"),
        EventSchema(.firstDecoded, "first_decoded"),
        EventSchema(.prepared, "prepared", [Slot(0, "duration_ms", .thousandths)], text: .media),
        EventSchema(
            .firstVideoFrame, "first_video_frame",
            [Slot(0, "pts_ms", .thousandths), Slot(1, "kind", .name(EventNames.frameKinds), absent: 0)]),
        EventSchema(.firstAudio, "first_audio", [Slot(0, "pts_ms", .thousandths)]),
        EventSchema(
            .position, "position",
            [
                Slot(0, "position_ms", .thousandths), Slot(1, "buffered_ms", .thousandths),
                Slot(2, "av_offset_ms", .thousandths),
            ]),
        EventSchema(.tick, "tick"),
        EventSchema(
            .loadingBegin, "loading_begin",
            [Slot(0, "cause", .name(EventNames.causes), absent: 0), Slot(1, "stopped_at_ms", .moment)],
            flag: ("eof", .endOfFile)),
        EventSchema(.loadingEnd, "loading_end"),
        EventSchema(.loadingProgress, "loading_progress", [Slot(0, "percent", .integer)]),
        EventSchema(.demuxUnderrun, "demux_underrun"),
        EventSchema(.outputUnderrun, "output_underrun"),
        EventSchema(.demuxEOF, "demux_eof"),
        EventSchema(.decoderSlow, "decoder_slow", [Slot(0, "stopped_at_ms", .moment)]),
        EventSchema(.decoderFallback, "decoder_fallback", text: .whole("decoder")),
        EventSchema(.seekBegin, "seek_begin", [Slot(0, "to_ms", .thousandths)]),
        EventSchema(.seekEnd, "seek_end", [Slot(0, "position_ms", .thousandths)]),
        EventSchema(.seekSuperseded, "seek_superseded"),
        EventSchema(.seekFailed, "seek_failed", text: .whole("reason")),
        EventSchema(.rate, "rate", [Slot(0, "rate", .thousandths)]),
        EventSchema(.loop, "loop", [Slot(0, "count", .integer)]),
        EventSchema(.mute, "mute", [Slot(0, "on", .flag, absent: 1), Slot(1, "volume", .thousandths)]),
        EventSchema(
            .display, "display",
            [Slot(0, "mirror", .integer), Slot(1, "rotate", .integer), Slot(2, "scale", .integer)]),
        EventSchema(
            .rendition, "rendition",
            [Slot(0, "width", .integer), Slot(1, "height", .integer), Slot(2, "bitrate", .integer)],
            text: .whole("id")),
        EventSchema(.videoSize, "video_size", [Slot(0, "width", .integer), Slot(1, "height", .integer)]),
        EventSchema(.trackReady, "track_ready", [Slot(0, "tracks", .integer)], text: .whole("list")),
        EventSchema(.trackChanged, "track_changed", [Slot(0, "track", .integer)], text: .whole("kind")),
        EventSchema(
            .frames, "frames",
            [
                Slot(0, "decoded", .integer), Slot(1, "presented", .integer), Slot(2, "dropped_late", .integer),
                Slot(3, "dropped_decoder", .integer), Slot(4, "skipped", .integer),
                Slot(5, "dropped_in_a_row", .integer),
            ]),
        EventSchema(
            .bytes, "bytes",
            [Slot(0, "read", .integer), Slot(1, "arrived", .integer), Slot(2, "arrival_ms", .thousandths)]),
        EventSchema(.retry, "retry", [Slot(0, "attempt", .integer)], text: .whole("reason")),
        EventSchema(
            .network, "network",
            [Slot(0, "type", .name(EventNames.networks), absent: 0), Slot(1, "metered", .flag)]),
        EventSchema(.foreground, "foreground"),
        EventSchema(.background, "background"),
        EventSchema(.suspended, "suspended", [Slot(0, "duration_ms", .thousandths)]),
        EventSchema(.suppressed, "suppressed", [Slot(0, "on", .flag, absent: 1)]),
        EventSchema(
            .error, "error",
            [Slot(0, "code", .integer), Slot(1, "fatal", .flag, absent: 1), Slot(2, "http_status", .integer)],
            text: .failure),
        EventSchema(.completed, "completed"),
        EventSchema(.stop, "stop", [Slot(0, "reason", .name(EventNames.stopReasons), absent: 0)]),
        EventSchema(.sourceSwitch, "source_switch", text: .source),
        EventSchema(.evict, "evict"),
        EventSchema(.takenOver, "taken_over"),
        EventSchema(.destroy, "destroy"),
        EventSchema(
            .actionRequested, "action_requested",
            [Slot(0, "action", .integer), Slot(1, "argument", .integer), Slot(2, "trigger", .integer)],
            text: .whole("instance")),
        EventSchema(
            .actionDone, "action_done",
            [
                Slot(0, "action", .integer), Slot(1, "argument", .integer), Slot(2, "trigger", .integer),
                Slot(3, "result", .integer),
            ], text: .whole("instance")),
        EventSchema(
            .sessionState, "session_state",
            [Slot(0, "state", .name(EventNames.sessionStates)), Slot(1, "cause", .eventName)]),
        EventSchema(
            .frameRate, "frame_rate", [Slot(0, "presented", .integer), Slot(1, "seconds", .integer, absent: 1)]),
        EventSchema(.loopGap, "loop_gap", [Slot(0, "gap_ms", .thousandths)]),
    ]
}
