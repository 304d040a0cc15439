// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Sessions
import TestSupport

/// Makes events of every type with values a player could send, and some it should not.
struct RandomEvents {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// A controller's life: sessions that open, play, and end in any order, `count` events long.
    mutating func sequence(of count: Int, controller: UInt32 = 1) -> [PlayerEvent] {
        var time: Int64 = 0
        return (0..<count).map { _ in
            var event = next()
            event.controller = ControllerID(rawValue: controller)
            time +=
                chance(1, of: 40)
                ? .random(in: -50_000...4_000_000, using: &random) : .random(in: 0...60_000, using: &random)
            event.time = EventTime(microseconds: max(0, time))
            if chance(1, of: 4) { event.positionMicroseconds = number() }
            return event
        }
    }

    /// One event of any type.
    mutating func next() -> PlayerEvent {
        let pick = Int.random(in: 0..<50, using: &random)
        switch pick {
        case 0:
            return .request(
                source: text(), uniqueID: text(), player: maybe(number()),
                instance: PlayerInstanceKind(rawValue: .random(in: 0...3, using: &random)) ?? .unknown,
                continuedFrom: chance(1, of: 2) ? SessionID(rawValue: .random(in: 1...9, using: &random)) : nil)
        case 1: return .attach(player: 1)
        case 2: return .detach(player: 1)
        case 3, 4:
            return .state([.preparing, .prepared, .playing, .paused, .stopped].randomElement(using: &random) ?? .idle)
        case 5, 6: return .playIntent
        case 7: return .pauseIntent
        case 8: return .opened(container: text())
        case 9: return .streamInfo(tracks: 2)
        case 10: return .firstPacket
        case 11: return .prepared(media())
        case 12, 13: return .firstVideoFrame(pts: MediaTime(microseconds: number()), isPreview: chance(1, of: 5))
        case 14: return .firstAudio(pts: MediaTime(microseconds: number()))
        case 15:
            return .position(MediaTime(microseconds: number()), buffered: nil, soundOffset: maybe(number()))
        case 16: return .tick
        case 17, 18, 19:
            return .loadingBegin(
                cause: LoadingCause.allCases.randomElement(using: &random) ?? .unknown,
                stoppedAt: chance(1, of: 3) ? EventTime(microseconds: number()) : nil, endOfFile: chance(1, of: 4))
        case 20, 21, 22: return .loadingEnd
        case 23: return .loadingProgress(.random(in: 0...100, using: &random))
        case 24, 25: return .seekBegin(to: MediaTime(microseconds: number()))
        case 26, 27: return .seekEnd(at: MediaTime(microseconds: number()))
        case 28: return PlayerEvent(.seekSuperseded)
        case 29: return PlayerEvent(.seekFailed, text: text())
        case 30: return PlayerEvent(.rate, values: [1500, 0, 0, 0, 0, 0])
        case 31: return .videoSize(width: 640, height: 360)
        case 32:
            return .frames(
                FrameCounts(
                    decoded: number(), presented: number(), droppedLate: 1, maxConsecutiveDropped: maybe(number())))
        case 33:
            return .bytes(
                ByteCounts(read: number(), arrival: maybe(ByteCounts.Arrival(count: number(), duration: number()))))
        case 34: return .network(NetworkType.allCases.randomElement(using: &random) ?? .unknown, metered: maybe(true))
        case 35: return .foreground
        case 36: return .background
        case 37: return PlayerEvent(.suppressed, values: [chance(1, of: 2) ? 1 : 0, 0, 0, 0, 0, 0])
        case 38: return PlayerEvent(.suspended, values: [abs(number()), 0, 0, 0, 0, 0])
        case 39:
            let code = ErrorCode(rawValue: .random(in: 1000...6999, using: &random), name: "a.b")
            return .error(PlayerError(code, text(), hint: text()), isFatal: chance(1, of: 3))
        case 40: return .completed
        case 41: return .stop(StopReason(rawValue: .random(in: 0...4, using: &random)) ?? .user)
        case 42: return .sourceSwitch(source: text(), uniqueID: text())
        case 43: return [.evict, .takenOver, .destroy].randomElement(using: &random) ?? .evict
        case 44: return PlayerEvent(.rendition, values: [1, 2, 3, 0, 0, 0], text: text())
        case 45: return PlayerEvent(.retry, values: [1, 0, 0, 0, 0, 0], text: text())
        case 46: return .frameRate(presented: number(), seconds: number())
        case 47: return .loopGap(number())
        case 48: return PlayerEvent(EventType(rawValue: 100), values: [number(), 1, 2, 3, 4, 5], text: text())
        default: return .sessionState(rawState: 5, cause: .playIntent)
        }
    }

    private mutating func chance(_ part: Int, of whole: Int) -> Bool { .random(in: 0..<whole, using: &random) < part }

    private mutating func maybe<T>(_ value: T) -> T? { chance(1, of: 2) ? value : nil }

    private mutating func number() -> Int64 {
        chance(1, of: 10)
            ? .random(in: -(1 << 50) + 1...(1 << 50) - 1, using: &random)
            : .random(in: -1000...90_000_000, using: &random)
    }

    private mutating func text() -> String {
        ["", "a.mp4", "url:é/ü?x=1", "tab\tquote\"back\\slash\u{1}", "日本", "with\nfeed"].randomElement(using: &random)
            .map { $0.contains("\n") ? "with feed" : $0 } ?? ""
    }

    private mutating func media() -> MediaDescription {
        MediaDescription(
            container: text(), duration: maybe(MediaTime(microseconds: number())), isSeekable: chance(1, of: 2),
            video: maybe(VideoDescription(codec: "h264", width: 640, height: 360, framesPer1000Seconds: maybe(29_970))),
            audio: maybe(AudioDescription(codec: "aac", sampleRate: 48_000, channels: 2)))
    }
}
