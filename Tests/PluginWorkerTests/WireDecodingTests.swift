// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PluginHost
import Sessions
import TestSupport
import Testing
import WorkerWire

@Suite("Messages of a worker")
struct WireDecodingTests {
    /// A message of `kind` with the bytes of `body` and, behind it, `tail`.
    private func message<Body: BitwiseCopyable>(_ kind: Int, _ body: Body, tail: [UInt8] = []) -> [UInt8] {
        let bytes = bytes(of: body) + tail
        let head = kitw_header(
            version: KITW_WIRE_VERSION, kind: UInt32(kind), call: 1, instance: 1, length: UInt32(bytes.count))
        return self.bytes(of: head) + bytes
    }

    private func bytes<Value: BitwiseCopyable>(of value: Value) -> [UInt8] {
        unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
    }

    private func decode(_ bytes: [UInt8]) throws(WireFault) -> WorkerMessage {
        try WorkerMessage(bytes)
    }

    /// One that is an answer to a decision comes by another way than the others.
    private func read(_ bytes: [UInt8]) throws {
        if bytes.count > 4, bytes[4] == UInt8(KITW_DECISION) {
            _ = try WireDecision(message: bytes, instance: 1, room: DecisionRoom(evict: 8))
        } else {
            _ = try decode(bytes)
        }
    }

    private var examples: [[UInt8]] {
        let field = kitw_field(
            type: 3, reserved: 0, integer: 1, number: 0.5, key: kitw_text(offset: 72, length: 3),
            text: kitw_text(offset: 75, length: 2))
        let report = kitw_report(
            kind: 1, session: 1, flags: 0, field_count: 1, fields_offset: 32, reserved: 0,
            name: kitw_text(offset: 72, length: 3))
        return [
            message(KITW_HELLO, kitw_hello(abi_major: 1, abi_minor: 0, pid: 7, reserved: 0)),
            message(
                KITW_LOADED,
                kitw_loaded(
                    result: 0, stage: 7, event_mask: (1, 0), detail: kitw_text(offset: 32, length: 4)),
                tail: Array("text".utf8)),
            message(KITW_CREATED, kitw_result(result: 0, refused: 0)),
            message(KITW_EVENTS_DONE, kitw_result(result: -3, refused: 0)),
            message(
                KITW_DECISION,
                kitw_decision(
                    result: 0, action: 1, handle: 4, create_count: 0, evict_count: 2, evict_offset: 48,
                    prepare_count: 0, prepare_offset: 0, said: kitw_text(offset: 64, length: 2)),
                tail: Array(repeating: 9, count: 18)),
            message(KITW_REPORT, report, tail: bytes(of: field) + Array("keyhi".utf8)),
            message(
                KITW_LOG, kitw_line(code: 2, reserved: 0, text: kitw_text(offset: 16, length: 5)),
                tail: Array("hello".utf8)),
            message(
                KITW_ERROR_TEXT, kitw_line(code: -1, reserved: 0, text: kitw_text(offset: 16, length: 5)),
                tail: Array("hello".utf8)),
            message(
                KITW_DENIED, kitw_line(code: 257, reserved: 0, text: kitw_text(offset: 16, length: 6)),
                tail: Array("openat".utf8)),
            message(
                KITW_WALLS, kitw_walls(walls: 3, reserved: 0, missing: kitw_text(offset: 16, length: 2)),
                tail: Array("no".utf8)),
            message(KITW_ACTION, kitw_action(sequence: 9, argument: 0, session: 1, action: 1)),
        ]
    }

    @Test func areReadWhenTheyAreWhole() throws {
        for example in examples { try read(example) }
        let decoded = try examples.filter { $0[4] != UInt8(KITW_DECISION) }.map { try decode($0) }
        #expect(decoded.allSatisfy { $0.call == 1 && $0.instance == 1 })
        guard case .report(.success(let entry)) = decoded[4].content else {
            Issue.record("no report: \(decoded[4])")
            return
        }
        #expect(entry.name == "key")
        #expect(entry.fields == [ReportEntry.Field("key", .string("hi"))])
    }

    @Test func areRefusedAtEveryShorterLength() {
        for example in examples {
            for length in 0..<example.count {
                #expect(throws: WireFault.self) { try read(Array(example[..<length])) }
            }
        }
    }

    @Test func neverDoHarm() {
        var random = SeededGenerator(seed: 20_261)
        var refused = 0
        for round in 0..<20_000 {
            var bytes = examples[round % examples.count]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : 0xff
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                bytes.append(contentsOf: (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) })
                // So that what lies behind the head is looked at.
                bytes[20] = UInt8(bytes.count - KITW_HEADER_SIZE)
            }
            do { try read(bytes) } catch { refused += 1 }
        }
        #expect(refused > 10_000)
        #expect(refused < 20_000)
    }
}
