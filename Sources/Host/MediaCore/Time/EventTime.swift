// SPDX-License-Identifier: Apache-2.0

/// A moment in event time: whole microseconds since an arbitrary start, monotonic.
///
/// Event time is what events, requests and logs carry. Deadlines of supervision are never expressed in it.
public struct EventTime: Hashable, Comparable, Sendable {
    /// Since the arbitrary start.
    public var microseconds: Int64

    @inlinable
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    @inlinable public static var zero: EventTime { EventTime(microseconds: 0) }

    @inlinable
    public static func < (left: EventTime, right: EventTime) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The span from `right` to `left`, in microseconds.
    @inlinable
    public static func - (left: EventTime, right: EventTime) -> Int64 {
        left.microseconds &- right.microseconds
    }

    @inlinable
    public static func + (left: EventTime, microseconds: Int64) -> EventTime {
        EventTime(microseconds: left.microseconds &+ microseconds)
    }
}

/// A position on the media timeline in whole microseconds; unknown is `nil` where a position may be missing, never zero.
public struct MediaTime: Hashable, Comparable, Sendable {
    /// Negative before the beginning of the timeline.
    public var microseconds: Int64

    @inlinable
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    @inlinable public static var zero: MediaTime { MediaTime(microseconds: 0) }

    @inlinable
    public static func < (left: MediaTime, right: MediaTime) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Milliseconds, for people and reports.
    public var milliseconds: Double { Double(microseconds) / 1000 }
}
