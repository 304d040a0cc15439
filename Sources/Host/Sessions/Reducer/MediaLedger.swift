// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// How much media a session presented, and in which renditions: counted where the position moves on with time, never where it jumps.
struct MediaLedger {
    /// A step further than time and rate allow by more than this is a jump. Positions are told a few times a second.
    private static let slack: Int64 = 500_000
    /// No player goes faster, in thousandths; a log may say anything.
    private static let fastestRate: Int64 = 16_000

    /// Microseconds of media; loops count again. nil until a position was told.
    private(set) var presented: Int64?
    /// The furthest position, in microseconds.
    private(set) var highest: Int64?
    private(set) var renditions = SessionRecord.Renditions()

    private var mark: (position: Int64, time: EventTime)?
    private var rate: Int64 = 1000
    /// The fastest rate since the mark.
    private var fastest: Int64 = 1000
    private var current: Int?

    mutating func accept(_ event: PlayerEvent, duration: MediaTime?) {
        switch event.type {
        case .position: advance(to: event.value(0), at: event.time)
        case .firstVideoFrame where event.values[1] == 0 && mark == nil: advance(to: event.value(0), at: event.time)
        case .seekBegin:
            advance(to: event.value(0) == nil ? nil : event.position?.microseconds, at: event.time)
            mark = nil
        case .seekEnd:
            mark = nil
            advance(to: event.value(0), at: event.time)
        case .loop:
            advance(to: duration?.microseconds, at: event.time)
            mark = (0, event.time)
        case .completed: advance(to: event.position?.microseconds ?? duration?.microseconds, at: event.time)
        case .rate:
            rate = min(max(event.value(0) ?? 1000, 0), MediaLedger.fastestRate)
            fastest = max(fastest, rate)
        case .rendition: change(to: event)
        default: break
        }
    }

    private mutating func advance(to position: Int64?, at time: EventTime) {
        guard let position else { return }
        if let mark {
            let step = position - mark.position
            // In thousandths of microseconds, as the rate is.
            let room = Double(time - mark.time) * Double(fastest) + Double(MediaLedger.slack * 1000)
            if step > 0, Double(step) * 1000 <= room { book(step) }
        }
        presented = presented ?? 0
        highest = max(highest ?? position, position)
        mark = (position, time)
        fastest = rate
    }

    private mutating func book(_ step: Int64) {
        presented = (presented ?? 0) + step
        if let current { renditions.list[current].mediaTime += step }
    }

    private mutating func change(to event: PlayerEvent) {
        let next = SessionRecord.Rendition(
            id: event.text.isEmpty ? nil : event.text, width: event.count(0), height: event.count(1),
            bitrate: event.count(2))
        let known = renditions.list.firstIndex {
            $0.id == next.id && $0.width == next.width && $0.height == next.height && $0.bitrate == next.bitrate
        }
        guard known == nil || known != current else { return }
        switch current.flatMap({ renditions.list[$0].isBelow(next) }) {
        case true?: renditions.up += 1
        case false?: renditions.down += 1
        case nil: break
        }
        if !renditions.list.isEmpty { renditions.switches += 1 }
        if let known {
            current = known
        } else if renditions.list.count < SessionRecord.listLimit {
            current = renditions.list.count
            renditions.list.append(next)
        } else {
            current = nil
        }
    }
}

extension SessionRecord.Rendition {
    /// Whether the other is a better one: by bitrate, else by the size of the picture. nil if neither tells.
    fileprivate func isBelow(_ other: SessionRecord.Rendition) -> Bool? {
        if let own = bitrate, let others = other.bitrate, own != others { return own < others }
        guard let width, let height, let otherWidth = other.width, let otherHeight = other.height else { return nil }
        let (own, others) = (Double(width) * Double(height), Double(otherWidth) * Double(otherHeight))
        return own == others ? nil : own < others
    }
}
