// SPDX-License-Identifier: Apache-2.0

public import JSONText
internal import MediaCore

extension SessionRecord {
    /// The host's part of a session of the report, without what strategies say.
    public var json: JSONValue { .object(JSONObject(jsonMembers)) }

    /// The host's part of a session, in the order of the report's schema.
    var jsonMembers: [JSONObject.Member] {
        var members: [JSONObject.Member] = [
            .init("session", .int(Int64(session.rawValue))),
            .init("controller", .int(Int64(controller.rawValue))),
            .init("continued_from", JSONValue(continuedFrom.map { Int64($0.rawValue) })),
            .init("source", JSONValue(source)),
            .init("unique_id", JSONValue(uniqueID)),
            .init("player", JSONValue(player)),
            .init("instance", instance == .unknown ? .null : .string(instance.name)),
            .init("outcome", .string(outcome.rawValue)),
            .init("end_reason", JSONValue(endReason?.rawValue)),
            .init("failure", JSONValue(failureClass?.rawValue)),
            .init("media", media.map(JSONValue.init) ?? .null),
            .init("elapsed_ms", .milliseconds(elapsed)),
            .init("watched_ms", .milliseconds(watched)),
            .init("join_ms", .milliseconds(join)),
            .init("join_invalid", JSONValue(joinInvalid?.rawValue)),
            .init("click_to_frame_ms", .milliseconds(clickToFrame)),
            .init("playback_confirmed", JSONValue(isConfirmed)),
            .init("ready_latency", JSONValue(readyLatency)),
            .init("wait_ratio", JSONValue(waitRatio)),
            .init("media_time_ms", .milliseconds(mediaTime)),
            .init("completion", JSONValue(completion)),
            .init("pause_count", .int(pauseCount)),
            .init("states_ms", JSONValue(states)),
            .init("stalls", JSONValue(stalls)),
            .init("seeks", JSONValue(seeks)),
            .init("loop_count", .int(loopCount)),
            .init("loop_gap_ms", loopGaps.map { .array($0.map { .milliseconds($0) }) } ?? .null),
            .init("frames", JSONValue(frames)),
            .init("renditions", JSONValue(renditions)),
            .init("bytes", JSONValue(bytes)),
            .init("retries", .int(retries)),
            .init("reopen_count", .int(reopens)),
            .init("stuck", .array(stuck.map(JSONValue.init))),
            .init("errors", .array(errors.map(JSONValue.init))),
        ]
        if isIncomplete { members.append(.init("incomplete", true)) }
        return members
    }
}

extension JSONValue {
    fileprivate init(_ media: MediaDescription) {
        // A log may tell that something was prepared and not what.
        let isDescribed = !media.container.isEmpty || media.video != nil || media.audio != nil
        self = [
            "container": media.container.isEmpty ? nil : .string(media.container),
            "duration_ms": .milliseconds(media.duration?.microseconds),
            "seekable": isDescribed ? .bool(media.isSeekable) : nil,
            "video": media.video.map { video in
                [
                    "codec": .string(video.codec), "width": .int(Int64(video.width)),
                    "height": .int(Int64(video.height)),
                    "fps": JSONValue(video.framesPer1000Seconds.map { Double($0) / 1000 }),
                ]
            } ?? nil,
            "audio": media.audio.map { audio in
                [
                    "codec": .string(audio.codec), "rate": .int(Int64(audio.sampleRate)),
                    "channels": .int(Int64(audio.channels)),
                ]
            } ?? nil,
        ]
    }

    fileprivate init(_ latency: SessionRecord.ReadyLatency) {
        self = [
            "opened_ms": .milliseconds(latency.opened), "stream_info_ms": .milliseconds(latency.streamInfo),
            "first_packet_ms": .milliseconds(latency.firstPacket),
            "first_decoded_ms": .milliseconds(latency.firstDecoded),
            "first_video_frame_ms": .milliseconds(latency.firstVideoFrame),
        ]
    }

    fileprivate init(_ states: StateDurations) {
        let order: [SessionState] = [
            .joining, .playing, .joinPaused, .paused, .pausedBuffering, .seeking, .stalled, .suppressed,
            .suppressedBuffering, .preloading, .preparedInBackground, .background, .suspended,
        ]
        self = .object(JSONObject(order.map { .init($0.name, .milliseconds(states[$0])) }))
    }

