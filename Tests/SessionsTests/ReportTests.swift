// SPDX-License-Identifier: Apache-2.0

import JSONText
import MediaCore
import Sessions
import TestSupport
import Testing

/// The report document: its keys, their order, and what strategies add to sessions.
@Suite struct ReportTests {
    static let session = SessionID(rawValue: 1)

    private func sessionJSON(_ reports: ReportCollector, _ builtIns: Set<SessionReport.BuiltIn>) throws -> JSONValue {
        let record = try #require(try Replay("0 request source=a; 1 stop").records.first)
        return SessionReport(record: record, reports: reports, builtIns: builtIns).json
    }

    private func entry(_ kind: ReportEntry.Kind, _ name: String, _ fields: [ReportEntry.Field]) -> ReportEntry {
        ReportEntry(kind, session: Self.session, name: name, fields: fields)
    }

    /// A run in which everything happened that a report has a place for.
    static func fullReport() throws -> PlaybackReport {
        let replay = try Replay(
            """
            0 request source=a.mp4 unique_id=url:a.mp4 player=1 instance=cold; 0 play_intent
            3.1 prepared duration_ms=5000 media={"container":"mov,mp4","seekable":true,"video":{"codec":"h264","width":640,"height":360,"fps":25},"audio":{"codec":"aac","rate":48000,"channels":2}}
            6.3 first_video_frame pts_ms=0; 100 loading_begin cause=network; 200 loading_end
            300 seek_begin to_ms=0; 310 seek_end; 350 rendition id=hi width=640 height=360 bitrate=800000; 360 bytes read=4096 arrived=4000 arrival_ms=200; 400 frames decoded=125 presented=125 dropped_late=0 dropped_decoder=0 skipped=0 dropped_in_a_row=0
            500 error code=2005 name=io.read_failed fatal=false message=m hint=h
            550 loop count=1; 551 loop_gap gap_ms=1; 600 position position_ms=290 av_offset_ms=1.5; 700 frame_rate presented=25
            20600 position position_ms=290; 21012 completed
            """)
        var reports = ReportCollector()
        func record(_ name: String, _ fields: [ReportEntry.Field], instance: String) {
            reports.accept(ReportEntry(.record, session: session, name: name, fields: fields), instance: instance)
        }
        record(
            "first_frame",
            [
                .init("prepare_ms", .duration(3100)), .init("render_ms", .duration(3200)),
                .init("total_ms", .duration(6300)),
                .init("user_wait_ms", .duration(0)), .init("effective_ms", .duration(6300)),
                .init("first_audio_ms", .unknown),
                .init("partial", .flag(true)),
            ], instance: "first-frame")
        record(
            "stutter",
            [
                .init("threshold_ms", .duration(0)), .init("count", .int(1)), .init("total_ms", .duration(100_000)),
                .init("stay_ms", .duration(5_008_900)), .init("valid_play_ms", .duration(4_905_700)),
                .init("partial", .flag(true)),
            ], instance: "stutter-detect")
        reports.accept(
            ReportEntry(
                .occurrence, session: session, name: "stutters",
                fields: [.init("start_ms", .duration(2_000_000)), .init("duration_ms", .duration(100_000))]),
            instance: "stutter-detect")
        record(
            "traffic",
            [
                .init("type", .string("ethernet")), .init("metered", .flag(false)), .init("cellular_episodes", .int(1)),
                .init("partial", .flag(true)),
            ], instance: "traffic-protection")
        for name in ["cellular_detected", "wifi_detected"] {
            reports.accept(
                ReportEntry(
                    .occurrence, session: session, name: name, fields: [.init("start_ms", .duration(1_000_000))]),
                instance: "traffic-protection")
        }
        record("event_count", [.init("events", .int(212))], instance: "com.example.counter")
        var status = StrategyStatus(
            name: "counter", id: "com.example.counter", kinds: ["monitor"], version: "1.2.0", origin: "./libcounter.so",
            runs: .worker, sandbox: "partial", health: .quarantined)
        status.sandboxGap = "no Landlock"
        status.faults = [.init(.crash, during: "on_events", signal: "SIGSEGV", detail: "It crashed.")]
        var pool = PoolReport(strategy: "reuse-pool")
        pool.acquireTime.add(1500)
        pool.waitTime.add(20_000)
        pool.waitTime.add(30_000)
        pool.rejected = ["unknown_handle": 2, "double_recycle": 1]
        pool.evictedBy = ["resize": 2, "acquire": 1]
        pool.evicted = 3
        var sessions = replay.records.map {
            SessionReport(record: $0, reports: reports, builtIns: Set(SessionReport.BuiltIn.allCases))
        }
        var timeline = ControllerTimeline(controller: ControllerID(rawValue: 2), numbering: SessionNumbering())
        for var event in try events("0 request") { timeline.accept(&event) { _ in } }
        timeline.markIncomplete()
        timeline.finish()
        sessions += timeline.takeClosedRecords().map {
            SessionReport(record: $0, reports: ReportCollector(), builtIns: [])
        }
        return PlaybackReport(
            host: .init(version: "0.1.0", abi: "1.0", libavformat: "59.27.100"), sessions: sessions,
            strategies: [status], pool: pool)
    }

