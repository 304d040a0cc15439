// SPDX-License-Identifier: Apache-2.0

import JSONText
import MediaCore
import Sessions

/// A log in short: `"0 request source=a; 0 play_intent; 12.5 prepared duration_ms=5000"`.
func events(_ script: String) throws -> [PlayerEvent] {
    let lines = script.split { $0 == ";" || $0.isNewline }.map { $0.split(separator: " ") }.filter { !$0.isEmpty }
    let log = lines.map { tokens in
        let fields = tokens.dropFirst(2).map { token -> String in
            let parts = token.split(separator: "=", maxSplits: 1)
            let isLiteral =
                ["true", "false", "null"].contains(parts[1])
                || parts[1].first.map { "-0123456789{".contains($0) } ?? false
            return "\"\(parts[0])\":\(isLiteral ? String(parts[1]) : "\"\(parts[1])\"")"
        }
        return "{\(["\"t_ms\":\(tokens[0])", "\"event\":\"\(tokens[1])\""].joined(separator: ","))"
            + fields.map { ",\($0)" }.joined() + "}\n"
    }
    return try read(log: "{\"schema\":\"kitshell.events/1\"}\n" + log.joined())
}

/// The events of a log's text.
func read(log: String) throws -> [PlayerEvent] {
    var reader = EventLogReader(text: log)
    var events: [PlayerEvent] = []
    while let event = try reader.next() { events.append(event) }
    return events
}

extension EventLogReader {
    init(text: String, keepGoing: Bool = false) {
        self.init(bytes: Array(text.utf8), keepGoing: keepGoing)
    }

    init(bytes: [UInt8], keepGoing: Bool = false, chunk: Int = 4096) {
        var position = 0
        self.init(keepGoing: keepGoing) {
            let end = min(position + chunk, bytes.count)
            defer { position = end }
            return Array(bytes[position..<end])
        }
    }
}

/// What came of sending events through the timelines of their controllers.
struct Replay {
    var delivered: [PlayerEvent] = []
    var records: [SessionRecord] = []
    var timelines: [ControllerID: ControllerTimeline] = [:]
    private let numbering = SessionNumbering()

    init(_ events: [PlayerEvent]) {
        for event in events { accept(event) }
        for controller in timelines.keys.sorted() {
            timelines[controller]?.finish()
            records += timelines[controller]?.takeClosedRecords() ?? []
        }
        records.sort { $0.session < $1.session }
    }

    init(_ script: String) throws {
        self.init(try events(script))
    }

    private mutating func accept(_ event: PlayerEvent) {
        var timeline =
            timelines.removeValue(forKey: event.controller)
            ?? ControllerTimeline(controller: event.controller, numbering: numbering)
        var delivered: [PlayerEvent] = []
        var event = event
        timeline.accept(&event) { delivered.append($0) }
        self.delivered += delivered
        timelines[event.controller] = timeline
    }

    /// The report's `sessions` without any strategy.
    var json: String {
        JSONWriter.text(
            SessionReport.json(
                records.map { SessionReport(record: $0, reports: ReportCollector(), builtIns: []) }))
    }

    var dropped: [EventType: UInt64] {
        timelines.values.reduce(into: [:]) { sum, timeline in
            sum.merge(timeline.dropped) { $0 + $1 }
        }
    }

    /// The states of a session in their order with when they were entered, in milliseconds.
    func states(of session: UInt32 = 1) -> [String] {
        delivered.filter { $0.type == .sessionState && $0.session.rawValue == session }.map { event in
            let state = SessionState(rawValue: Int32(event.values[0]))
            return "\(event.time.microseconds / 1000) \(state?.name ?? "?")"
        }
    }
}
