// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import MediaCore

/// Turns one line of a log into an event. Missing and null values are unknown; values of a wrong type are errors.
struct EventLineParser {
    static let keepGoingHint = "Correct the line, or pass over such lines with --keep-going."

    /// What is wrong with a line, before its number is known.
    private struct Malformed: Error {
        var message: String

        init(_ message: String) {
            self.message = message
        }
    }

    private let reader = JSONReader(maximumDepth: 16)

    /// What a line tells of.
    enum Line {
        case event(PlayerEvent)
        /// An operation of a player pool, which is in no session.
        case pool
        /// An event whose name is not known.
        case unknown
    }

    func parse(_ text: Span<UInt8>, line: Int) throws(EventLogError) -> Line {
        let message: String
        do {
            return try event(try reader.read(text))
        } catch let error as Malformed {
            message = error.message
        } catch let error as JSONError {
            message = "it is not JSON: column \(error.column): \(error.message)"
        } catch {
            message = "\(error)"
        }
        throw EventLogError(line: line, message: message, hint: EventLineParser.keepGoingHint)
    }

    private func event(_ value: JSONValue) throws -> Line {
        guard let object = value.object else { throw Malformed("it is not an object") }
        guard let time = try thousandths(object["t_ms"], "t_ms") else { throw Malformed("t_ms is missing") }
        guard let name = try text(object, "event") else { throw Malformed("event is missing") }
        if name == PoolRecord.eventName { return .pool }
        guard var event = try EventSchema.named(name).map({ try named($0, object) }) ?? unnamed(name, object) else {
            return .unknown
        }
        event.time = EventTime(microseconds: time)
        if let session = try number(object["session"], "session") { event.session = SessionID(rawValue: session) }
        if let controller = try number(object["controller"], "controller") {
            event.controller = ControllerID(rawValue: controller)
        }
        event.positionMicroseconds = try thousandths(object["at_ms"], "at_ms") ?? PlayerEvent.unknown
        if try flag(object["replayed"], "replayed") == 1 { event.flags.insert(.replayed) }
        return .event(event)
    }

    private func named(_ schema: EventSchema, _ object: JSONObject) throws -> PlayerEvent {
        var event = PlayerEvent(schema.type)
        try fill(&event, schema.slots, from: object)
        if let (key, mark) = schema.flag, try flag(object[key], key) == 1 { event.flags.insert(mark) }
        switch schema.text {
        case .none: break
        case .whole(let key): event.text = try text(object, key) ?? ""
        case .source:
            let source = try text(object, "source") ?? ""
            event.values[0] = Int64(source.utf8.count)
            event.text = source + (try text(object, "unique_id") ?? "")
        case .failure:
            event.text = TextLines.join(
                try text(object, "name") ?? "", try text(object, "message") ?? "", try text(object, "hint") ?? "")
        case .media: try describe(&event, object["media"])
        }
        return event
    }

    private func describe(_ event: inout PlayerEvent, _ media: JSONValue?) throws {
        let media = try child(media, "media")
        let video = try child(media["video"], "video")
        let audio = try child(media["audio"], "audio")
        try fill(&event, EventSchema.videoSlots, from: video)
        try fill(&event, EventSchema.audioSlots, from: audio)
        if try flag(media["seekable"], "seekable") == 1 { event.flags.insert(.seekable) }
        event.text = TextLines.join(
            try text(media, "container") ?? "", try text(video, "codec") ?? "", try text(audio, "codec") ?? "")
    }

    /// An event that was written by number.
    private func unnamed(_ name: String, _ object: JSONObject) throws -> PlayerEvent? {
        guard name.hasPrefix(EventLog.unnamedPrefix),
            let type = UInt32(name.dropFirst(EventLog.unnamedPrefix.count)),
            EventSchema.of(EventType(rawValue: type)) == nil
        else { return nil }
        var event = PlayerEvent(EventType(rawValue: type))
        let values = object["v"]?.array ?? []
        for index in event.values.indices where index < values.count {
            event.values[index] = try integer(values[index], "v") ?? PlayerEvent.unknown
        }
        event.text = try text(object, "text") ?? ""
        event.flags = EventFlags(rawValue: UInt32(truncatingIfNeeded: try integer(object["flags"], "flags") ?? 0))
        return event
    }

    // MARK: Values

    private func fill(_ event: inout PlayerEvent, _ slots: [EventSchema.Slot], from object: JSONObject) throws {
        for slot in slots {
            guard let value = object[slot.key] else {
                event.values[slot.index] = slot.absent
                continue
            }
            let number =
                switch slot.kind {
                case .thousandths, .moment: try thousandths(value, slot.key)
                case .integer: try integer(value, slot.key)
                case .flag: try flag(value, slot.key)
                case .name(let names): try index(value, of: names, slot.key)
                case .eventName: try eventNumber(value, slot.key)
                }
            event.values[slot.index] = number ?? PlayerEvent.unknown
        }
    }

    private func thousandths(_ value: JSONValue?, _ key: String) throws -> Int64? {
        guard let value, !value.isNull else { return nil }
        guard let number = value.number else { throw Malformed("\(key) is not a number") }
        let scaled = (number * 1000).rounded()
        guard scaled.magnitude <= Double(EventLimits.largest) else { throw Malformed("\(key) is out of range") }
        return Int64(scaled)
    }

    private func integer(_ value: JSONValue?, _ key: String) throws -> Int64? {
        guard let value, !value.isNull else { return nil }
        guard let number = value.int ?? value.number.flatMap({ Int64(exactly: $0) }) else {
            throw Malformed("\(key) is not a whole number")
        }
        guard EventLimits.holds(number) else { throw Malformed("\(key) is out of range") }
        return number
    }

    /// A session's or controller's number.
    private func number(_ value: JSONValue?, _ key: String) throws -> UInt32? {
        guard let number = try integer(value, key) else { return nil }
        guard number >= 1, number <= Int64(EventLimits.largestNumber) else {
            throw Malformed("\(key) is not between 1 and \(EventLimits.largestNumber)")
        }
        return UInt32(number)
    }

    private func flag(_ value: JSONValue?, _ key: String) throws -> Int64? {
        guard let value, !value.isNull else { return nil }
        if let flag = value.bool { return flag ? 1 : 0 }
        if value.int != nil { return try integer(value, key) }
        throw Malformed("\(key) is neither true nor false")
    }

    private func index(_ value: JSONValue, of names: [String], _ key: String) throws -> Int64? {
        if value.isNull { return nil }
        guard let name = value.string else { return try integer(value, key) }
        if !name.isEmpty, let index = names.firstIndex(of: name) { return Int64(index) }
        let valid = names.filter { !$0.isEmpty }.joined(separator: ", ")
        throw Malformed("\(key) \"\(name.prefix(64))\" is none of \(valid)")
    }

    private func eventNumber(_ value: JSONValue, _ key: String) throws -> Int64? {
        if value.isNull { return nil }
        guard let name = value.string else { return try integer(value, key) }
        return EventSchema.named(name).map { Int64($0.type.rawValue) }
    }

    private func text(_ object: JSONObject, _ key: String) throws -> String? {
        guard let value = object[key], !value.isNull else { return nil }
        guard let text = value.string else { throw Malformed("\(key) is not a text") }
        return text
    }

    private func child(_ value: JSONValue?, _ key: String) throws -> JSONObject {
        guard let value, !value.isNull else { return [:] }
        guard let object = value.object else { throw Malformed("\(key) is not an object") }
        return object
    }
}
