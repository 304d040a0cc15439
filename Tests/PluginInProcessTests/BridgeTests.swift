// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaCore
import PluginABI
import PluginHost
import Sessions
import Testing

@Suite("event batches")
struct EventBatchEncoderTests {
    /// What a batch holds, read as a plugin reads it.
    private func read(_ encoder: EventBatchEncoder) -> [(type: UInt32, text: String)] {
        unsafe encoder.withBatch(controller: ControllerID(rawValue: 1), dropped: 3) { batch in
            let head = unsafe batch.pointee
            #expect(unsafe head.dropped == 3)
            return (0..<(unsafe Int(head.event_count))).map { index in
                guard let event = unsafe head.events?[index] else { return (0, "") }
                let text = unsafe UnsafeRawBufferPointer(start: head.text, count: Int(head.text_length))
                let range = Int(event.text_offset)..<Int(event.text_offset + event.text_length)
                return (event.type, unsafe String(decoding: text[range], as: UTF8.self))
            }
        }
    }

    @Test("every member of an event crosses")
    func members() {
        var event = PlayerEvent(
            .opened, session: SessionID(rawValue: 9), time: EventTime(microseconds: 77), values: [1, 2, 3, 4, 5, .min],
            text: "mp4", flags: .replayed)
        event.sequence = 1 << 40
        event.position = MediaTime(microseconds: 5)
        let encoder = EventBatchEncoder()
        #expect(encoder.fill(from: [event], wanted: .all).isEmpty)
        unsafe encoder.withBatch(controller: ControllerID(rawValue: 2), dropped: 0) { batch in
            let head = unsafe batch.pointee
            #expect(unsafe head.controller == 2)
            #expect(unsafe head.event_stride == 96)
            guard let record = unsafe head.events?.pointee else {
                Issue.record("no record")
                return
            }
            #expect(record.struct_size == 96)
            #expect(record.type == UInt32(KIT_EVENT_OPENED))
            #expect(record.flags == UInt32(KIT_EVENT_FLAG_REPLAYED))
            #expect(record.session == 9)
            #expect(record.sequence == 1 << 40)
            #expect(record.time_us == 77)
            #expect(record.position_us == 5)
            #expect(record.v == (1, 2, 3, 4, 5, .min))
        }
        #expect(unsafe encoder.records.count == 96)
        #expect(unsafe encoder.text.elementsEqual("mp4".utf8))
    }

    @Test("a full batch leaves the rest, in order, and unwanted types never fill it")
    func bounds() {
        let encoder = EventBatchEncoder(maxEvents: 2, maxText: 8)
        let events = ["aaaa", "bbbb", "c", "dddddddddddd", "e"].map { PlayerEvent(.opened, text: $0) }
        var rest = events[...]
        var batches: [[String]] = []
        while !rest.isEmpty {
            let before = rest.count
            rest = encoder.fill(from: rest, wanted: EventMask(.opened))
            #expect(rest.count < before)
            batches.append(read(encoder).map(\.text))
        }
        #expect(batches == [["aaaa", "bbbb"], ["c"], ["dddddddd"], ["e"]])
        #expect(encoder.fill(from: events[...], wanted: EventMask(.stop)).isEmpty)
        #expect(encoder.count == 0)
    }

    @Test("a text that is cut is cut between characters")
    func cutText() {
        let encoder = EventBatchEncoder(maxEvents: 4, maxText: 6)
        _ = encoder.fill(from: [PlayerEvent(.opened, text: "aaaaäö")], wanted: .all)
        #expect(read(encoder).map(\.text) == ["aaaaä"])
        _ = encoder.fill(from: [PlayerEvent(.opened, text: "aaa🎬")], wanted: .all)
        #expect(read(encoder).map(\.text) == ["aaa"])
    }

    @Test("the split of a request's text never lies outside it", arguments: [Int64.min, -1, 4, .max])
    func split(value: Int64) {
        let encoder = EventBatchEncoder()
        let event = PlayerEvent(.request, values: [value, 0, 0, 0, 0, 0], text: "abc")
        _ = encoder.fill(from: [event], wanted: .all)
        unsafe encoder.withBatch(controller: ControllerID(rawValue: 1), dropped: 0) { batch in
            let value = unsafe batch.pointee.events?.pointee.v.0
            #expect(value.map { (0...3).contains($0) } == true)
        }
    }

    @Test("a mask of zeroes wants everything")
    func mask() {
        #expect(EventMask(abi: 0, 0) == .all)
        #expect(EventMask(abi: 2, 0) == EventMask(.request))
    }
}

@Suite("reports")
struct ReportTests {
    private let session = SessionID(rawValue: 1)

    /// An event of each of these sessions.
    private func batch(_ sessions: ClosedRange<UInt32>, at time: EventTime = .zero) -> ArraySlice<PlayerEvent> {
        sessions.map { number in
            var event = PlayerEvent.tick
            event.session = SessionID(rawValue: number)
            event.time = time
            return event
        }[...]
    }

