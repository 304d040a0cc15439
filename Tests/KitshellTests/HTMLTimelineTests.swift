// SPDX-License-Identifier: Apache-2.0

import JSONText
import MediaCore
import Sessions
import Testing

/// The drawing of how a session went.
@Suite struct HTMLTimelineTests {
    /// What the log of one session gives.
    private func page(_ lines: [String]) throws -> HTMLPage {
        var chunks = [Array((["{\"schema\":\"kitshell.events/1\"}"] + lines).map { $0 + "\n" }.joined().utf8)]
        var reader = EventLogReader { chunks.popLast() ?? [] }
        var timeline = ControllerTimeline(controller: ControllerID(rawValue: 1), numbering: SessionNumbering())
        var traces = TraceCollector()
        while var event = try reader.next() { timeline.accept(&event) { traces.accept($0) } }
        let record = try #require(timeline.takeClosedRecords().first)
        return HTMLPage.checked(["sessions": [record.json]], traces.traces)
    }

    private static let start = [
        #"{"t_ms":0,"event":"request","source":"a"}"#, #"{"t_ms":0,"event":"play_intent"}"#,
        #"{"t_ms":100,"event":"first_video_frame","pts_ms":0}"#, #"{"t_ms":110,"event":"first_audio"}"#,
    ]

    @Test func everythingThatHappenedIsDrawnAndInTheLegend() throws {
        let page = try page(
            Self.start + [
                #"{"t_ms":200,"event":"position","position_ms":0,"buffered_ms":900}"#,
                #"{"t_ms":300,"event":"loading_begin","cause":"network"}"#, #"{"t_ms":400,"event":"loading_end"}"#,
                #"{"t_ms":500,"event":"seek_begin","to_ms":9000}"#, #"{"t_ms":600,"event":"seek_end"}"#,
                #"{"t_ms":700,"event":"rendition","id":"hi","width":640,"height":360,"bitrate":1}"#,
                #"{"t_ms":800,"event":"frames","presented":9,"dropped_late":3}"#,
                #"{"t_ms":850,"event":"position","position_ms":90,"buffered_ms":2500}"#,
                #"{"t_ms":900,"event":"network","type":"cellular"}"#, #"{"t_ms":910,"event":"retry"}"#,
                #"{"t_ms":920,"event":"loop","count":1}"#, #"{"t_ms":930,"event":"pause_intent"}"#,
                #"{"t_ms":950,"event":"error","fatal":false,"message":"m"}"#, #"{"t_ms":1000,"event":"stop"}"#,
            ])
        let states = Set(page.values(of: "class", in: "rect"))
        let marks = Set(page.values(of: "class", in: "line"))
        #expect(states == ["st-joining", "st-playing", "st-stalled", "st-seeking", "st-paused"])
        #expect(
            marks == [
                "mk-firstFrame", "mk-firstAudio", "mk-seek", "mk-rendition", "mk-late", "mk-network", "mk-retry",
                "mk-loop", "mk-error",
            ])
        #expect(page.values(of: "class", in: "path") == ["area", "line"])
        let legend = page.values(of: "class", in: "span").filter { $0.hasPrefix("swatch") }
        #expect(
            Set(legend) == Set(states.map { "swatch \($0)" } + marks.map { "swatch tick \($0)" }))
        #expect(page.text.contains("Buffer, up to 2.41 s"))
        #expect(page.text.contains("late picture 3"))
        // The axis, in units of time.
        #expect(page.text.contains("0250\u{A0}ms500\u{A0}ms750\u{A0}ms1.00\u{A0}s"))
    }

    @Test func namesFromOutsideStayTextInTheDrawing() throws {
        let nasty = "</title></svg><script>x</script>"
        let page = try page(
            Self.start + [
                #"{"t_ms":200,"event":"rendition","id":"\#(nasty)"}"#,
                #"{"t_ms":300,"event":"error","fatal":false,"message":"\#(nasty)"}"#, #"{"t_ms":400,"event":"stop"}"#,
            ])
        #expect(page.text.contains("rendition \(nasty) at 200 ms"))
    }

    @Test func whatIsNotDrawnIsTold() throws {
        let loops = (1...(SessionTrace.limit + 5)).map { #"{"t_ms":200,"event":"loop","count":\#($0)}"# }
        let page = try page(Self.start + loops + [#"{"t_ms":400,"event":"stop"}"#])
        #expect(page.text.contains("7 later states or events are not drawn"))
    }
}
