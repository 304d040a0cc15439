// SPDX-License-Identifier: Apache-2.0

/// What happened. An open set: an unknown type is carried along and ignored, never an error.
///
/// The numbers are those of the plugin ABI (`kitshell/event.h`, which also says what each type's values hold); a test holds
/// the two together. What looks at a type is inlined: it is done several times for each event.
public struct EventType: RawRepresentable, Hashable, Sendable {
    /// Its number in the plugin ABI.
    public var rawValue: UInt32

    @inlinable
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    @inlinable
    public static func == (left: EventType, right: EventType) -> Bool { left.rawValue == right.rawValue }

    /// A session opens.
    @inlinable public static var request: EventType { EventType(rawValue: 1) }
    /// The player got a foreground owner.
    @inlinable public static var attach: EventType { EventType(rawValue: 2) }
    /// The player lost its foreground owner.
    @inlinable public static var detach: EventType { EventType(rawValue: 3) }
    /// The player entered a state.
    @inlinable public static var state: EventType { EventType(rawValue: 4) }
    /// The user wants it to play.
    @inlinable public static var playIntent: EventType { EventType(rawValue: 5) }
    /// The user wants it to pause.
    @inlinable public static var pauseIntent: EventType { EventType(rawValue: 6) }
    /// The source is open.
    @inlinable public static var opened: EventType { EventType(rawValue: 7) }
    /// The number of tracks is known.
    @inlinable public static var streamInfo: EventType { EventType(rawValue: 8) }
    /// The first packet was read.
    @inlinable public static var firstPacket: EventType { EventType(rawValue: 9) }
    /// The first frame came out of the decoder, not shown yet.
    @inlinable public static var firstDecoded: EventType { EventType(rawValue: 10) }
    /// The source can be played, and what it is is known.
    @inlinable public static var prepared: EventType { EventType(rawValue: 11) }
    /// The first picture of the session is shown. Once a session.
    @inlinable public static var firstVideoFrame: EventType { EventType(rawValue: 12) }
    /// The first sound of the session is at the output. Once a session.
    @inlinable public static var firstAudio: EventType { EventType(rawValue: 13) }
    /// Where playback is and up to where media has been read.
    @inlinable public static var position: EventType { EventType(rawValue: 14) }
    /// Time passed; made by the dispatcher, at least every 250 ms of an open session.
    @inlinable public static var tick: EventType { EventType(rawValue: 15) }
    /// Playback, or its start, waits for data.
    @inlinable public static var loadingBegin: EventType { EventType(rawValue: 16) }
    /// It waits no longer.
    @inlinable public static var loadingEnd: EventType { EventType(rawValue: 17) }
    /// How much of what ends a loading is there.
    @inlinable public static var loadingProgress: EventType { EventType(rawValue: 18) }
    /// There are no packets left to decode.
    @inlinable public static var demuxUnderrun: EventType { EventType(rawValue: 19) }
    /// The output has nothing left to present.
    @inlinable public static var outputUnderrun: EventType { EventType(rawValue: 20) }
    /// The source was read to its end.
    @inlinable public static var demuxEOF: EventType { EventType(rawValue: 21) }
    /// The output has nothing left although packets wait.
    @inlinable public static var decoderSlow: EventType { EventType(rawValue: 22) }
    /// Another decoder took over.
    @inlinable public static var decoderFallback: EventType { EventType(rawValue: 23) }
    /// A seek was asked for.
    @inlinable public static var seekBegin: EventType { EventType(rawValue: 24) }
    /// The first frame at or after the target of a seek is presented.
    @inlinable public static var seekEnd: EventType { EventType(rawValue: 25) }
    /// A seek was given up for another, whose begin follows.
    @inlinable public static var seekSuperseded: EventType { EventType(rawValue: 26) }
    /// A seek cannot be done; playback goes on where it was.
    @inlinable public static var seekFailed: EventType { EventType(rawValue: 27) }
    /// The playback rate changed.
    @inlinable public static var rate: EventType { EventType(rawValue: 28) }
    /// The source begins again.
    @inlinable public static var loop: EventType { EventType(rawValue: 29) }
    /// Mute or volume changed.
    @inlinable public static var mute: EventType { EventType(rawValue: 30) }
    /// Mirror, rotation or scale mode changed.
    @inlinable public static var display: EventType { EventType(rawValue: 31) }
    /// Another video track is decoded from now on.
    @inlinable public static var rendition: EventType { EventType(rawValue: 32) }
    /// The size of the picture is known, or changed.
    @inlinable public static var videoSize: EventType { EventType(rawValue: 33) }
    /// The tracks of the source are known.
    @inlinable public static var trackReady: EventType { EventType(rawValue: 34) }
    /// Another track is played in place of the one of its kind.
    @inlinable public static var trackChanged: EventType { EventType(rawValue: 35) }
    /// How many frames there were since the session began.
    @inlinable public static var frames: EventType { EventType(rawValue: 36) }
    /// How much was read since the session began.
    @inlinable public static var bytes: EventType { EventType(rawValue: 37) }
    /// A network operation failed and is tried again.
    @inlinable public static var retry: EventType { EventType(rawValue: 38) }
    /// The machine is connected in another way.
    @inlinable public static var network: EventType { EventType(rawValue: 39) }
    /// The application came back from the background.
    @inlinable public static var foreground: EventType { EventType(rawValue: 40) }
    /// The application went to the background.
    @inlinable public static var background: EventType { EventType(rawValue: 41) }
    /// The machine slept, which event time does not see.
    @inlinable public static var suspended: EventType { EventType(rawValue: 42) }
    /// Something outside forbids, or no longer forbids, what the user wants to play.
    @inlinable public static var suppressed: EventType { EventType(rawValue: 43) }
    /// Something failed; a fatal one ends the session.
    @inlinable public static var error: EventType { EventType(rawValue: 44) }
    /// Played to the end. Ends the session.
    @inlinable public static var completed: EventType { EventType(rawValue: 45) }
    /// Stopped by the user, or where the model says. Ends the session.
    @inlinable public static var stop: EventType { EventType(rawValue: 46) }
    /// Ends the session for another source.
    @inlinable public static var sourceSwitch: EventType { EventType(rawValue: 47) }
    /// The lifecycle strategy gave the player up. Ends the session.
    @inlinable public static var evict: EventType { EventType(rawValue: 48) }
    /// Another controller got the player. Ends the session.
    @inlinable public static var takenOver: EventType { EventType(rawValue: 49) }
    /// The controller was destroyed. Ends the session.
    @inlinable public static var destroy: EventType { EventType(rawValue: 50) }
    /// A strategy asks for an action.
    @inlinable public static var actionRequested: EventType { EventType(rawValue: 51) }
    /// An action that a strategy asked for was done.
    @inlinable public static var actionDone: EventType { EventType(rawValue: 52) }
    /// The session entered a state; made by the session reducer.
    @inlinable public static var sessionState: EventType { EventType(rawValue: 53) }
    /// A full second of playing is over.
    @inlinable public static var frameRate: EventType { EventType(rawValue: 54) }
    /// Something was presented for the first time after a wrap.
    @inlinable public static var loopGap: EventType { EventType(rawValue: 55) }

    /// Types of version 1 stay below this.
    @inlinable public static var limit: UInt32 { 128 }

    /// Levels may be coalesced and never wake the dispatcher; every other type is an edge, which is never dropped silently.
    @inlinable public var isLevel: Bool {
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

    @inlinable
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
    @inlinable public static var all: EventMask { EventMask(low: .max, high: .max) }

    /// Whether a type is in the set; never one at or above the limit.
    @inlinable
    public func contains(_ type: EventType) -> Bool {
        if type.rawValue < 64 { return low & (1 << UInt64(type.rawValue)) != 0 }
        if type.rawValue < EventType.limit { return high & (1 << UInt64(type.rawValue - 64)) != 0 }
        return false
    }
}
