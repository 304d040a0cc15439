// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// How one session went over time, in bounded memory: what a picture of it is drawn from.
///
/// Made of the events as they are delivered, so live and replay give the same. Times are microseconds since the request.
public struct SessionTrace: Hashable, Sendable {
    /// A time spent in one state.
    public struct Segment: Hashable, Sendable {
        public var state: SessionState
        public var start: Int64
        public var duration: Int64
    }

    /// How much media lay ahead of the playhead.
    public struct Level: Hashable, Sendable {
        public var time: Int64
        /// Microseconds of media.
        public var ahead: Int64
    }

    /// Pictures that came too late.
    public struct Late: Hashable, Sendable {
        public var time: Int64
        public var count: Int64
    }

    /// Something that happened at one moment.
    public struct Mark: Hashable, Sendable {
        public enum Kind: String, Sendable, CaseIterable {
            case firstFrame
            case firstAudio
            case seek
            case rendition
            case loop
            case network
            case retry
            case error
        }

        public var kind: Kind
        public var time: Int64
        /// What is to be said of it, not for machines; untrusted, may be empty.
        public var text: String
    }

    /// Entries of a list, at most. Levels and late pictures are thinned out to fit; of segments and marks the first are kept.
    public static let limit = 1000

    /// The first ones, in order, without gaps.
    public private(set) var segments: [Segment] = []
    /// In order; of each stretch the lowest level.
    public private(set) var levels: [Level] = []
    public private(set) var late: [Late] = []
    public private(set) var marks: [Mark] = []
    /// Segments and marks that were not kept.
    public private(set) var cut: Int64 = 0
    /// When the last event came.
    public private(set) var end: Int64 = 0

    private let start: EventTime
    /// The segment that goes on.
    private var open: Int?
    private var thinning = Thinning()
    private var lateKnown: Int64 = 0
    private var lateSpan: Int64 = 250_000

    /// - Parameter request: the event that opened the session.
    package init(request: PlayerEvent) {
        start = request.time
    }

    /// Takes an event of the session, in the order of delivery.
    package mutating func accept(_ event: PlayerEvent) {
        let time = event.time - start
        end = max(end, time)
        if let open { segments[open].duration = end - segments[open].start }
        switch event.type {
        case .sessionState: enter(Int32(exactly: event.values[0]).flatMap(SessionState.init(rawValue:)), at: time)
        case .position:
            guard let position = event.value(0), let buffered = event.value(1) else { return }
            thinning.add(Level(time: time, ahead: max(0, buffered - position)), to: &levels)
        case .frames: noteLate(event.value(2), at: time)
        case .firstVideoFrame where event.values[1] == 0: mark(.firstFrame, time)
        case .firstAudio: mark(.firstAudio, time)
        case .seekBegin: mark(.seek, time, "to \(SessionTrace.seconds(event.value(0)))")
        case .rendition:
            let size = event.count(0).flatMap { width in event.count(1).map { "\(width)x\($0)" } }
            let rate = event.count(2).map { "\($0 / 1000) kbit/s" }
            mark(
                .rendition, time,
                [event.text, size, rate].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", "))
        case .loop: mark(.loop, time)
        case .network: mark(.network, time, event.network?.name ?? "")
        case .retry: mark(.retry, time, event.text)
        case .error:
            guard let (error, isFatal) = event.failure else { return }
            mark(.error, time, (isFatal ? "" : "not fatal: ") + error.message)
        default: break
        }
    }

    private mutating func enter(_ state: SessionState?, at time: Int64) {
        // A sleep is told between two states and lasts no event time.
        if state == .suspended { return }
        if let open, segments[open].duration == 0 { segments.removeLast() }
        open = nil
        guard let state, !state.isTerminal else { return }
        if let last = segments.indices.last, segments[last].state == state {
            open = last
        } else if segments.count < SessionTrace.limit {
            open = segments.count
            segments.append(Segment(state: state, start: time, duration: 0))
        } else {
            cut += 1
        }
    }

    private mutating func mark(_ kind: Mark.Kind, _ time: Int64, _ text: String = "") {
        guard marks.count < SessionTrace.limit else {
            cut += 1
            return
        }
        marks.append(Mark(kind: kind, time: time, text: String(text.prefix(200))))
    }

    private mutating func noteLate(_ count: Int64?, at time: Int64) {
        guard let count, count > lateKnown else { return }
        let new = count - lateKnown
        lateKnown = count
        if let last = late.indices.last, time - late[last].time < lateSpan {
            late[last].count += new
            return
        }
        if late.count >= SessionTrace.limit {
            lateSpan *= 2
            late = late.reduce(into: []) { merged, next in
                if let last = merged.indices.last, next.time - merged[last].time < lateSpan {
                    merged[last].count += next.count
                } else {
                    merged.append(next)
                }
            }
        }
        guard late.count < SessionTrace.limit else {
            cut += 1
            return
        }
        late.append(Late(time: time, count: new))
    }

    private static func seconds(_ microseconds: Int64?) -> String {
        guard let microseconds else { return "an unknown position" }
        let hundredths = microseconds / 10_000
        let fraction = abs(hundredths % 100)
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) s"
    }
}

extension SessionTrace {
    /// Keeps every so many levels, of each stretch the lowest; twice as many are put together whenever the list is full.
    private struct Thinning: Hashable {
        private var stretch = 1
        private var inLast = 0

        mutating func add(_ level: Level, to levels: inout [Level]) {
            if inLast > 0, inLast < stretch, let last = levels.indices.last {
                if level.ahead < levels[last].ahead { levels[last] = level }
                inLast += 1
                return
            }
            if levels.count >= SessionTrace.limit {
                levels = stride(from: 0, to: levels.count, by: 2).map { index in
                    let pair = levels[index..<min(index + 2, levels.count)]
                    return pair.min { $0.ahead < $1.ahead } ?? levels[index]
                }
                stretch *= 2
            }
            levels.append(level)
            inLast = 1
        }
    }
}
