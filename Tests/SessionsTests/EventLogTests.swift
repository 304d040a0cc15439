// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Sessions
import TestSupport
import Testing

/// The spelling of logs, and what a log that is wrong leads to.
@Suite struct EventLogTests {
    static let header = "{\"schema\":\"kitshell.events/1\"}\n"
    static let good = "{\"t_ms\":1,\"event\":\"play_intent\"}\n"

    @Test func linesAreSpelledAsDocumented() throws {
        var events: [PlayerEvent] = [
            .request(source: "a.mp4", uniqueID: "url:a.mp4", player: 1, instance: .cold, continuedFrom: nil),
            .state(.preparing),
            .prepared(
                MediaDescription(
                    container: "mov,mp4", duration: MediaTime(microseconds: 5_000_000), isSeekable: true,
                    video: VideoDescription(codec: "h264", width: 640, height: 360, framesPer1000Seconds: 29_970),
                    audio: AudioDescription(codec: "aac", sampleRate: 48_000, channels: 2))),
            .firstVideoFrame(pts: MediaTime(microseconds: -333)),
            .loadingBegin(cause: .sourceGap, stoppedAt: EventTime(microseconds: 20_500), endOfFile: true),
            .network(.cellular, metered: true),
            .network(.none, metered: nil),
            .error(PlayerError(.truncated, "ends early", hint: "get it again"), isFatal: false),
            .stop(.until),
            .sessionState(rawState: 33, cause: .stop),
        ]
        for index in events.indices {
            events[index].session = SessionID(rawValue: 1)
            events[index].time = EventTime(microseconds: 12_500)
        }
        events[1].controller = ControllerID(rawValue: 2)
        events[3].positionMicroseconds = 40
        let expected = """
            {"schema":"kitshell.events/1"}
            {"t_ms":12.5,"event":"request","session":1,"source":"a.mp4","unique_id":"url:a.mp4","player":1,"instance":"cold"}
            {"t_ms":12.5,"event":"state","session":1,"controller":2,"state":"preparing"}
            {"t_ms":12.5,"event":"prepared","session":1,"duration_ms":5000,"media":{"container":"mov,mp4","seekable":true,"video":{"codec":"h264","width":640,"height":360,"fps":29.97},"audio":{"codec":"aac","rate":48000,"channels":2}}}
            {"t_ms":12.5,"event":"first_video_frame","session":1,"pts_ms":-0.333,"kind":"shown","at_ms":0.04}
            {"t_ms":12.5,"event":"loading_begin","session":1,"cause":"source_gap","stopped_at_ms":20.5,"eof":true}
            {"t_ms":12.5,"event":"network","session":1,"type":"cellular","metered":true}
            {"t_ms":12.5,"event":"network","session":1,"type":"none"}
            {"t_ms":12.5,"event":"error","session":1,"code":3002,"fatal":false,"name":"container.truncated","message":"ends early","hint":"get it again"}
            {"t_ms":12.5,"event":"stop","session":1,"reason":"until"}
            {"t_ms":12.5,"event":"session_state","session":1,"state":"stopped","cause":"stop"}

            """
        #expect(try recorded(events) == expected)
        #expect(try read(log: expected) == events)
    }

    @Test(arguments: ["", header])
    func aLineWithoutAnEndIsGivenUp(start: String) {
        var chunk = Array(start.utf8)
        var reader = EventLogReader {
            defer { chunk = [UInt8](repeating: 0, count: 1 << 16) }
            return chunk.isEmpty ? [0] : chunk
        }
        let error = #expect(throws: EventLogError.self) { try reader.next() }
        #expect(error?.line == (start.isEmpty ? 1 : 2))
        #expect(error?.message.contains("longer than 1048576 bytes") == true)
    }

    @Test func whatIsNotToldIsUnknown() throws {
        let events = try events(
            "0 request; 0 prepared; 0 network; 0 position; 0 error; 0 loading_begin; 0 stop; 0 bytes read=null")
        #expect(events[0].value(1) == nil)
        #expect(events[0].session == .none)
        #expect(events[0].controller == ControllerID(rawValue: 1))
        #expect(events[1].media == MediaDescription(container: ""))
        #expect(events[2].value(1) == nil)
        #expect(events[3].value(0) == nil)
        #expect(events[4].failure?.isFatal == true)
        #expect(events[5].value(0) == Int64(LoadingCause.unknown.rawValue))
        #expect(events[6].stopReason == .user)
        #expect(events[7].value(0) == nil)
    }

