// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Sessions
import Testing

@Suite struct SessionTraceTests {
    private func traces(_ delivered: [PlayerEvent]) -> [SessionID: SessionTrace] {
        delivered.reduce(into: TraceCollector()) { $0.accept($1) }.traces
    }

    private func trace(_ script: String) throws -> SessionTrace {
        try #require(traces(try Replay(script).delivered)[SessionID(rawValue: 1)])
    }

    @Test func segmentsFollowTheStatesWithoutGaps() throws {
        let trace = try trace(
            """
            100 request source=a; 100 play_intent; 110 prepared duration_ms=9000; 120 first_video_frame pts_ms=0
            200 loading_begin; 300 loading_end; 400 pause_intent; 500 play_intent; 600 stop
            """)
        #expect(
            trace.segments.map { "\($0.state.name) \($0.start / 1000) \($0.duration / 1000)" } == [
                "joining 0 20", "playing 20 80", "stalled 100 100", "playing 200 100", "paused 300 100",
                "playing 400 100",
            ])
        #expect(trace.end == 500_000)
    }

    @Test func marksNameWhatHappened() throws {
        let trace = try trace(
            """
            0 request source=a; 0 network type=wifi; 0 play_intent; 1 rendition id=hi width=640 height=360 bitrate=800000
            2 first_video_frame pts_ms=0; 3 first_video_frame pts_ms=0 kind=preview; 4 seek_begin to_ms=61500; 5 seek_end
            6 retry attempt=1 reason=reset; 7 error code=2005 fatal=false message=m; 8 loop; 9 stop
            """)
        #expect(
            trace.marks.map { "\($0.kind.rawValue) \($0.text)" } == [
                "network wifi", "rendition hi, 640x360, 800 kbit/s", "firstFrame ", "seek to 61.50 s", "retry reset",
                "error not fatal: m", "loop ",
            ])
    }

    @Test func lateAndLevelsAreWhatWasTold() throws {
        let trace = try trace(
            """
            0 request source=a; 10 position position_ms=0 buffered_ms=900; 20 position position_ms=50 buffered_ms=40
            30 position position_ms=60; 40 frames dropped_late=2; 50 frames dropped_late=2; 60 frames dropped_late=3
            900 frames dropped_late=7; 1000 stop
            """)
        #expect(trace.levels.map(\.ahead) == [900_000, 0])
        // Those of one moment are one entry.
        #expect(trace.late.map { "\($0.time / 1000) \($0.count)" } == ["40 3", "900 4"])
    }

    @Test func aTraceOfAnEndlessSessionIsBoundedAndKeepsTheLowestLevels() throws {
        var collector = TraceCollector()
        var request = PlayerEvent.request(source: "a", uniqueID: "a", player: 1, instance: .cold, continuedFrom: nil)
        request.session = SessionID(rawValue: 1)
        collector.accept(request)
        func accept(_ event: PlayerEvent, _ time: Int64) {
            var event = event
            event.session = request.session
            event.time = EventTime(microseconds: time)
            collector.accept(event)
        }
        for step in Int64(0)..<60_000 {
            let time = step * 100_000
            let ahead: Int64 = step == 34_567 ? 0 : 5_000_000
            accept(.position(MediaTime(microseconds: time), buffered: MediaTime(microseconds: time + ahead)), time)
            accept(.sessionState(rawState: step % 2 == 0 ? 5 : 9, cause: .tick), time)
            accept(.frames(FrameCounts(droppedLate: step)), time)
            accept(.loop(count: step), time)
        }
        let trace = try #require(collector.traces[request.session])
        #expect(trace.levels.count <= SessionTrace.limit && trace.levels.count >= SessionTrace.limit / 4)
        #expect(trace.levels.contains { $0.ahead == 0 })
        #expect(trace.segments.count == SessionTrace.limit && trace.marks.count == SessionTrace.limit)
        #expect(trace.late.count <= SessionTrace.limit && trace.late.reduce(0) { $0 + $1.count } == 59_999)
        #expect(trace.cut > 0)
    }

    @Test func onlyTheFirstSessionsHaveATrace() {
        var collector = TraceCollector()
        for number in 1...UInt32(TraceCollector.limit + 5) {
            var request = PlayerEvent.request(
                source: "a", uniqueID: "a", player: 1, instance: .cold, continuedFrom: nil)
            request.session = SessionID(rawValue: number)
            collector.accept(request)
        }
        #expect(collector.traces.count == TraceCollector.limit)
    }

    @Test(arguments: UInt64(1)...20) func lawsHoldAndAReplayGivesTheSame(seed: UInt64) throws {
        var source = RandomEvents(seed: seed)
        let live = Replay(source.sequence(of: 1500))
        let traces = traces(live.delivered)
        #expect(self.traces(Replay(try read(log: try recorded(live.delivered))).delivered) == traces)
        for record in live.records {
            guard let trace = traces[record.session] else { continue }
            #expect(zip(trace.segments, trace.segments.dropFirst()).allSatisfy { $0.start + $0.duration == $1.start })
            #expect(
                trace.segments.allSatisfy { $0.start >= 0 && $0.duration >= 0 && $0.start + $0.duration <= trace.end })
            #expect(trace.segments.reduce(0) { $0 + $1.duration } <= record.elapsed)
            #expect(trace.levels.allSatisfy { $0.ahead >= 0 && $0.time <= trace.end })
        }
    }
}
