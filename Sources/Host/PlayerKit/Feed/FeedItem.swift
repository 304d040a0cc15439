// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import MediaCore
internal import Sessions

/// One item of a feed that was played: what was decided for it and how it began.
struct FeedItem {
    /// How the item's beginning was seen.
    enum Outcome: String {
        /// With its first picture.
        case shown
        /// One swiped on before there was a picture.
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

    var outcome: Outcome {
        if record.clickToFrame != nil { return .shown }
        if record.errors.contains(where: \.isFatal) { return .failed }
        if record.endReason == .interrupted { return .interrupted }
        if let media = record.media, media.video == nil, media.audio != nil { return .noPicture }
        return .missed
    }

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
        ]
    }
}