    @Test func unknownEventsAndKeysArePassedOver() throws {
        var reader = EventLogReader(
            text: Self.header
                + "{\"t_ms\":0,\"event\":\"hologram\",\"z\":[1]}\n{\"t_ms\":1,\"event\":\"tick\",\"mood\":{}}\n")
        #expect(try reader.next()?.type == .tick)
        #expect(try reader.next() == nil)
        #expect(reader.unknownEvents == 1)
    }

    @Test(arguments: [1, 2, 3, 7, 100_000]) func chunksMayEndAnywhere(size: Int) throws {
        let log = try GoldenLog(name: "pause-into-empty-buffer").text.replacing("\n", with: "\r\n\n")
        var reader = EventLogReader(bytes: Array(log.utf8), chunk: size)
        var events: [PlayerEvent] = []
        while let event = try reader.next() { events.append(event) }
        #expect(events == (try read(log: try GoldenLog(name: "pause-into-empty-buffer").text)))
    }

    @Test func theLastLineNeedsNoLineFeed() throws {
        #expect(try read(log: Self.header + String(Self.good.dropLast())).count == 1)
    }

    // MARK: Wrong logs

    @Test(arguments: [
        "", "\n\n", "{}\n", "[]\n", "{\"schema\":1}\n", "{\"schema\":\"kitshell.events/2\"}\n", good,
        "RIFF\u{0}\u{1}\n",
    ])
    func aFileOfAnotherKindIsRefusedEvenWhenKeepingGoing(log: String) {
        for keepGoing in [false, true] {
            var reader = EventLogReader(text: log, keepGoing: keepGoing)
            let error = #expect(throws: EventLogError.self) { try reader.next() }
            #expect(error?.message.contains("kitshell.events/1") == true)
        }
    }

    @Test func aFirstLineWithoutEndIsRefused() {
        var reader = EventLogReader(bytes: [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20), keepGoing: true)
        #expect(throws: EventLogError.self) { try reader.next() }
    }

    struct Line: ExpressibleByStringLiteral, CustomTestStringConvertible {
        var text: String
        var testDescription: String { String(text.prefix(60)) }

        init(_ text: String) { self.text = text }
        init(stringLiteral text: String) { self.text = text }
    }

    static let malformed: [Line] = [
        "nonsense", "{", "[]", "7", "null", "{\"event\":\"tick\"}", "{\"t_ms\":1}",
        "{\"t_ms\":\"1\",\"event\":\"tick\"}",
        "{\"t_ms\":null,\"event\":\"tick\"}", "{\"t_ms\":NaN,\"event\":\"tick\"}",
        "{\"t_ms\":1e999,\"event\":\"tick\"}",
        "{\"t_ms\":1e300,\"event\":\"tick\"}", "{\"t_ms\":-1e300,\"event\":\"tick\"}",
        "{\"t_ms\":99999999999999999999,\"event\":\"tick\"}", "{\"t_ms\":1,\"event\":7}",
        "{\"t_ms\":1,\"t_ms\":2,\"event\":\"tick\"}", "{\"t_ms\":1,\"event\":\"state\",\"state\":\"dreaming\"}",
        "{\"t_ms\":1,\"event\":\"state\",\"state\":[]}", "{\"t_ms\":1,\"event\":\"tick\",\"session\":0}",
        "{\"t_ms\":1,\"event\":\"tick\",\"session\":4294967295}", "{\"t_ms\":1,\"event\":\"tick\",\"controller\":-1}",
        "{\"t_ms\":1,\"event\":\"tick\",\"session\":\"NaN\"}", "{\"t_ms\":1,\"event\":\"request\",\"source\":{}}",
        "{\"t_ms\":1,\"event\":\"prepared\",\"media\":7}",
        "{\"t_ms\":1,\"event\":\"prepared\",\"media\":{\"video\":[]}}",
        "{\"t_ms\":1,\"event\":\"frames\",\"decoded\":1.5}",
        "{\"t_ms\":1,\"event\":\"frames\",\"decoded\":9007199254740993}",
        "{\"t_ms\":1,\"event\":\"network\",\"metered\":\"yes\"}",
        Line(
            "{\"t_ms\":1,\"event\":\"tick\",\"x\":" + String(repeating: "[", count: 90)
                + String(repeating: "]", count: 90) + "}"),
        Line("{\"t_ms\":1,\"event\":\"tick\",\"x\":" + String(repeating: "[", count: 100_000)),
        Line("{\"t_ms\":1,\"event\":\"opened\",\"container\":\"" + String(repeating: "x", count: 1 << 20) + "\"}"),
    ]

