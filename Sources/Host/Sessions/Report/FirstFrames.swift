// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import MediaCore

/// How soon the first picture came, by how warm the player was: the report's `first_frames`.
struct FirstFrames {
    /// Microseconds from the intent to play to the first picture, by kind of player.
    private var times: [PlayerInstanceKind: [Int64]] = [:]

    init(_ records: [SessionRecord]) {
        for record in records {
            guard let time = record.clickToFrame else { continue }
            times[record.instance, default: []].append(time)
        }
    }

    var json: JSONValue {
        [
            "cold": FirstFrames.json(times[.cold] ?? []), "warm": FirstFrames.json(times[.warm] ?? []),
            "pre_rendered": FirstFrames.json(times[.preRendered] ?? []),
        ]
    }

    private static func json(_ times: [Int64]) -> JSONValue {
        ["count": .int(Int64(times.count)), "median_ms": .milliseconds(median(times))]
    }

    /// Half of the values are not above it; of two in the middle their mean. nil without values.
    private static func median(_ times: [Int64]) -> Int64? {
        guard !times.isEmpty else { return nil }
        let sorted = times.sorted()
        let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
        return low + (high - low) / 2
    }
}