    fileprivate init(_ stalls: StallRecord) {
        self = [
            "count": .int(stalls.count),
            "total_ms": .milliseconds(stalls.total),
            "ratio": JSONValue(stalls.ratio),
            "play_ratio": JSONValue(stalls.playRatio),
            "connection_induced_ratio": JSONValue(stalls.connectionInducedRatio),
            "rebuffer_rate": JSONValue(stalls.rebufferRate),
            "time_between_stalls_ms": .milliseconds(stalls.timeBetween),
            "on_resume_count": .int(stalls.onResumeCount),
            "on_resume_ms": .milliseconds(stalls.onResumeTime),
            "list": .array(
                stalls.list.map { stall in
                    [
                        "start_ms": .milliseconds(stall.start), "duration_ms": .milliseconds(stall.duration),
                        "cause": .string(stall.cause.name), "kind": .string(stall.kind.rawValue),
                    ]
                }),
            "duplicate_begins": .int(stalls.duplicateBegins),
            "orphan_ends": .int(stalls.orphanEnds),
        ]
    }

    fileprivate init(_ seeks: SessionRecord.Seeks) {
        self = [
            "requested": .int(seeks.requested), "completed": .int(seeks.completed),
            "superseded": .int(seeks.superseded), "failed": .int(seeks.failed),
            "latency_ms": .array(seeks.latencies.map { .milliseconds($0) }),
        ]
    }

    fileprivate init(_ frames: SessionRecord.Frames) {
        self = [
            "decoded": JSONValue(frames.decoded), "presented": JSONValue(frames.presented),
            "dropped_late": JSONValue(frames.droppedLate), "dropped_decoder": JSONValue(frames.droppedByDecoder),
            "skipped": JSONValue(frames.skipped),
            "decoder_slow": .int(frames.slowDecoderCount), "decoder_slow_ms": .milliseconds(frames.slowDecoderTime),
            "max_consecutive_dropped": JSONValue(frames.maxConsecutiveDropped),
            "dropped_ratio": JSONValue(frames.droppedRatio),
            "mean_fps": JSONValue(frames.perSecond),
            "fps": frames.rates.json(.perSecond),
            "av_offset_ms": frames.soundOffsets.json(.milliseconds),
        ]
    }

    fileprivate init(_ renditions: SessionRecord.Renditions) {
        self = [
            "switches": .int(renditions.switches), "up": .int(renditions.up), "down": .int(renditions.down),
            "mean_bitrate": JSONValue(renditions.meanBitrate),
            "list": .array(
                renditions.list.map { rendition in
                    [
                        "id": JSONValue(rendition.id), "width": JSONValue(rendition.width),
                        "height": JSONValue(rendition.height), "bitrate": JSONValue(rendition.bitrate),
                        "media_ms": .milliseconds(rendition.mediaTime),
                    ]
                }),
        ]
    }

    fileprivate init(_ bytes: SessionRecord.Bytes) {
        self = [
            "read": JSONValue(bytes.read),
            "by_network": .object(
                JSONObject(
                    NetworkType.allCases.map { type in
                        .init(type.name, bytes.read == nil ? .null : .int(bytes.byNetwork[type] ?? 0))
                    })),
            "by_purpose": .object(
                JSONObject(
                    SessionRecord.Bytes.Purpose.allCases.map { purpose in
                        .init(purpose.rawValue, JSONValue(bytes.byPurpose.map { $0[purpose] ?? 0 }))
                    })),
            "throughput_bps": bytes.throughput.json(.bitsPerSecond),
        ]
    }

    fileprivate init(_ stuck: SessionRecord.Stuck) {
        self = [
            "kind": .string(stuck.kind.rawValue), "start_ms": .milliseconds(stuck.start),
            "duration_ms": .milliseconds(stuck.duration),
        ]
    }

    fileprivate init(_ failure: SessionRecord.Failure) {
        self = [
            "code": JSONValue(failure.code.map(Int64.init)),
            "name": failure.name.isEmpty ? nil : .string(failure.name), "fatal": .bool(failure.isFatal),
            "message": .string(failure.message), "hint": failure.hint.isEmpty ? nil : .string(failure.hint),
            "http_status": JSONValue(failure.httpStatus),
        ]
    }
}