    @Test func aCountThatALogDoesNotTellIsNull() throws {
        let report = try Replay("0 request; 1 frames presented=5; 2 stop").json
        #expect(
            report.contains(
                #""frames":{"decoded":null,"presented":5,"dropped_late":null,"dropped_decoder":null,"skipped":null,"decoder_slow":0,"decoder_slow_ms":0,"max_consecutive_dropped":null,"dropped_ratio":null,"mean_fps":null,"fps":null,"av_offset_ms":null}"#
            ))
    }

    @Test func aReportAndItsSchemaNameTheSameKeys() throws {
        var checker = try SchemaChecker("report.schema.json")
        #expect(checker.check(try Self.fullReport().json) == [])
        #expect(checker.named.subtracting(checker.met) == [])
    }

    @Test func firstFramesAreToldByHowWarmThePlayerWas() throws {
        func session(_ instance: String, after milliseconds: Int) throws -> [SessionRecord] {
            try Replay("0 request instance=\(instance); 0 play_intent; \(milliseconds) first_video_frame; 900 stop")
                .records
        }
        let records = try [("cold", 300), ("cold", 100), ("cold", 250), ("warm", 40), ("warm", 61), ("unknown", 7)]
            .flatMap { try session($0.0, after: $0.1) }
        let report = PlaybackReport(
            host: .init(version: "0", abi: "1.0", libavformat: nil),
            sessions: records.map { .init(record: $0, reports: ReportCollector(), builtIns: []) }, strategies: [],
            pool: nil)
        let figures = try #require(report.json["first_frames"])
        #expect(
            JSONWriter.text(figures) == """
                {"cold":{"count":3,"median_ms":250},"warm":{"count":2,"median_ms":50.5},\
                "pre_rendered":{"count":0,"median_ms":null}}
                """)
    }

    @Test func aReportWithoutPoolAndSessionsFitsTheSchema() throws {
        var checker = try SchemaChecker("report.schema.json")
        let report = PlaybackReport(
            host: .init(version: "0", abi: "1.0", libavformat: nil), sessions: [], strategies: [], pool: nil)
        #expect(checker.check(report.json) == [])
        #expect(report.json["pool"] == .null)
    }

    @Test(arguments: UInt64(1)...5) func anySessionFitsTheSchema(seed: UInt64) throws {
        var source = RandomEvents(seed: seed)
        let replay = Replay(source.sequence(of: 2000))
        var checker = try SchemaChecker("report.schema.json")
        let report = PlaybackReport(
            host: .init(version: "0", abi: "1.0", libavformat: nil),
            sessions: replay.records.map { .init(record: $0, reports: ReportCollector(), builtIns: []) },
            strategies: [],
            pool: nil)
        #expect(checker.check(report.json) == [])
    }

    @Test(arguments: UInt64(1)...3) func whatIsRecordedFitsTheSchema(seed: UInt64) throws {
        var source = RandomEvents(seed: seed)
        let delivered = Replay(source.sequence(of: 600)).delivered
        var checker = try SchemaChecker("events.schema.json")
        for line in try recorded(delivered).split(separator: "\n") {
            let wrong = checker.check(try JSONReader().read(String(line)))
            #expect(wrong == [], "\(line)")
        }
    }

    @Test func everyTypeOfEventHasItsPlaceInTheSchema() throws {
        var checker = try SchemaChecker("events.schema.json")
        for type in EventType.request.rawValue...EventType.loopGap.rawValue {
            var event = PlayerEvent(EventType(rawValue: type), values: [1, 1, 1, 1, 1, 1], text: "a\nb\nc")
            event.flags = [.endOfFile, .seekable, .replayed]
            event.session = Self.session
            event.controller = ControllerID(rawValue: 2)
            event.position = .zero
            for line in try recorded([event]).split(separator: "\n") {
                let wrong = checker.check(try JSONReader().read(String(line)))
                #expect(wrong == [], "\(line)")
            }
        }
        for operation in Self.poolOperations {
            var record = PoolRecord(operation, at: EventTime(microseconds: 1500))
            (record.lease, record.player, record.outcome, record.created) = (1, 2, "hit", 1)
            (record.evicted, record.playing) = ([3], [4])
            record.prepared = [.init(uniqueID: "url:b", stage: "prepared", player: 5)]
            let json = record.json(origin: EventTime(microseconds: 500))
            #expect(checker.check(json) == [], "\(JSONWriter.text(json))")
            // What is read back is what was written.
            record.time = EventTime(microseconds: 1000)
            #expect(try PoolRecord(line: JSONWriter.text(json)) == record)
        }
        #expect(checker.named.subtracting(checker.met) == [".v", ".text", ".flags"])
    }

    private static let poolOperations: [PoolRecord.Operation] = [
        .acquire(uniqueID: "url:a", sourceKind: 2), .recycle(uniqueID: nil, force: true),
        .recycle(uniqueID: "url:a", force: false), .lend(to: 7), .lend(to: nil), .reclaim, .preload(count: 2), .clear,
        .resize(3), .pressure(isCritical: true), .pressure(isCritical: false), .idle,
        .upcoming([.init(uniqueID: "url:b", distance: -1)]),
    ]

    @Test(arguments: ["dance", "acquire", "upcoming"]) func anOperationThatIsNoneIsAnError(op: String) {
        let line = #"{"t_ms":0,"event":"pool","op":"\#(op)","items":[{"id":1}]}"#
        #expect(throws: PoolRecord.Malformed.self) { try PoolRecord(line: line) }
    }

    @Test func keysStandInTheDocumentedOrder() throws {
        let json = try Self.fullReport().json
        let first = try #require(json["sessions"]?.array?.first)
        #expect(
            json.object?.members.map(\.key) == [
                "schema", "host", "sessions", "first_frames", "strategies", "pool", "losses",
            ])
        #expect(
            first.object?.members.map(\.key) == [
                "session", "controller", "continued_from", "source", "unique_id", "player", "instance", "outcome",
                "end_reason", "failure", "media", "elapsed_ms", "watched_ms", "join_ms", "join_invalid",
                "click_to_frame_ms",
                "playback_confirmed",
                "ready_latency",
                "wait_ratio", "media_time_ms", "completion", "pause_count", "states_ms", "stalls", "seeks",
                "loop_count", "loop_gap_ms", "frames", "renditions", "bytes", "retries", "reopen_count", "stuck",
                "errors", "first_frame", "stutter", "traffic", "plugins",
            ])
        #expect(
            first["states_ms"]?.object?.members.map(\.key) == [
                "joining", "playing", "join_paused", "paused", "paused_buffering", "seeking", "stalled", "suppressed",
                "suppressed_buffering", "preloading", "prepared_bg", "background", "suspended",
            ])
        #expect(
            JSONWriter.text(try #require(json["strategies"]?.array?.first)) == """
                {"name":"counter","id":"com.example.counter","kinds":["monitor"],"version":"1.2.0",\
                "origin":"./libcounter.so","runs":"worker","sandbox":"partial","sandbox_gap":"no Landlock","health":"quarantined",\
                "faults":[{"kind":"crash","during":"on_events","signal":"SIGSEGV","address":null,\
                "symbol":null,"detail":"It crashed.","report":null}],\
                "calls":0,"events_delivered":0,"events_dropped":0,"defaults_used":0,"reports_cut":0}
                """)
        #expect(
            JSONWriter.text(try #require(json["pool"])) == """
                {"strategy":"reuse-pool","created":0,"reused":0,"hits":0,"evicted":3,"evicted_active":0,\
                "evicted_by":{"acquire":1,"resize":2},"destroyed":0,"idle":0,"active":0,"unbound":0,"over_capacity":0,\
                "stop_failures":0,"reset_violations":0,"slow_releases":0,\
                "acquire_ms":{"count":1,"sum":1.5,"mean":1.5,"variance":null,"min":1.5,"max":1.5,"p50":1.5,"p90":1.5,\
                "p95":1.5,"p99":1.5,"histogram":[[1.5,1]]},\
                "wait_ms":{"count":2,"sum":50,"mean":25,"variance":50,"min":20,"max":30,"p50":20,"p90":30,"p95":30,\
                "p99":30,"histogram":[[20,1],[30,1]]},\
                "rejected":{"double_recycle":1,"unknown_handle":2}}
                """)
    }

    @Test func durationsAreMillisecondsWithAsManyDecimalsAsTheyHave() throws {
        let text = JSONWriter.text(try Self.fullReport().json)
        #expect(text.contains("\"elapsed_ms\":21012,"))
        #expect(text.contains("\"join_ms\":6.3,"))
        #expect(text.contains("\"duration_ms\":5000,"))
        #expect(text.contains("\"fps\":25}"))
    }

    @Test func aBuiltInThatSaidNothingIsNullAndOneThatDidNotRunIsAbsent() throws {
        let json = try sessionJSON(ReportCollector(), [.firstFrame])
        #expect(json["first_frame"] == .null)
        #expect(json["stutter"] == nil)
        #expect(json["traffic"] == nil)
        #expect(json["plugins"] == [:])
    }

    @Test func theLastRecordWinsAndOccurrencesAppend() throws {
        var reports = ReportCollector()
        for number: Int64 in 1...2 {
            reports.accept(entry(.record, "count", [.init("n", .int(number))]), instance: "x")
            reports.accept(entry(.occurrence, "seen", [.init("n", .int(number))]), instance: "x")
        }
        reports.accept(entry(.record, "both", [.init("n", .double(0.5))]), instance: "x")
        reports.accept(entry(.occurrence, "both", [.init("t", .string("s"))]), instance: "x")
        let json = try sessionJSON(reports, [])
        #expect(
            json["plugins"] == [
                "x": [
                    "count": ["n": 2], "seen": [["n": 1], ["n": 2]], "both": ["n": 0.5], "both_list": [["t": "s"]],
                ]
            ])
    }

    @Test func aBuiltInsRecordGivesItsFieldsAndTheRestStandsBesideThem() throws {
        var reports = ReportCollector()
        reports.accept(entry(.record, "stutter", [.init("count", .int(1))]), instance: "stutter-detect")
        reports.accept(entry(.occurrence, "stutter", [.init("at_ms", .duration(5))]), instance: "stutter-detect")
        reports.accept(entry(.record, "detail", [.init("x", .flag(true))]), instance: "stutter-detect")
        let json = try sessionJSON(reports, [.stutter])
        #expect(
            json["stutter"] == ["count": 1, "stutter_list": [["at_ms": 0.005]], "detail": ["x": true]])
    }

    @Test func aStrangerUnderABuiltInsNameStaysAStranger() throws {
        var reports = ReportCollector()
        reports.accept(entry(.record, "first_frame", [.init("total_ms", .duration(1))]), instance: "first-frame")
        let json = try sessionJSON(reports, [])
        #expect(json["first_frame"] == nil)
        #expect(json["plugins"] == ["first-frame": ["first_frame": ["total_ms": 0.001]]])
    }

    @Test func reportsOfOtherSessionsAreNotMixedIn() throws {
        var reports = ReportCollector()
        reports.accept(ReportEntry(.record, session: SessionID(rawValue: 2), name: "n", fields: []), instance: "x")
        #expect(try sessionJSON(reports, [])["plugins"] == [:])
        reports.accept(entry(.record, "n", []), instance: "x")
        reports.forget(Self.session)
        #expect(try sessionJSON(reports, [])["plugins"] == [:])
    }

    @Test func occurrencesAreBounded() {
        var reports = ReportCollector()
        for _ in 0..<ReportCollector.occurrenceLimit + 5 { reports.accept(entry(.occurrence, "n", []), instance: "x") }
        #expect(reports.cut == ["x": 5])
    }
}
