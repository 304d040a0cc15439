// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// The stalls of one session.
public struct StallRecord: Hashable, Sendable {
    /// How a stall began.
    public enum Kind: String, Sendable {
        /// While playing.
        case plain
        /// The user resumed into an empty buffer.
        case onResume = "on_resume"
    }

    /// One stall, however often a pause cut it.
    public struct Stall: Hashable, Sendable {
        /// Microseconds since the request.
        public var start: Int64
        /// Microseconds in state stalled.
        public var duration: Int64
        public var cause: LoadingCause
        public var kind: Kind
    }

    /// Stalls of at least 1 ms.
    public internal(set) var count: Int64 = 0
    /// Microseconds in state stalled.
    public internal(set) var total: Int64 = 0
    /// Stalled time over watched time; nil if nothing was watched.
    public internal(set) var ratio: Double?
    /// Stalled time over stalled and playing time; nil if there was neither.
    public internal(set) var playRatio: Double?
    /// Stalls per second of playing; nil if nothing played.
    public internal(set) var rebufferRate: Double?
    /// Microseconds of playing per stall, all of it without one; nil if nothing played.
    public internal(set) var timeBetween: Int64?
    /// As the play ratio, of the stalls caused by the network or the live edge.
    public internal(set) var connectionInducedRatio: Double?
    /// Of those counted, the ones that began with a resume.
    public internal(set) var onResumeCount: Int64 = 0
    /// Microseconds in stalls that began with a resume.
    public internal(set) var onResumeTime: Int64 = 0
    /// The first `SessionRecord.listLimit` of those counted.
    public internal(set) var list: [Stall] = []
    /// Loading began although it was already on; the first begin counts.
    public internal(set) var duplicateBegins: Int64 = 0
    /// Loading ended although it was not on.
    public internal(set) var orphanEnds: Int64 = 0
}
