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

    /// The source plays again: an end time counts what all passes play, a preview is a place in the source.
    mutating func count(from passEnd: MediaTime, to start: MediaTime) {
        guard reason == .until else { return }
        position = MediaTime(microseconds: position.microseconds - (passEnd.microseconds - start.microseconds))
    }
}