    private func limits(sessions: Int = 1) -> ReportLimits {
        var limits = ReportLimits()
        limits.note(batch(1...UInt32(sessions)))
        return limits
    }

    @Test(
        "names follow the grammar",
        arguments: [
            ("a", true), ("a_1", true), ("", false), ("1a", false), ("A", false), ("_a", false), ("a-b", false),
            ("ä", false), ("a b", false), (String(repeating: "a", count: 64), true),
            (String(repeating: "a", count: 65), false),
        ])
    func names(name: String, isAllowed: Bool) {
        var limits = limits()
        let result = limits.admit(ReportEntry(.record, session: session, name: name, fields: []))
        #expect(result == (isAllowed ? .ok : .badArgument))
        let field = limits.admit(ReportEntry(.record, session: session, name: "a", fields: [.init(name, .int(1))]))
        #expect(field == (isAllowed ? .ok : .badArgument))
    }

    @Test("fields, names, sessions, rate and size are limited")
    func bounds() {
        var limits = limits()
        let many = (0..<65).map { ReportEntry.Field("f\($0)", .int(1)) }
        #expect(limits.admit(ReportEntry(.record, session: session, name: "a", fields: many)) == .badArgument)
        let twice = [ReportEntry.Field("f", .int(1)), .init("f", .int(2))]
        #expect(limits.admit(ReportEntry(.record, session: session, name: "a", fields: twice)) == .badArgument)
        #expect(limits.admit(ReportEntry(.record, session: SessionID(rawValue: 2), name: "a", fields: [])) == .stale)
        for number in 0..<64 {
            #expect(limits.admit(ReportEntry(.record, session: session, name: "n\(number)", fields: [])) == .ok)
        }
        #expect(limits.admit(ReportEntry(.record, session: session, name: "n64", fields: [])) == .limit)
        #expect(limits.admit(ReportEntry(.record, session: session, name: "n0", fields: [])) == .ok)
    }

    @Test("every session of a batch can be reported on, and the newest former ones")
    func sessions() {
        var limits = limits(sessions: 40)
        let report = { (number: UInt32) in
            limits.admit(ReportEntry(.record, session: SessionID(rawValue: number), name: "a", fields: []))
        }
        #expect((1...40).allSatisfy { report($0) == .ok })
        limits.note(batch(41...41))
        #expect((25...41).allSatisfy { report($0) == .ok })
        #expect(report(24) == .stale)
    }

    @Test("a second of event time takes a thousand reports")
    func rate() {
        var limits = limits()
        let entry = ReportEntry(.record, session: session, name: "a", fields: [])
        #expect((0..<1500).count { _ in limits.admit(entry) == .ok } == 1000)
        limits.note(batch(1...1, at: EventTime(microseconds: 999_999)))
        #expect(limits.admit(entry) == .limit)
        limits.note(batch(1...1, at: EventTime(microseconds: 1_000_000)))
        #expect(limits.admit(entry) == .ok)
    }

    @Test("a call has events of one second from the first event on")
    func seconds() {
        var limits = ReportLimits()
        let times: [Int64] = [500_000, 900_000, 1_499_999, 1_500_000, 2_499_999, 9_000_000]
        var events = times.flatMap { batch(1...1, at: EventTime(microseconds: $0)) }[...]
        var calls: [Int] = []
        while !events.isEmpty {
            let call = limits.sameSecond(events)
            limits.note(call)
            calls.append(call.count)
            events = events[call.endIndex...]
        }
        #expect(calls == [3, 2, 1])
    }

    @Test("a report holds 32 KiB at most, whatever its kind", arguments: [ReportEntry.Kind.record, .occurrence])
    func large(kind: ReportEntry.Kind) {
        var limits = limits()
        func admit(_ count: Int) -> KitResult {
            let text = String(repeating: "x", count: count)
            return limits.admit(ReportEntry(kind, session: session, name: "a", fields: [.init("t", .string(text))]))
        }
        #expect(admit(32 * 1024 - 130) == .ok)
        #expect(admit(32 * 1024 - 129) == .limit)
    }

    @Test("occurrences of a session may hold 4 MiB altogether")
    func size() {
        var limits = limits()
        let entry = ReportEntry(
            .occurrence, session: session, name: "a", fields: [.init("t", .string(String(repeating: "x", count: 4096)))]
        )
        var taken = 0
        for second in 0..<5000 {
            limits.note(batch(1...1, at: EventTime(microseconds: Int64(second) * 1_000_000)))
            if limits.admit(entry) == .ok { taken += 1 }
        }
        #expect(taken * 4096 <= ReportLimits.maxOccurrenceBytes)
        #expect(taken > 900)
    }

