// SPDX-License-Identifier: Apache-2.0

package import MediaCore

extension SessionReducer {
    /// What is known of the session at `time`, or at its last event if that is later.
    package func record(at time: EventTime) -> SessionRecord {
        var closing = self
        if !isOver { closing.close(at: max(time, lastTime)) }
        return closing.closedRecord
    }

    /// The record of a session whose durations are booked up to its end.
    private var closedRecord: SessionRecord {
        let elapsed = lastTime - start + slept
        let playing = durations[.playing]
        let stalled = durations[.stalled]
        let watched = playing + durations[.joining] + stalled + watchedSeeking
        var stalls = StallRecord()
        stalls.count = stallLedger.count
        stalls.total = stalled
        stalls.ratio = watched > 0 ? Double(stalled) / Double(watched) : nil
        stalls.playRatio = stalled + playing > 0 ? Double(stalled) / Double(stalled + playing) : nil
        stalls.list = stallLedger.list
        stalls.rebufferRate = playing > 0 ? Double(stallLedger.count) * 1_000_000 / Double(playing) : nil
        stalls.timeBetween = playing > 0 ? playing / max(1, stallLedger.count) : nil
        let connection = stallLedger.connectionTime
        stalls.connectionInducedRatio =
            connection + playing > 0 ? Double(connection) / Double(connection + playing) : nil
        stalls.onResumeCount = stallLedger.onResumeCount
        stalls.onResumeTime = stallLedger.onResumeTime
        stalls.duplicateBegins = duplicateBegins
        stalls.orphanEnds = orphanEnds
        var frames = frames
        // Without video there are no pictures, not none a second.
        let hasVideo = media?.video != nil || frames.presented ?? 0 > 0
        frames.perSecond =
            playing > 0 && hasVideo ? frames.presented.map { Double($0) * 1_000_000 / Double(playing) } : nil
        frames.slowDecoderCount = slowDecoder.count
        frames.slowDecoderTime = slowDecoder.total(at: lastTime)
        return SessionRecord(
            session: session, controller: controller,
            continuedFrom: request.value(3).flatMap { UInt32(exactly: $0) }.map(SessionID.init(rawValue:)),
            source: request.source.flatMap { $0.isEmpty ? nil : $0 },
            uniqueID: request.uniqueID.flatMap { $0.isEmpty ? nil : $0 }, player: request.value(1),
            instance: Int32(exactly: request.values[2]).flatMap(PlayerInstanceKind.init(rawValue:)) ?? .unknown,
            outcome: outcome, endReason: end?.reason, media: media, elapsed: elapsed, watched: watched,
            join: isJoined && joinInvalid == nil ? durations[.joining] : nil, joinInvalid: joinInvalid,
            clickToFrame: clickToFrame, isConfirmed: progress.isConfirmed, readyLatency: readyLedger.latency,
            waitRatio: watched > 0 ? Double(watched - playing) / Double(watched) : nil,
            mediaTime: mediaLedger.presented, completion: completion, pauseCount: pauseCount,
            states: durations, stalls: stalls, seeks: seeks, loopCount: loopCount,
            loopGaps: loopCount > 0 && loopGaps.isEmpty ? nil : loopGaps, frames: frames,
            renditions: mediaLedger.renditions, bytes: bytes, retries: delivery.retries,
            retryReason: delivery.retryReason, reopens: delivery.reopens,
            stuck: stuckWatch.list, errors: errors, isIncomplete: isIncomplete)
    }

    private var bytes: SessionRecord.Bytes {
        delivery.bytes(isWasted: end != nil && !isJoined && !wasTaken)
    }

    /// More than a day of media at less than this is a duration that the container made up.
    private static let lowestBitrate = 1000.0

    private var completion: Double? {
        guard let duration = media?.duration, duration > .zero else { return nil }
        let seconds = Double(duration.microseconds) / 1_000_000
        if seconds > 86_400, let read = bytes.read, Double(read) * 8 / seconds < Self.lowestBitrate {
            return nil
        }
        if end?.reason == .completed { return 1 }
        return mediaLedger.highest.map { min(max(Double($0) / Double(duration.microseconds), 0), 1) }
    }

    private var outcome: SessionRecord.Outcome {
        if !wasWanted { return .notAnAttempt }
        if hasFailed { return isJoined ? .vpf : .vsf }
        // Also where nothing was to be shown, as from a start time past the end: nobody left.
        if end?.reason == .completed { return .complete }
        return isJoined ? .partial : .ebvs
    }
}

extension SessionRecord.EndReason {
    init(_ reason: StopReason) {
        switch reason {
        case .user: self = .stopped
        case .until: self = .until
        case .previewEnd: self = .previewEnd
        case .interrupted: self = .interrupted
        case .idle: self = .idle
        }
    }
}
