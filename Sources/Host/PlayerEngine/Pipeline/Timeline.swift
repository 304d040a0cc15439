// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Where playback is at a moment: media time runs with event time, or stands.
struct Timeline {
    private var anchor: MediaTime
    /// nil while media time stands at `anchor`.
    private var since: EventTime?

    /// Stands at a position.
    init(at position: MediaTime) {
        anchor = position
        since = nil
    }

    func position(at now: EventTime) -> MediaTime {
        guard let since else { return anchor }
        return MediaTime(microseconds: anchor.microseconds &+ (now - since))
    }

    /// When a position is reached; nil while media time stands.
    func moment(of position: MediaTime) -> EventTime? {
        since.map { $0 + (position.microseconds &- anchor.microseconds) }
    }

    mutating func run(from now: EventTime) {
        if since == nil { since = now }
    }

    mutating func stand(at now: EventTime) {
        anchor = position(at: now)
        since = nil
    }

    /// Moves to a position, running or standing as before.
    mutating func jump(to position: MediaTime, at now: EventTime) {
        anchor = position
        if since != nil { since = now }
    }
}
