// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// The media position at which playback is to stop, and why.
struct PlaybackEnd: Sendable {
    var position: MediaTime
    var reason: StopReason

    /// nil if the model names none: playback goes on to the end of the source.
    init?(_ model: PlayerModel) {
        let preview = model.configuration.previewTime.map { MediaTime(microseconds: $0.wholeMicroseconds) }
        guard let earliest = [model.endTime, preview].compactMap({ $0 }).min() else { return nil }
        position = earliest.bounded
        reason = earliest == model.endTime ? .until : .previewEnd
    }
}
