// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Sessions
import TestSupport
import Testing

/// Most lines are read without a JSON tree; a space after the brace sends a line the long way. Both must say the same.
@Suite struct EventLineScannerTests {
    private enum Outcome: Equatable {
        case event(PlayerEvent)
        case unknown
        case malformed
    }

    private func outcome(_ line: [UInt8]) -> Outcome {
        var reader = EventLogReader(bytes: Array("{\"schema\":\"kitshell.events/1\"}\n".utf8) + line + [0x0a])
        do {
            guard let event = try reader.next() else { return .unknown }
            return .event(event)
        } catch {
            return .malformed
        }
    }

    private func expectBothWaysAgree(_ line: [UInt8]) {
        guard line.first == UInt8(ascii: "{") else { return }
        let long = outcome([UInt8(ascii: "{"), UInt8(ascii: " ")] + line.dropFirst())
        let short = outcome(line)
        #expect(short == long, "\(String(decoding: line, as: UTF8.self))")
    }

    @Test(arguments: UInt64(1)...10) func writtenLinesAreReadTheSameBothWays(seed: UInt64) throws {
        var source = RandomEvents(seed: seed)
        let log = try recorded(Replay(source.sequence(of: 400)).delivered)
        for line in log.split(separator: "\n").dropFirst() { expectBothWaysAgree(Array(line.utf8)) }
    }

    @Test(arguments: UInt64(1)...10) func mutatedLinesAreReadTheSameBothWays(seed: UInt64) throws {
        var source = RandomEvents(seed: seed)
        var random = SeededGenerator(seed: seed)
        let log = try recorded(Replay(source.sequence(of: 150)).delivered)
        let spice = Array("{}[]\":,.-+eE0123456789 \\\ttruefalsn\u{0}é".utf8)
        for line in log.split(separator: "\n").dropFirst() {
            for _ in 0..<4 {
                var bytes = Array(line.utf8)
                for _ in 0..<Int.random(in: 1...3, using: &random) where bytes.count > 1 {
                    let place = Int.random(in: 1..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes.remove(at: place)
                    case 1: bytes.insert(spice.randomElement(using: &random) ?? 0, at: place)
                    case 2: bytes[place] = spice.randomElement(using: &random) ?? 0
                    default:
                        let end = min(bytes.count, place + Int.random(in: 1...20, using: &random))
                        bytes.insert(contentsOf: bytes[place..<end], at: place)
                    }
                }
                if !bytes.contains(0x0a) { expectBothWaysAgree(bytes) }
            }
        }
    }

    @Test(arguments: [
        "0", "-0", "-1", "1.5", "-0.5", "00", "01", "1.", ".5", "1e3", "1E3", "1.0000", "0.0004", "0.0005", "1.001",
        "+1",
        "999999999999.999", "1125899906842.623", "1125899906842.624", "-1125899906842.623", "1234567890123456", "null",
        "true",
        "\"1\"", "9007199254740993", "1125899906842623", "1125899906842624", "- 1", "1 ", "0x1", "1..2",
    ])
    func numbersAreReadTheSameBothWays(number: String) {
        for line in [
            "{\"t_ms\":\(number),\"event\":\"tick\"}", "{\"t_ms\":1,\"event\":\"position\",\"position_ms\":\(number)}",
            "{\"t_ms\":1,\"event\":\"bytes\",\"read\":\(number)}",
            "{\"t_ms\":1,\"event\":\"tick\",\"session\":\(number)}",
            "{\"t_ms\":1,\"event\":\"suppressed\",\"on\":\(number)}",
            "{\"t_ms\":1,\"event\":\"state\",\"state\":\(number)}",
            "{\"t_ms\":1,\"event\":\"tick\",\"at_ms\":\(number)}",
            "{\"t_ms\":1,\"event\":\"tick\",\"replayed\":\(number)}",
        ] { expectBothWaysAgree(Array(line.utf8)) }
    }

    @Test(arguments: [
        #"{"t_ms":1,"event":"tick","session":1,"session":1}"#, #"{"t_ms":1,"event":"tick","t_ms":1}"#,
        #"{"t_ms":1,"event":"tick","event":"tick"}"#, #"{"t_ms":1,"event":"bytes","read":1,"read":2}"#,
        #"{"t_ms":1,"event":"tick","x":1}"#, #"{"t_ms":1,"event":""}"#, #"{"t_ms":1,"event":"ti\u0063k"}"#,
        #"{"t_ms":1,"event":"state","state":""}"#, #"{"t_ms":1,"event":"state","state":"dancing"}"#,
        #"{"t_ms":1,"event":"session_state","state":"suppressed_buffering","cause":"request"}"#,
        #"{"t_ms":1,"event":"session_state","state":"playing","cause":"unheard_of"}"#,
        #"{"t_ms":1,"event":"loading_begin","eof":true,"cause":"network"}"#,
        #"{"t_ms":1,"event":"loading_begin","eof":false}"#,
        #"{"t_ms":1,"event":"loading_begin","eof":1}"#, #"{"t_ms":1,"event":"request","source":"a"}"#,
        #"{"t_ms":1,"event":"opened","container":"mp4"}"#, #"{"t_ms":1,"event":"tick"}x"#, #"{"t_ms":1,"event":"tick""#,
        #"{"t_ms":1,"event":"tick",}"#, #"{"t_ms":1,"event":"network","type":"wifi","metered":true}"#,
        #"{"event":"tick","t_ms":1}"#, #"{"t_ms":1,"event":"tick","controller":0}"#,
    ])
    func oddLinesAreReadTheSameBothWays(line: String) {
        expectBothWaysAgree(Array(line.utf8))
    }
}
