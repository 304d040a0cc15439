// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Notices that nothing moves although something should. Changes neither state nor outcome.
///
/// Event time alone drives it: ticks come while nothing else does, live as in a log.
struct StuckWatch {
    private(set) var list: [SessionRecord.Stuck] = []

    private var kind: SessionRecord.Stuck.Kind?
    private var since: EventTime
    /// The open entry of the list, once the limit has passed.
    private var open: Int?
    private let start: EventTime

    private var furthest: Int64?
    private var buffered: Int64?
    private var bytes: Int64?
    private var percent: Int64?

    init(start: EventTime) {
        self.start = start
        since = start
    }

    /// Time has come to `time`.
    mutating func advance(to time: EventTime) {
        guard let kind else { return }
        if let open {
            list[open].duration = time - since
        } else if time - since >= kind.limit, list.count < SessionRecord.listLimit {
            open = list.count
            list.append(SessionRecord.Stuck(kind: kind, start: since - start, duration: time - since))
        }
    }

    /// The session is in `state` from now on, or still is.
    mutating func watch(_ state: SessionState, duration: MediaTime?, at time: EventTime) {
        let next: SessionRecord.Stuck.Kind? =
            switch state {
            case .joining, .seeking, .stalled: .buffering
            case .suppressed, .suppressedBuffering: .suppressed
            case .playing where isPast(duration): .notEnding
            // Who tells no positions cannot be missing progress.
            case .playing where furthest != nil: .playing
            default: nil
            }
        if next != kind { restart(next, at: time) }
    }

    /// Takes what may show progress.
    mutating func accept(_ event: PlayerEvent) {
        switch event.type {
        case .position:
            let moved = event.value(0).map { $0 != furthest } ?? false
            furthest = event.value(0) ?? furthest
            let grew = grows(&buffered, event.value(1))
            if kind == .playing && moved || kind == .buffering && grew { restart(kind, at: event.time) }
        case .bytes: if grows(&bytes, event.value(0)) { note(at: event.time) }
        case .loadingProgress: if grows(&percent, event.value(0)) { note(at: event.time) }
        case .loadingBegin: percent = nil
        case .opened, .streamInfo, .firstPacket, .firstDecoded, .prepared, .firstVideoFrame, .firstAudio:
            note(at: event.time)
        case .seekBegin:
            buffered = nil
            furthest = nil
            restart(kind, at: event.time)
        case .loop: furthest = nil
        default: break
        }
    }

    private func isPast(_ duration: MediaTime?) -> Bool {
        guard let furthest, let duration, duration > .zero else { return false }
        return furthest >= duration.microseconds
    }

    /// Something was loaded.
    private mutating func note(at time: EventTime) {
        if kind == .buffering { restart(kind, at: time) }
    }

    private mutating func restart(_ next: SessionRecord.Stuck.Kind?, at time: EventTime) {
        kind = next
        since = time
        open = nil
    }

    private func grows(_ known: inout Int64?, _ value: Int64?) -> Bool {
        guard let value, value > known ?? .min else { return false }
        known = value
        return true
    }
}

extension SessionRecord.Stuck.Kind {
    /// Microseconds without progress from which on it counts.
    fileprivate var limit: Int64 {
        switch self {
        case .buffering: 20_000_000
        case .playing: 10_000_000
        case .notEnding: 60_000_000
        case .suppressed: 600_000_000
        }
    }
}
