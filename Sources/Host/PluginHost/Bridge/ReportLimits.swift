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
    /// Reports in a second of event time, counted from the first event of the instance on.
    package static let maxPerSecond = KITW_REPORTS_MAX
    /// What a report may hold: its name, its keys and its texts, and 64 bytes for each of them.
    package static let maxReportBytes = 32 * 1024
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
    /// The first event of the instance.
    private var start: EventTime?
    /// The second from there on that the events of the call are of.
    private var second: Int64 = 0
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

    /// The events at the front that are of one second, all or some of which the next call may have: a report is reckoned to the second
    /// of its call, so how many are taken depends on the events alone and not on how they came to lie in batches.
    package func sameSecond(_ events: ArraySlice<PlayerEvent>) -> ArraySlice<PlayerEvent> {
        guard let first = events.first else { return events }
        let start = start ?? first.time
        let second = ReportLimits.second(of: first, since: start)
        return events.prefix { ReportLimits.second(of: $0, since: start) == second }
    }

    private static func second(of event: PlayerEvent, since start: EventTime) -> Int64 {
        (event.time - start) / 1_000_000
    }

    /// Tells of which sessions and moment the next call has events; only these and the newest former sessions can be reported on.
    package mutating func note(_ events: ArraySlice<PlayerEvent>) {
        sessions = sessions.suffix(ReportLimits.maxSessions)
        for event in events where sessions.last?.id != event.session {
            if !sessions.contains(where: { $0.id == event.session }) { sessions.append(OpenSession(id: event.session)) }
        }
        guard let first = events.first, let last = events.last else { return }
        let start = start ?? first.time
        self.start = start
        let second = ReportLimits.second(of: last, since: start)
        if second != self.second { reportsInSecond = 0 }
        self.second = second
    }

    /// Whether nothing more is taken at this moment.
    package var isExhausted: Bool { reportsInSecond >= ReportLimits.maxPerSecond }

    /// Checks one report against the grammar and the limits, and reckons it in.
    ///
    /// - Returns: `ok`, `badArgument` (grammar, number of fields, a key twice), `stale` (no such session) or `limit`.
    package mutating func admit(_ entry: ReportEntry) -> KitResult {
        guard ReportLimits.isWellFormed(entry) else { return .badArgument }
        guard let index = sessions.lastIndex(where: { $0.id == entry.session }) else { return .stale }
        let size = ReportLimits.size(of: entry)
        let bytes = entry.kind == .occurrence ? size : 0
        let isNew = !sessions[index].names.contains(entry.name)
        guard
            !isExhausted, size <= ReportLimits.maxReportBytes,
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
