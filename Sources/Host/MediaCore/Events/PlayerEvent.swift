// SPDX-License-Identifier: Apache-2.0

/// Identifies a controller within a process; counts from 1.
public struct ControllerID: RawRepresentable, Hashable, Comparable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public static func < (left: ControllerID, right: ControllerID) -> Bool { left.rawValue < right.rawValue }
}

/// Identifies a session within a process: one attempt to play one source. Counts from 1 and is never used again.
public struct SessionID: RawRepresentable, Hashable, Comparable, Sendable {
    public var rawValue: UInt32

    @inlinable
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// "Whatever session is open": what an event from a log without session numbers carries.
    @inlinable public static var none: SessionID { SessionID(rawValue: 0) }

    public static func < (left: SessionID, right: SessionID) -> Bool { left.rawValue < right.rawValue }
}

/// Facts about an event besides its values.
public struct EventFlags: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32

    @inlinable
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// An earlier value, delivered to a late subscriber with its original time.
    @inlinable public static var replayed: EventFlags { EventFlags(rawValue: 1) }
    /// On `loadingBegin`: nothing more will be read.
    @inlinable public static var endOfFile: EventFlags { EventFlags(rawValue: 2) }
    /// On `prepared`: the source can be seeked.
    @inlinable public static var seekable: EventFlags { EventFlags(rawValue: 4) }
}

/// One event of a playback session. Flat on purpose: the same six values cross the plugin ABI, fill the log and feed the reducer.
///
/// `kitshell/event.h` says what `values` and `text` hold for each type; `PlayerEvent+Make.swift` writes them and
/// `PlayerEvent+Read.swift` reads them, so nobody else counts slots.
public struct PlayerEvent: Sendable {
    /// The value of a slot that is not known.
    @inlinable public static var unknown: Int64 { Int64.min }

    /// What happened; says what `values` and `text` hold.
    public var type: EventType
    /// Facts besides the values.
    public var flags: EventFlags
    /// Whose player it was.
    public var controller: ControllerID
    /// The session it belongs to.
    public var session: SessionID
    /// Strictly increasing per controller; 0 until the event has been given its place.
    public var sequence: UInt64
    /// When it happened, in event time.
    public var time: EventTime
    /// Media position in microseconds when it happened, or `unknown`.
    public var positionMicroseconds: Int64
    /// Six numbers whose meaning the type gives; `unknown` where one is not known.
    public var values: InlineArray<6, Int64>
    /// What the type says, mostly nothing.
    public var text: String

    public init(
        _ type: EventType, controller: ControllerID = ControllerID(rawValue: 1), session: SessionID = .none,
        time: EventTime = .zero, values: InlineArray<6, Int64> = InlineArray(repeating: 0), text: String = "",
        flags: EventFlags = []
    ) {
        self.type = type
        self.flags = flags
        self.controller = controller
        self.session = session
        self.sequence = 0
        self.time = time
        self.positionMicroseconds = PlayerEvent.unknown
        self.values = values
        self.text = text
    }

    /// The media position when it happened, `nil` if there is none.
    @inlinable public var position: MediaTime? {
        get { MediaTime(known: positionMicroseconds) }
        set { positionMicroseconds = newValue?.microseconds ?? PlayerEvent.unknown }
    }

    /// Value `index` (0 to 5), `nil` if it is not known.
    @inlinable
    public func value(_ index: Int) -> Int64? {
        values[index] == PlayerEvent.unknown ? nil : values[index]
    }

    /// Value `index` where only 0 and more make sense: of what a log says, a negative count or size is not known either.
    package func count(_ index: Int) -> Int64? { value(index).flatMap { $0 < 0 ? nil : $0 } }
}

extension MediaTime {
    /// `nil` for the unknown value of an event slot.
    @inlinable
    public init?(known microseconds: Int64) {
        guard microseconds != PlayerEvent.unknown else { return nil }
        self.init(microseconds: microseconds)
    }
}

extension PlayerEvent: Equatable {
    public static func == (left: PlayerEvent, right: PlayerEvent) -> Bool {
        guard
            left.type == right.type, left.flags == right.flags, left.controller == right.controller,
            left.session == right.session, left.sequence == right.sequence, left.time == right.time,
            left.positionMicroseconds == right.positionMicroseconds, left.text == right.text
        else { return false }
        return left.values.indices.allSatisfy { left.values[$0] == right.values[$0] }
    }
}
