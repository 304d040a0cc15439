// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// What the network takes, from counts of what came while reading waited for it: a sample for each tenth of a second of waiting.
struct ThroughputLedger {
    /// Microseconds of waiting below which a rate is chance.
    private static let shortest: Int64 = 100_000

    /// Bits per second.
    private(set) var samples = Distribution()
    private var known = ByteCounts.Arrival()
    /// What the newest sample goes up to.
    private var sampled = ByteCounts.Arrival()

    mutating func accept(_ event: PlayerEvent) {
        guard let count = event.count(1), let duration = event.count(2) else { return }
        known.count = max(known.count, count)
        known.duration = max(known.duration, duration)
        let span = known.duration - sampled.duration
        guard span >= ThroughputLedger.shortest else { return }
        let rate = Double(known.count - sampled.count) * 8_000_000 / Double(span)
        sampled = known
        samples.add(Int64(rate.rounded()))
    }
}
