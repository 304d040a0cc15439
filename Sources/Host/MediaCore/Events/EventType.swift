// SPDX-License-Identifier: Apache-2.0

/// What happened. An open set: an unknown type is carried along and ignored, never an error.
///
/// The numbers are those of the plugin ABI (`kitshell/event.h`, which also says what each type's values hold); a test holds
/// the two together.
public struct EventType: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public static let request = EventType(rawValue: 1)
    public static let attach = EventType(rawValue: 2)
    public static let detach = EventType(rawValue: 3)
    public static let state = EventType(rawValue: 4)
    public static let playIntent = EventType(rawValue: 5)
    public static let pauseIntent = EventType(rawValue: 6)
    public static let opened = EventType(rawValue: 7)
    public static let streamInfo = EventType(rawValue: 8)
    public static let firstPacket = EventType(rawValue: 9)
    public static let firstDecoded = EventType(rawValue: 10)
    public static let prepared = EventType(rawValue: 11)
    public static let firstVideoFrame = EventType(rawValue: 12)
    public static let firstAudio = EventType(rawValue: 13)
    public static let position = EventType(rawValue: 14)
    public static let tick = EventType(rawValue: 15)
    public static let loadingBegin = EventType(rawValue: 16)
    public static let loadingEnd = EventType(rawValue: 17)
    public static let loadingProgress = EventType(rawValue: 18)
    public static let demuxUnderrun = EventType(rawValue: 19)
    public static let outputUnderrun = EventType(rawValue: 20)
    public static let demuxEOF = EventType(rawValue: 21)
    public static let decoderSlow = EventType(rawValue: 22)
    public static let decoderFallback = EventType(rawValue: 23)
    public static let seekBegin = EventType(rawValue: 24)
    public static let seekEnd = EventType(rawValue: 25)
    public static let seekSuperseded = EventType(rawValue: 26)
    public static let seekFailed = EventType(rawValue: 27)
    public static let rate = EventType(rawValue: 28)
    public static let loop = EventType(rawValue: 29)
    public static let mute = EventType(rawValue: 30)
    public static let display = EventType(rawValue: 31)
    public static let rendition = EventType(rawValue: 32)
    public static let videoSize = EventType(rawValue: 33)
    public static let trackReady = EventType(rawValue: 34)
    public static let trackChanged = EventType(rawValue: 35)
    public static let frames = EventType(rawValue: 36)
    public static let bytes = EventType(rawValue: 37)
    public static let retry = EventType(rawValue: 38)
    public static let network = EventType(rawValue: 39)
    public static let foreground = EventType(rawValue: 40)
    public static let background = EventType(rawValue: 41)
    public static let suspended = EventType(rawValue: 42)
    public static let suppressed = EventType(rawValue: 43)
    public static let error = EventType(rawValue: 44)
    public static let completed = EventType(rawValue: 45)
    public static let stop = EventType(rawValue: 46)
    public static let sourceSwitch = EventType(rawValue: 47)
    public static let evict = EventType(rawValue: 48)
    public static let takenOver = EventType(rawValue: 49)
    public static let destroy = EventType(rawValue: 50)
    public static let actionRequested = EventType(rawValue: 51)
    public static let actionDone = EventType(rawValue: 52)
    public static let sessionState = EventType(rawValue: 53)

    /// Types of version 1 stay below this.
    public static let limit: UInt32 = 128

    /// Levels may be coalesced and never wake the dispatcher; every other type is an edge, which is never dropped silently.
    public var isLevel: Bool {
        switch self {
        case .position, .tick, .loadingProgress, .frames, .bytes: true
        default: false
        }
    }
}

/// A set of event types below `EventType.limit`.
public struct EventMask: Hashable, Sendable {
    public var low: UInt64
    public var high: UInt64

    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    public init(_ types: EventType...) {
        self.init(low: 0, high: 0)
        for type in types {
            if type.rawValue < 64 {
                low |= 1 << UInt64(type.rawValue)
            } else if type.rawValue < EventType.limit {
                high |= 1 << UInt64(type.rawValue - 64)
            }
        }
    }

    public static let all = EventMask(low: .max, high: .max)

    public func contains(_ type: EventType) -> Bool {
        if type.rawValue < 64 { return low & (1 << UInt64(type.rawValue)) != 0 }
        if type.rawValue < EventType.limit { return high & (1 << UInt64(type.rawValue - 64)) != 0 }
        return false
    }
}
