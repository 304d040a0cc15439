// SPDX-License-Identifier: Apache-2.0

package import MediaCore
package import Sessions
internal import WorkerWire

/// What one monitor instance may report: the grammar of names, how many, how often, how much. Shared by both places.
///
/// Thread: one at a time; a value.
package struct ReportLimits: Sendable {
    /// Bytes of a name or key.
    package static let maxNameBytes = 64
    /// Fields in a report.
    package static let maxFields = 64
    /// Different names in a session.
    package static let maxNames = 64
    /// Reports in a second of event time.
    package static let maxPerSecond = KITW_REPORTS_MAX
    /// What the occurrences of one session may hold altogether; records replace each other and need no such bound.
    package static let maxOccurrenceBytes = 4 * 1024 * 1024
    /// Sessions of former batches that may still be reported on: the newest ones.
    package static let maxSessions = 16

    private struct OpenSession {
        var id: SessionID
        var names: Set<String> = []
        var occurrenceBytes = 0
    }

    private var sessions: [OpenSession] = []
    private var now = EventTime.zero
    private var secondBegan: EventTime?
    private var reportsInSecond = 0

    package init() {}

    /// Whether a name or key is `[a-z][a-z0-9_]*` of at most 64 bytes.
    package static func isName(_ text: some Collection<UInt8>) -> Bool {
        guard let first = text.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first, text.count <= maxNameBytes
        else { return false }
        return text.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }

    /// Tells of which sessions and moments the next batch has events; only these and the newest former sessions can be reported on.
    package mutating func note(_ events: ArraySlice<PlayerEvent>) {
        sessions = sessions.suffix(ReportLimits.maxSessions)
        for event in events where sessions.last?.id != event.session {
            if !sessions.contains(where: { $0.id == event.session }) { sessions.append(OpenSession(id: event.session)) }
        }
        if let last = events.last { now = last.time }
    }

    /// Whether nothing more is taken at this moment.
    package var isExhausted: Bool { reportsInSecond >= ReportLimits.maxPerSecond && !isNewSecond }

    private var isNewSecond: Bool { secondBegan.map { now - $0 >= 1_000_000 || now < $0 } ?? true }

    /// Checks one report against the grammar and the limits, and reckons it in.
    ///
    /// - Returns: `ok`, `badArgument` (grammar, number of fields, a key twice), `stale` (no such session) or `limit`.
    package mutating func admit(_ entry: ReportEntry) -> KitResult {
        guard ReportLimits.isWellFormed(entry) else { return .badArgument }
        guard let index = sessions.lastIndex(where: { $0.id == entry.session }) else { return .stale }
        if isNewSecond {
            secondBegan = now
            reportsInSecond = 0
        }
        let bytes = entry.kind == .occurrence ? ReportLimits.size(of: entry) : 0
        let isNew = !sessions[index].names.contains(entry.name)
        guard
            reportsInSecond < ReportLimits.maxPerSecond,
            !isNew || sessions[index].names.count < ReportLimits.maxNames,
            sessions[index].occurrenceBytes + bytes <= ReportLimits.maxOccurrenceBytes
        else { return .limit }
        reportsInSecond += 1
        if isNew { sessions[index].names.insert(entry.name) }
        sessions[index].occurrenceBytes += bytes
        return .ok
    }

    private static func isWellFormed(_ entry: ReportEntry) -> Bool {
        guard isName(entry.name.utf8), entry.fields.count <= maxFields else { return false }
        var keys: Set<String> = []
        return entry.fields.allSatisfy { isName($0.key.utf8) && keys.insert($0.key).inserted }
    }

    private static func size(of entry: ReportEntry) -> Int {
        entry.fields.reduce(64 + entry.name.utf8.count) { sum, field in
            if case .string(let text) = field.value { return sum + 64 + field.key.utf8.count + text.utf8.count }
            return sum + 64 + field.key.utf8.count
        }
    }
}
