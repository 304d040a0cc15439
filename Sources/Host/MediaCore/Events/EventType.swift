// SPDX-License-Identifier: Apache-2.0

/// What happened. An open set: an unknown type is carried along and ignored, never an error.
///
/// The numbers are those of the plugin ABI (`kitshell/event.h`, which also says what each type's values hold); a test holds
/// the two together.
public struct EventType: RawRepresentable, Hashable, Sendable {
    /// Its number in the plugin ABI.
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// A session opens.
    public static let request = EventType(rawValue: 1)
    /// The player got a foreground owner.
    public static let attach = EventType(rawValue: 2)
    /// The player lost its foreground owner.
    public static let detach = EventType(rawValue: 3)
    /// The player entered a state.
    public static let state = EventType(rawValue: 4)
    /// The user wants it to play.
    public static let playIntent = EventType(rawValue: 5)
    /// The user wants it to pause.
    public static let pauseIntent = EventType(rawValue: 6)
    /// The source is open.
    public static let opened = EventType(rawValue: 7)
    /// The number of tracks is known.
    public static let streamInfo = EventType(rawValue: 8)
    /// The first packet was read.
    public static let firstPacket = EventType(rawValue: 9)
    /// The first frame came out of the decoder, not shown yet.
    public static let firstDecoded = EventType(rawValue: 10)
    /// The source can be played, and what it is is known.
    public static let prepared = EventType(rawValue: 11)
    /// The first picture of the session is shown. Once a session.
    public static let firstVideoFrame = EventType(rawValue: 12)
    /// The first sound of the session is at the output. Once a session.
    public static let firstAudio = EventType(rawValue: 13)
    /// Where playback is and up to where media has been read.
    public static let position = EventType(rawValue: 14)
    /// Time passed; made by the dispatcher, at least every 250 ms of an open session.
    public static let tick = EventType(rawValue: 15)
    /// Playback, or its start, waits for data.
    public static let loadingBegin = EventType(rawValue: 16)
    /// It waits no longer.
    public static let loadingEnd = EventType(rawValue: 17)
    /// How much of what ends a loading is there.
    public static let loadingProgress = EventType(rawValue: 18)
    /// There are no packets left to decode.
    public static let demuxUnderrun = EventType(rawValue: 19)
    /// The output has nothing left to present.
    public static let outputUnderrun = EventType(rawValue: 20)
    /// The source was read to its end.
    public static let demuxEOF = EventType(rawValue: 21)
    /// The output has nothing left although packets wait.
    public static let decoderSlow = EventType(rawValue: 22)
    /// Another decoder took over.
    public static let decoderFallback = EventType(rawValue: 23)
    /// A seek was asked for.
    public static let seekBegin = EventType(rawValue: 24)
    /// The first frame at or after the target of a seek is presented.
    public static let seekEnd = EventType(rawValue: 25)
    /// A seek was given up for another, whose begin follows.
    public static let seekSuperseded = EventType(rawValue: 26)
    /// A seek cannot be done; playback goes on where it was.
    public static let seekFailed = EventType(rawValue: 27)
    /// The playback rate changed.
    public static let rate = EventType(rawValue: 28)
    /// The source begins again.
    public static let loop = EventType(rawValue: 29)
    /// Mute or volume changed.
    public static let mute = EventType(rawValue: 30)
    /// Mirror, rotation or scale mode changed.
    public static let display = EventType(rawValue: 31)
    /// Another video track is decoded from now on.
    public static let rendition = EventType(rawValue: 32)
    /// The size of the picture is known, or changed.
    public static let videoSize = EventType(rawValue: 33)
    /// The tracks of the source are known.
    public static let trackReady = EventType(rawValue: 34)
    /// Another track is played in place of the one of its kind.
    public static let trackChanged = EventType(rawValue: 35)
    /// How many frames there were since the session began.
    public static let frames = EventType(rawValue: 36)
    /// How much was read since the session began.
    public static let bytes = EventType(rawValue: 37)
    /// A network operation failed and is tried again.
    public static let retry = EventType(rawValue: 38)
    /// The machine is connected in another way.
    public static let network = EventType(rawValue: 39)
    /// The application came back from the background.
    public static let foreground = EventType(rawValue: 40)
    /// The application went to the background.
    public static let background = EventType(rawValue: 41)
    /// The machine slept, which event time does not see.
    public static let suspended = EventType(rawValue: 42)
    /// Something outside forbids, or no longer forbids, what the user wants to play.
    public static let suppressed = EventType(rawValue: 43)
    /// Something failed; a fatal one ends the session.
    public static let error = EventType(rawValue: 44)
    /// Played to the end. Ends the session.
    public static let completed = EventType(rawValue: 45)
    /// Stopped by the user, or where the model says. Ends the session.
    public static let stop = EventType(rawValue: 46)
    /// Ends the session for another source.
    public static let sourceSwitch = EventType(rawValue: 47)
    /// The lifecycle strategy gave the player up. Ends the session.
    public static let evict = EventType(rawValue: 48)
    /// Another controller got the player. Ends the session.
    public static let takenOver = EventType(rawValue: 49)
    /// The controller was destroyed. Ends the session.
    public static let destroy = EventType(rawValue: 50)
    /// A strategy asks for an action.
    public static let actionRequested = EventType(rawValue: 51)
    /// An action that a strategy asked for was done.
    public static let actionDone = EventType(rawValue: 52)
    /// The session entered a state; made by the session reducer.
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
    /// One bit for each of the types 0 to 63.
    public var low: UInt64
    /// One bit for each of the types 64 to 127.
    public var high: UInt64

    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// A set of types; one at or above the limit is left out.
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

    /// Every type there is and may come to be below the limit.
    public static let all = EventMask(low: .max, high: .max)

    /// Whether a type is in the set; never one at or above the limit.
    public func contains(_ type: EventType) -> Bool {
        if type.rawValue < 64 { return low & (1 << UInt64(type.rawValue)) != 0 }
        if type.rawValue < EventType.limit { return high & (1 << UInt64(type.rawValue - 64)) != 0 }
        return false
    }
}
