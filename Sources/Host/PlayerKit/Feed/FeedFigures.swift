// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import MediaCore
internal import Sessions

/// How long swipes took to their first pictures. A missed one counts as longer than any that is known.
struct FeedFigures {
    /// Every swipe of which the end is known.
    private var count: Int64 = 0
    private var outcomes: [FeedItem.Outcome: Int64] = [:]
    /// Microseconds; missed swipes are its nulls.
    private var firstFrames = MetricAggregate()

    init(_ items: some Sequence<FeedItem>) {
        for item in items where item.outcome != .interrupted {
            count += 1
            outcomes[item.outcome, default: 0] += 1
            switch item.outcome {
            case .shown: firstFrames.add(item.record.clickToFrame)
            // Too late is as unknown as never: whoever swipes on sees neither.
            case .missed: firstFrames.add(nil)
            case .failed, .noPicture, .interrupted: break
            }
        }
    }

    var json: JSONValue {
        [
            "count": .int(count),
            "shown": .int(outcomes[.shown] ?? 0),
            "missed": .int(outcomes[.missed] ?? 0),
            "failed": .int(outcomes[.failed] ?? 0),
            "no_picture": .int(outcomes[.noPicture] ?? 0),
            "first_frame_ms": [
                "p50": percentile(500), "p95": percentile(950), "p99": percentile(990), "max": percentile(1000),
            ],
        ]
    }

    private func percentile(_ thousandths: Int64) -> JSONValue {
        .milliseconds(firstFrames.percentile(thousandths: thousandths, nullsAreAbove: true))
    }
}
