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
        stalls.duplicateBegins = duplicateBegins
        stalls.orphanEnds = orphanEnds
        return SessionRecord(
            session: session, controller: controller,
            continuedFrom: request.value(3).flatMap { UInt32(exactly: $0) }.map(SessionID.init(rawValue:)),
            source: request.source.flatMap { $0.isEmpty ? nil : $0 },
            uniqueID: request.uniqueID.flatMap { $0.isEmpty ? nil : $0 }, player: request.value(1),
            instance: Int32(exactly: request.values[2]).flatMap(PlayerInstanceKind.init(rawValue:)) ?? .unknown,
            outcome: outcome, endReason: end?.reason, media: media, elapsed: elapsed, watched: watched,
            join: isJoined && joinInvalid == nil ? durations[.joining] : nil, joinInvalid: joinInvalid,
            clickToFrame: clickToFrame, states: durations, stalls: stalls, seeks: seeks, loopCount: loopCount,
            frames: frames, errors: errors, isIncomplete: isIncomplete)
    }

    private var outcome: SessionRecord.Outcome {
        if !wasWanted { return .notAnAttempt }
        if hasFailed { return isJoined ? .vpf : .vsf }
        if !isJoined { return .ebvs }
        return end?.reason == .completed ? .complete : .partial
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