    @Test(arguments: malformed) func aMalformedLineIsAnErrorWithItsNumberOrIsCounted(line: Line) throws {
        let log = Self.header + Self.good + "\n" + line.text + "\n" + Self.good
        var strict = EventLogReader(text: log)
        #expect(try strict.next()?.type == .playIntent)
        let error = #expect(throws: EventLogError.self) { try strict.next() }
        #expect(error?.line == 4)
        #expect(error?.hint.contains("--keep-going") == true)

        var lenient = EventLogReader(text: log, keepGoing: true)
        #expect(try lenient.next()?.type == .playIntent)
        #expect(try lenient.next()?.type == .playIntent)
        #expect(try lenient.next() == nil)
        #expect(lenient.skippedLines == 1)
        #expect(lenient.line == 5)
    }

    @Test func textThatIsNotUTF8IsMalformed() {
        let bytes =
            Array(Self.header.utf8) + Array("{\"t_ms\":1,\"event\":\"opened\",\"container\":\"".utf8) + [0xff, 0xfe]
        var reader = EventLogReader(bytes: bytes + Array("\"}\n".utf8))
        #expect(throws: EventLogError.self) { try reader.next() }
    }

    @Test func anEndlessLineIsReadInBoundedMemoryAndPassedOver() throws {
        let junk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
        var step = 0
        var reader = EventLogReader(keepGoing: true) {
            step += 1
            return switch step {
            case 1: Array(Self.header.utf8)
            case 2...200: junk
            case 201: Array("\n\(Self.good)".utf8)
            default: []
            }
        }
        #expect(try reader.next()?.type == .playIntent)
        #expect(try reader.next() == nil)
        #expect(reader.skippedLines == 1)
        #expect(reader.line == 3)
    }

    @Test func aFailingSourceIsAnErrorWithItsReason() {
        struct Broken: Error {}
        var reader = EventLogReader(keepGoing: true) { throw Broken() }
        let error = #expect(throws: EventLogError.self) { try reader.next() }
        #expect(error?.message.contains("Broken") == true)
        var closed = EventLogReader(descriptor: -1, interrupt: EventSignal())
        #expect(throws: EventLogError.self) { try closed.next() }
    }

    @Test func extremeNumbersGoThroughTheTimelineUnharmed() throws {
        let largest = "1125899906842.623"
        let replay = try Replay(
            """
            -\(largest) request; -\(largest) play_intent; 0 suspended duration_ms=\(largest); 1 suspended duration_ms=\(largest)
            2 prepared duration_ms=-\(largest); 3 first_video_frame pts_ms=\(largest)
            4 loading_begin stopped_at_ms=-\(largest) eof=true at_ms=-\(largest); \(largest) seek_begin to_ms=\(largest)
            \(largest) suspended duration_ms=-5; \(largest) stop
            """)
        let record = try #require(replay.records.first)
        #expect(record.states.sum == record.elapsed)
    }

    @Test func mutatedLogsNeverCrash() throws {
        var random = SeededGenerator(seed: 11)
        let logs = try GoldenLog.all.map { Array(try $0.text.utf8) }
        for round in 0..<1000 {
            var bytes = logs[round % logs.count]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: Self.header.utf8.count..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = .random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(contentsOf: Array("-9e9,{[\"\n".utf8).shuffled(using: &random), at: index)
                }
            }
            var reader = EventLogReader(bytes: bytes, keepGoing: true)
            var events: [PlayerEvent] = []
            while let event = try reader.next() { events.append(event) }
            for record in Replay(events).records { #expect(record.states.sum == record.elapsed) }
        }
    }
}
