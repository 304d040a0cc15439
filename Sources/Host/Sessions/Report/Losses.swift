// SPDX-License-Identifier: Apache-2.0

public import JSONText

/// What a run counted instead of using it: the report's `losses`. nil where the run cannot have such a thing.
public struct Losses: Hashable, Sendable {
    /// Lines of a log that were passed over.
    public var malformedLines: UInt64?
    /// Events of a log whose name is not known.
    public var unknownEvents: UInt64?
    /// Times of a log that went back and were clamped.
    public var clampedTimes: UInt64?
    /// Events that belonged to no open session.
    public var outOfSession: UInt64 = 0
    /// Edges that found no room on the way; the sessions that were open then are incomplete.
    public var lostEdges: UInt64?
    /// Levels that found no room on the way; a newer one followed.
    public var lostLevels: UInt64?
    /// Sessions whose states do not sum to their elapsed time: a defect of this program.
    public var inconsistentSessions: UInt64 = 0
    /// Reports of strategies that were refused or not kept: the sum of their rows.
    public var cutReports: UInt64 = 0

    public init() {}

    public var json: JSONValue {
        let value = { (number: UInt64?) in JSONValue(number.map { Int64(clamping: $0) }) }
        return [
            "malformed_lines": value(malformedLines), "unknown_events": value(unknownEvents),
            "clamped_times": value(clampedTimes), "out_of_session": value(outOfSession),
            "lost_edges": value(lostEdges), "lost_levels": value(lostLevels), "cut_reports": value(cutReports),
            "inconsistent_sessions": value(inconsistentSessions),
        ]
    }
}
