// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import MediaCore

/// Writes events as lines of JSON, `kitshell.events/1`; what is read back is equal, sequence numbers aside, which are given anew.
///
/// Thread: one at a time.
package struct EventLogWriter: Sendable {
    /// Bytes that are collected before they go to the sink.
    private static let bufferSize = 1 << 16

    private let origin: EventTime
    private let sink: @Sendable ([UInt8]) throws -> Void
    private var json = JSONWriter()

    /// - Parameters:
    ///   - origin: the event time that the log's times count from.
    ///   - sink: takes whole lines, in order.
    package init(origin: EventTime = .zero, sink: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.origin = origin
        self.sink = sink
        json.write(["schema": .string(EventLog.schema)] as JSONValue)
        json.endLine()
    }

    /// Appends one event.
    ///
    /// - Throws: what the sink throws; the lines it was given are then lost.
    package mutating func write(_ event: PlayerEvent) throws {
        append(event)
        json.endLine()
        if json.bytes.count >= EventLogWriter.bufferSize { try flush() }
    }

    /// Appends an operation of a player pool.
    ///
    /// - Throws: as of `write(_: PlayerEvent)`.
    package mutating func write(_ record: PoolRecord) throws {
        json.write(record.json(origin: origin))
        json.endLine()
        if json.bytes.count >= EventLogWriter.bufferSize { try flush() }
    }

    /// One event as a log has it, for people: its line without the line feed.
    ///
    /// - Parameter origin: the event time that its time counts from.
    package static func line(_ event: PlayerEvent, origin: EventTime) -> String {
        var writer = EventLogWriter(origin: origin) { _ in }
        writer.json.removeAll()
        writer.append(event)
        return String(decoding: writer.json.bytes, as: UTF8.self)
    }

    private mutating func append(_ event: PlayerEvent) {
        json.beginObject()
        json.key("t_ms")
        json.write(thousandths: event.time - origin)
        json.key("event")
        let schema = EventSchema.of(event.type)
        json.write(schema?.name ?? "\(EventLog.unnamedPrefix)\(event.type.rawValue)")
        if event.session != .none {
            json.key("session")
            json.write(Int64(event.session.rawValue))
        }
        if event.controller.rawValue != 1 {
            json.key("controller")
            json.write(Int64(event.controller.rawValue))
        }
        if let schema { write(event, schema) } else { writeUnnamed(event) }
        if event.positionMicroseconds != PlayerEvent.unknown {
            json.key("at_ms")
            json.write(thousandths: event.positionMicroseconds)
        }
        if event.flags.contains(.replayed) {
            json.key("replayed")
            json.write(true)
        }
        json.endObject()
    }

    /// Hands everything to the sink.
    package mutating func flush() throws {
        defer { json.removeAll() }
        if !json.bytes.isEmpty { try sink(json.bytes) }
    }

    // MARK: Values

    private mutating func write(_ event: PlayerEvent, _ schema: EventSchema) {
        if case .source = schema.text {
            write("source", event.source ?? "", always: true)
            write("unique_id", event.uniqueID ?? "")
        }
        write(event, schema.slots)
        if let flag = schema.flag, event.flags.contains(flag.flag) {
            json.key(flag.key)
            json.write(true)
        }
        switch schema.text {
        case .none, .source: break
        case .whole(let key): write(key, event.text)
        case .failure:
            let lines = TextLines(event.text)
            write("name", lines[0])
            write("message", lines[1], always: true)
            write("hint", lines[2])
        case .media: writeMedia(event)
        }
    }

    private mutating func writeMedia(_ event: PlayerEvent) {
        let lines = TextLines(event.text)
        let isSeekable = event.flags.contains(.seekable)
        let hasVideo = !lines[1].isEmpty || EventSchema.videoSlots.contains { event.value($0.index) != nil }
        let hasAudio = !lines[2].isEmpty || EventSchema.audioSlots.contains { event.value($0.index) != nil }
        guard isSeekable || hasVideo || hasAudio || !lines[0].isEmpty else { return }
        json.key("media")
        json.beginObject()
        write("container", lines[0])
        json.key("seekable")
        json.write(isSeekable)
        if hasVideo { writeTrack("video", lines[1], EventSchema.videoSlots, event) }
        if hasAudio { writeTrack("audio", lines[2], EventSchema.audioSlots, event) }
        json.endObject()
    }

    private mutating func writeTrack(
        _ key: String, _ codec: String, _ slots: [EventSchema.Slot], _ event: PlayerEvent
    ) {
        json.key(key)
        json.beginObject()
        write("codec", codec)
        write(event, slots)
        json.endObject()
    }

    private mutating func write(_ event: PlayerEvent, _ slots: [EventSchema.Slot]) {
        for slot in slots {
            guard let value = event.value(slot.index) else {
                if slot.absent != PlayerEvent.unknown {
                    json.key(slot.key)
                    json.null()
                }
                continue
            }
            json.key(slot.key)
            switch slot.kind {
            case .thousandths: json.write(thousandths: value)
            case .moment: json.write(thousandths: value - origin.microseconds)
            case .integer: json.write(value)
            case .flag where value == 0 || value == 1: json.write(value == 1)
            case .flag: json.write(value)
            case .name(let names):
                if value >= 0, value < names.count, !names[Int(value)].isEmpty {
                    json.write(names[Int(value)])
                } else {
                    json.write(value)
                }
            case .eventName:
                if let schema = UInt32(exactly: value).flatMap({ EventSchema.of(EventType(rawValue: $0)) }) {
                    json.write(schema.name)
                } else {
                    json.write(value)
                }
            }
        }
    }

    private mutating func writeUnnamed(_ event: PlayerEvent) {
        json.key("v")
        json.beginArray()
        for index in event.values.indices {
            if let value = event.value(index) { json.write(value) } else { json.null() }
        }
        json.endArray()
        write("text", event.text)
        json.key("flags")
        json.write(Int64(event.flags.rawValue))
    }

    private mutating func write(_ key: String, _ text: String, always: Bool = false) {
        guard always || !text.isEmpty else { return }
        json.key(key)
        json.write(text)
    }
}
