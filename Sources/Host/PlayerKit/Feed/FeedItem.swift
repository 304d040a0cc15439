// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import MediaCore
internal import Sessions

/// One item of a feed that was played: what was decided for it and how it began.
struct FeedItem {
    /// How the item's beginning was seen.
    enum Outcome: String {
        /// With its first picture, in time.
        case shown
        /// Its picture did not come within the time that an item is watched.
        case missed
        /// It could not be played.
        case failed
        /// It has sound alone.
        case noPicture = "no_picture"
        /// The run was interrupted before.
        case interrupted
    }

    let decisions: FeedLedger.Decisions
    let record: SessionRecord
    /// How long a picture may take, in microseconds.
    let patience: Int64

    var outcome: Outcome {
        if let time = record.clickToFrame { return time <= patience ? .shown : .missed }
        if record.errors.contains(where: \.isFatal) { return .failed }
        if record.endReason == .interrupted { return .interrupted }
        if let media = record.media, media.video == nil, media.audio != nil { return .noPicture }
        return .missed
    }

    /// Whether its source was tried again, or had an error, and it was missed.
    var isMissedInTrouble: Bool { outcome == .missed && (record.retries > 0 || !record.errors.isEmpty) }

    /// - Parameter position: counts from 0, which is the start.
    func json(at position: Int) -> JSONValue {
        [
            "position": .int(Int64(position)),
            "source": JSONValue(record.source),
            "decision": decisions.outcome.isEmpty ? nil : .string(decisions.outcome),
            "player": JSONValue(decisions.player),
            "evicted": .array(decisions.evicted.map { .int($0) }),
            "prepared": .array(
                decisions.prepared.map {
                    ["id": .string($0.uniqueID), "stage": .string($0.stage), "player": .int($0.player)]
                }),
            "by_default": .bool(decisions.isDefault),
            "instance": record.instance == .unknown ? nil : .string(record.instance.name),
            "outcome": .string(outcome.rawValue),
            "first_frame_ms": .milliseconds(record.clickToFrame),
            "retries": .int(record.retries),
            "retry_reason": JSONValue(record.retryReason),
        ]
    }
}
