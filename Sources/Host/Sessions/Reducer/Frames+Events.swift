// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

extension SessionRecord.Frames {
    /// Takes counts that only grow: one that is missing or less than known before says nothing.
    mutating func count(_ event: PlayerEvent) {
        let grown = { (known: Int64?, index: Int) -> Int64? in
            event.count(index).map { max($0, known ?? 0) } ?? known
        }
        decoded = grown(decoded, 0)
        presented = grown(presented, 1)
        droppedLate = grown(droppedLate, 2)
        droppedByDecoder = grown(droppedByDecoder, 3)
        skipped = grown(skipped, 4)
        maxConsecutiveDropped = grown(maxConsecutiveDropped, 5)
    }

    /// Takes how many pictures were presented in seconds of playing.
    mutating func noteRate(_ event: PlayerEvent) {
        guard let presented = event.count(0), presented <= SessionRecord.Frames.mostPerSecond,
            let seconds = event.count(1), 1...SessionRecord.Frames.mostSeconds ~= seconds
        else { return }
        rates.add(presented * 1_000_000, count: seconds)
    }

    /// Takes how far sound and picture were apart, to a tenth of a millisecond: finer is noise, and would fill a bucket with each sample.
    mutating func noteOffset(_ event: PlayerEvent) {
        guard let offset = event.value(2) else { return }
        soundOffsets.add((abs(offset) + 50) / 100 * 100)
    }

    /// Nobody shows more; a log may say anything.
    private static let mostPerSecond: Int64 = 1_000_000
    /// A year, after which a player that presents nothing has told so.
    private static let mostSeconds: Int64 = 31_536_000
}
