// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Where playback is at a moment: media time runs with event time, as fast as its rate says, or stands.
struct Timeline {
    private var anchor: MediaTime
    /// nil while media time stands at `anchor`.
    private var since: EventTime?
    /// Media time over event time.
    private var rate: Double

    /// Stands at a position.
    init(at position: MediaTime, rate: Double) {
        anchor = position
        since = nil
        self.rate = rate
    }

    var isRunning: Bool { since != nil }

    /// Where it began to run or stands.
    var start: MediaTime { anchor }

    func position(at now: EventTime) -> MediaTime {
        guard let since else { return anchor }
        return MediaTime(microseconds: anchor.microseconds &+ scaled(now - since, by: rate))
    }

    /// When a position is reached; nil while media time stands.
    func moment(of position: MediaTime) -> EventTime? {
        since.map { $0 + scaled(position.microseconds &- anchor.microseconds, by: 1 / rate) }
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

    /// Runs at another rate from where it is.
    mutating func set(rate: Double, at now: EventTime) {
        jump(to: position(at: now), at: now)
        self.rate = rate
    }

    /// Rounded up, so that a position is reached at its moment and not a microsecond later.
    private func scaled(_ microseconds: Int64, by factor: Double) -> Int64 {
        factor == 1 ? microseconds : Int64((Double(microseconds) * factor).rounded(.up))
    }
}