    /// Decodes a report with one field after a change.
    private func decode(
        _ change: (inout kit_report_v1, inout kit_field_v1) -> Void
    ) throws(KitResult) -> ReportEntry {
        let name = unsafe kit_str(ptr: StaticText.name, len: 4)
        var field = unsafe kit_field_v1(
            struct_size: UInt32(MemoryLayout<kit_field_v1>.size), type: UInt32(KIT_FIELD_INT), key: name, integer: 5,
            number: 0, text: kit_str(ptr: nil, len: 0))
        var report = unsafe kit_report_v1(
            struct_size: UInt32(MemoryLayout<kit_report_v1>.size), kind: UInt32(KIT_REPORT_RECORD), session: 1,
            flags: 0,
            name: name, fields: nil, field_count: 1, field_stride: UInt32(MemoryLayout<kit_field_v1>.stride))
        return try unsafe withUnsafeMutablePointer(to: &field) { (place) throws(KitResult) -> ReportEntry in
            unsafe report.fields = UnsafePointer(place)
            unsafe change(&report, &place.pointee)
            return try unsafe withUnsafePointer(to: report) { (report) throws(KitResult) -> ReportEntry in
                try unsafe ReportDecoder.decode(report)
            }
        }
    }

    private enum StaticText {
        nonisolated(unsafe) static let name = unsafe strdup("name")
    }

    @Test("numbers that do not fit together are refused")
    func inconsistent() {
        #expect(throws: KitResult.badArgument) { try unsafe ReportDecoder.decode(nil) }
        #expect(throws: KitResult.badArgument) { try unsafe decode { report, _ in unsafe report.struct_size = 8 } }
        #expect(throws: KitResult.badArgument) { try unsafe decode { report, _ in unsafe report.kind = 3 } }
        #expect(throws: KitResult.badArgument) { try unsafe decode { report, _ in unsafe report.fields = nil } }
        #expect(throws: KitResult.badArgument) { try unsafe decode { report, _ in unsafe report.field_count = .max } }
        #expect(throws: KitResult.badArgument) { try unsafe decode { report, _ in unsafe report.field_stride = 8 } }
        #expect(throws: KitResult.badArgument) { try unsafe decode { report, _ in unsafe report.name.len = .max } }
        #expect(throws: KitResult.badArgument) { try unsafe decode { report, _ in unsafe report.name.ptr = nil } }
        #expect(throws: KitResult.badArgument) { try unsafe decode { _, field in unsafe field.struct_size = 4 } }
        #expect(throws: KitResult.badArgument) { try unsafe decode { _, field in unsafe field.key.len = 0 } }
        #expect(throws: KitResult.badArgument) {
            try unsafe decode { _, field in
                unsafe field.type = UInt32(KIT_FIELD_STRING)
                unsafe field.text.len = 7
            }
        }
    }

    @Test("values that are not known stay unknown")
    func unknownValues() throws {
        func value(_ change: (inout kit_field_v1) -> Void) throws -> ReportEntry.Value? {
            try unsafe decode { _, field in unsafe change(&field) }.fields.first?.value
        }
        #expect(try unsafe value { _ in } == .int(5))
        #expect(try unsafe value { unsafe $0.type = 99 } == .unknown)
        #expect(
            try unsafe value {
                unsafe $0.type = UInt32(KIT_FIELD_DOUBLE)
                unsafe $0.number = .nan
            } == .unknown)
        #expect(
            try unsafe value {
                unsafe $0.type = UInt32(KIT_FIELD_DURATION)
                unsafe $0.integer = .min
            } == .unknown)
        #expect(try unsafe value { unsafe $0.type = UInt32(KIT_FIELD_DURATION) } == .duration(5))
        #expect(try unsafe value { unsafe $0.type = UInt32(KIT_FIELD_FLAG) } == .flag(true))
    }
}

@Suite("results and texts")
struct KitResultTests {
    @Test(
        "unknown results have a meaning",
        arguments: [(-100, -8), (100, 1), (-4, -4), (0, 0), (1, 1)] as [(Int32, Int32)])
    func meaning(raw: Int32, expected: Int32) {
        #expect(KitResult(rawValue: raw).meaning.rawValue == expected)
    }

    @Test(
        "whole scalars are counted from the end",
        arguments: [
            ([0x61, 0x62], 2), ([0x61, 0xC3], 1), ([0x61, 0xC3, 0xA4], 3), ([0xF0, 0x9F, 0x8E], 0), ([0x80, 0x80], 2),
            ([], 0),
            ([0x80, 0x80, 0x80, 0x80, 0x80], 5), ([0xFF], 1),
        ] as [([UInt8], Int)])
    func scalars(bytes: [UInt8], expected: Int) {
        let count = unsafe bytes.withUnsafeBytes { unsafe KitText.wholeScalars($0) }
        #expect(count == expected)
    }
}
