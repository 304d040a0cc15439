// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Sessions
import Testing

/// What the record of a session says: join, outcome, end, stalls, seeks.
@Suite struct SessionRecordTests {
    static let playing = SessionStateTests.playing

    private func record(_ script: String) throws -> SessionRecord {
        try #require(try Replay(script).records.first)
    }

    // MARK: Join

    @Test(
        "B11: the join is the time in joining, or no figure and the reason why",
        arguments: [
            ("0 request; 0 play_intent; 200 first_video_frame; 900 stop", Int64?(200), SessionRecord.JoinInvalid?.none),
            ("0 request; 0 play_intent; 200 first_video_frame", 200, nil),
            ("0 request; 300 play_intent; 500 first_video_frame; 900 stop", 200, nil),
            ("0 request; 0 play_intent; 900 stop", nil, .stop),
            ("0 request; 0 play_intent; 900 error fatal=true code=1; 901 state state=error", nil, .error),
            ("0 request; 0 play_intent; 50 seek_begin; 60 seek_end; 200 first_video_frame; 900 stop", nil, .seek),
            ("0 request; 50 seek_begin; 60 seek_end; 70 play_intent; 200 first_video_frame; 900 stop", nil, .seek),
            ("0 request; 0 play_intent; 50 pause_intent; 60 play_intent; 200 first_video_frame; 900 stop", nil, .pause),
            ("0 request; 0 play_intent; 50 seek_begin; 900 stop", nil, .seek),
            ("0 request; 0 pause_intent; 50 play_intent; 200 first_video_frame; 900 stop", 150, nil),
            ("0 request; 900 stop", nil, nil),
            ("0 request; 0 play_intent", nil, nil),
        ])
    func joinIsTheTimeInJoiningOrInvalidWithAReason(
        script: String, join: Int64?, invalid: SessionRecord.JoinInvalid?
    ) throws {
        let record = try record(script)
        #expect(record.join == join.map { $0 * 1000 })
        #expect(record.joinInvalid == invalid)
    }

    @Test(
        "B04: click to frame counts from the intent with an owner, however long the player was prepared",
        arguments: [
            ("0 request; 300 play_intent; 500 first_video_frame", Int64?(200)),
            ("0 request; 0 detach; 0 play_intent; 50 prepared; 5000 attach; 5030 first_video_frame", 30),
            ("0 request; 0 play_intent; 50 first_video_frame kind=preview; 80 first_video_frame", 80),
            ("0 request; 0 play_intent; 50 first_video_frame kind=preview", nil),
            ("0 request; 0 detach; 0 play_intent; 50 first_video_frame", nil),
            ("0 request; 50 first_video_frame", nil),
        ])
    func clickToFrameCountsFromIntentWithAnOwner(script: String, expected: Int64?) throws {
        #expect(try record(script).clickToFrame == expected.map { $0 * 1000 })
    }

    @Test func backgroundIsNotJoinTime() throws {
        let record = try record("0 request; 0 play_intent; 100 background; 4100 foreground; 4200 first_video_frame")
        #expect(record.join == 200_000)
        #expect(record.states[.background] == 4_000_000)
        #expect(record.watched == 200_000)
    }

    // MARK: Outcome and end

    @Test(arguments: [
        ("0 request; 0 play_intent; 20 first_video_frame; 90 completed", SessionRecord.Outcome.complete),
        ("0 request; 0 play_intent; 20 first_video_frame; 90 stop", .partial),
        ("0 request; 0 play_intent; 20 first_video_frame", .partial),
        ("0 request; 0 play_intent; 20 first_video_frame; 90 error fatal=true", .vpf),
        ("0 request; 0 play_intent; 20 first_video_frame; 90 error fatal=false; 95 completed", .complete),
        ("0 request; 0 play_intent; 90 error fatal=true", .vsf),
        ("0 request; 0 play_intent; 90 stop", .ebvs),
        ("0 request; 0 play_intent; 90 completed", .complete),
        ("0 request; 10 prepared; 90 stop", .notAnAttempt),
        ("0 request; 0 detach; 0 play_intent; 10 prepared; 90 evict", .notAnAttempt),
        ("0 request; 90 error fatal=true", .notAnAttempt),
    ])
    func eachAttemptHasOneOutcome(script: String, outcome: SessionRecord.Outcome) throws {
        #expect(try record(script).outcome == outcome)
    }

    @Test(arguments: [
        ("completed", SessionRecord.EndReason.completed, SessionState.ended),
        ("state state=completed", .completed, .ended),
        ("stop", .stopped, .stopped), ("state state=stopped", .stopped, .stopped),
        ("stop reason=until", .until, .stopped), ("stop reason=preview_end", .previewEnd, .stopped),
        ("stop reason=interrupted", .interrupted, .stopped), ("stop reason=idle", .idle, .stopped),
        ("state state=idle", .idle, .stopped), ("error code=2005 fatal=true", .error, .failed),
        ("error code=2005", .error, .failed), ("state state=error", .error, .failed),
        ("source_switch source=b", .switch, .abandoned), ("request source=b", .switch, .abandoned),
        ("evict", .evict, .abandoned), ("taken_over", .takenOver, .abandoned), ("destroy", .destroy, .abandoned),
    ])
    func eachTerminalEventEndsASessionWithItsReason(
        event: String, reason: SessionRecord.EndReason, state: SessionState
    ) throws {
        let replay = try Replay(Self.playing + "; 900 \(event)")
        let record = try #require(replay.records.first)
        #expect(record.endReason == reason)
        #expect(record.elapsed == 900_000)
        #expect(replay.states().last == "900 \(state.name)")
    }

    @Test func whatEndsWithoutSayingHasNoReason() throws {
        let record = try record(Self.playing + "; 950 position position_ms=1")
        #expect(record.endReason == nil)
        #expect(record.elapsed == 950_000)
    }

    @Test func aPlayerThatStartsIdleEndsNothing() throws {
        #expect(try record("0 request; 0 state state=idle; 10 play_intent; 20 first_video_frame").outcome == .partial)
    }

    @Test("B26: an exit before the start has waited and played nothing")
    func anExitBeforeTheStartWaitedAndPlayedNothing() throws {
        let record = try record("0 request; 0 play_intent; 400 prepared; 900 stop")
        #expect(record.watched == 900_000)
        #expect(record.states[.playing] == 0)
    }

    @Test func aSessionOfNoLengthIsReported() throws {
        let record = try record("5 request; 5 stop")
        #expect(record.elapsed == 0)
        #expect(record.stalls.ratio == nil)
        #expect(record.stalls.playRatio == nil)
    }

    @Test func errorsKeepTheirOrderAndTexts() throws {
        let record = try record(
            Self.playing
                + "; 300 error code=2005 name=io.read_failed fatal=false message=m hint=h; 400 error fatal=true message=x"
        )
        #expect(record.errors.map(\.code) == [2005, nil])
        #expect(record.errors.map(\.isFatal) == [false, true])
        #expect(record.errors.first?.name == "io.read_failed")
        #expect(record.errors.first?.hint == "h")
    }

    @Test func sleepIsElapsedAndNothingElse() throws {
        let record = try record(Self.playing + "; 300 suspended duration_ms=60000; 400 stop")
        #expect(record.elapsed == 60_400_000)
        #expect(record.states[.suspended] == 60_000_000)
        #expect(record.watched == 400_000)
    }

    @Test func mediaAndFramesAreWhatWasToldLast() throws {
        let record = try record(
            """
            0 request player=3 instance=warm continued_from=7
            1 prepared duration_ms=5000 media={"container":"mov,mp4","seekable":true,"video":{"codec":"h264","width":640,"height":360,"fps":29.97}}
            2 frames decoded=3 presented=2; 3 frames decoded=9 presented=8 dropped_late=1 dropped_decoder=0 skipped=0; 4 stop
            """)
        #expect(record.player == 3)
        #expect(record.instance == .warm)
        #expect(record.continuedFrom == SessionID(rawValue: 7))
        #expect(record.media?.video?.framesPer1000Seconds == 29_970)
        #expect(record.media?.audio == nil)
        #expect(record.media?.isSeekable == true)
        #expect(record.frames.presented == 8)
        #expect(try self.record("0 request; 1 stop").frames.presented == nil)
    }

    // MARK: Stalls

    struct StallCase: CustomTestStringConvertible {
        var rule: String
        var script: String
        /// start, duration (ms), kind.
        var stalls: [(Int64, Int64, StallRecord.Kind)]
        var duplicates: Int64 = 0
        var orphans: Int64 = 0
        var testDescription: String { rule }
    }

    static let stallCases = [
        StallCase(
            rule: "B12: first load, seek and a real stall: only the third counts",
            script: """
                0 request; 0 play_intent; 10 loading_begin; 90 loading_end; 100 first_video_frame
                300 seek_begin; 310 loading_begin; 390 loading_end; 400 seek_end; 600 loading_begin; 700 loading_end; 900 stop
                """, stalls: [(600, 100, .plain)]),
        StallCase(
            rule: "B13: nothing wanted, nothing stalled",
            script: playing + "; 300 pause_intent; 400 loading_begin; 5400 loading_end; 5500 stop", stalls: []),
        StallCase(
            rule: "B17: four begins and one end are one stall",
            script: playing
                + "; 300 loading_begin; 400 loading_begin; 500 loading_begin; 600 loading_begin; 700 loading_end; 900 stop",
            stalls: [(300, 400, .plain)], duplicates: 3),
        StallCase(
            rule: "B18: a second begin keeps the first start",
            script: playing + "; 1000 loading_begin; 1900 loading_begin; 2000 loading_end; 2100 stop",
            stalls: [(1000, 1000, .plain)], duplicates: 1),
        StallCase(
            rule: "an end alone is an orphan", script: playing + "; 300 loading_end; 400 stop", stalls: [], orphans: 1),
        StallCase(
            rule: "B22: a begin alone is closed by the end of the session",
            script: playing + "; 300 loading_begin; 900 stop", stalls: [(300, 600, .plain)]),
        StallCase(
            rule: "a pause cuts a stall and resuming goes on with it",
            script: playing
                + "; 300 loading_begin; 400 pause_intent; 1000 play_intent; 1050 loading_end; 1100 stop",
            stalls: [(300, 150, .plain)]),
        StallCase(
            rule: "a loading that ends in the pause ends its stall",
            script: playing
                + "; 300 loading_begin; 400 pause_intent; 500 loading_end; 600 loading_begin; 700 play_intent; 800 loading_end; 900 stop",
            stalls: [(300, 100, .plain), (700, 100, .onResume)]),
        StallCase(
            rule: "resuming into an empty buffer stalls on resume",
            script: playing + "; 300 pause_intent; 400 loading_begin; 500 play_intent; 800 loading_end; 900 stop",
            stalls: [(500, 300, .onResume)]),
        StallCase(
            rule: "background cuts a stall",
            script: playing + "; 300 loading_begin; 400 background; 900 foreground; 950 loading_end; 1000 stop",
            stalls: [(300, 150, .plain)]),
        StallCase(
            rule: "a foreground over an empty buffer stalls on resume",
            script: playing + "; 300 background; 400 loading_begin; 500 foreground; 600 loading_end; 700 stop",
            stalls: [(500, 100, .onResume)]),
        StallCase(
            rule: "what was near the end before a loop is not after it",
            script: playing
                + "; 9000 position position_ms=59900; 9100 loop count=1; 9200 loading_begin cause=loop eof=true; 9300 loading_end; 9400 stop",
            stalls: [(9200, 100, .plain)]),
        StallCase(
            rule: "B23: a network that is lost while playing stalls, whatever the player calls it",
            script: playing
                + "; 300 loading_begin cause=network; 300 state state=paused; 900 loading_end; 900 state state=playing; 999 stop",
            stalls: [(300, 600, .plain)]),
        StallCase(
            rule: "suppression cuts a stall",
            script: playing
                + "; 300 loading_begin; 400 suppressed on=true; 900 suppressed on=false; 950 loading_end; 1000 stop",
            stalls: [(300, 150, .plain)]),
        StallCase(
            rule: "suppression over an empty buffer ends in a stall on resume",
            script: playing
                + "; 300 suppressed on=true; 400 loading_begin; 500 suppressed on=false; 600 loading_end; 700 stop",
            stalls: [(500, 100, .onResume)]),
        StallCase(
            rule: "a seek closes a stall and what is left is seek time",
            script: playing
                + "; 300 loading_begin; 400 seek_begin; 500 seek_end; 600 loading_end; 700 stop",
            stalls: [(300, 100, .plain)]),
        StallCase(
            rule: "a stall begins when the output stopped",
            script: playing + "; 300 loading_begin stopped_at_ms=250; 400 loading_end; 500 stop",
            stalls: [(250, 150, .plain)]),
        StallCase(
            rule: "a stall begins no earlier than playing did",
            script: playing + "; 300 loading_begin stopped_at_ms=20; 400 loading_end; 500 stop",
            stalls: [(200, 200, .plain)]),
        StallCase(
            rule: "a stall does not begin after its event",
            script: playing + "; 300 loading_begin stopped_at_ms=999; 400 loading_end; 500 stop",
            stalls: [(300, 100, .plain)]),
        StallCase(
            rule: "below a millisecond there is no stall",
            script: playing + "; 300 loading_begin; 300.999 loading_end; 400 loading_begin; 401 loading_end; 500 stop",
            stalls: [(400, 1, .plain)]),
        StallCase(
            rule: "B27: a source switch closes a stall and leaks nothing",
            script: playing
                + "; 300 loading_begin; 400 source_switch source=b unique_id=url:b; 500 loading_end; 600 first_video_frame; 700 stop",
            stalls: [(300, 100, .plain)]),
    ]

    @Test(arguments: stallCases) func stallsAreGuarded(_ example: StallCase) throws {
        let stalls = try record(example.script).stalls
        #expect(stalls.list.map(\.start) == example.stalls.map { $0.0 * 1000 })
        #expect(stalls.list.map(\.duration) == example.stalls.map { $0.1 * 1000 })
        #expect(stalls.list.map(\.kind) == example.stalls.map(\.2))
        #expect(stalls.count == Int64(example.stalls.count))
        #expect(stalls.duplicateBegins == example.duplicates)
        #expect(stalls.orphanEnds == example.orphans)
    }

    @Test func aStallNamesTheCauseOfItsLoading() throws {
        for cause in LoadingCause.allCases where cause != .seekRecovery {
            let stalls = try record(Self.playing + "; 300 loading_begin cause=\(cause.name); 400 stop").stalls
            #expect(stalls.list.first?.cause == cause)
        }
    }

    @Test func ratiosAreOverWatchedAndOverPlayingTime() throws {
        let stalls = try record(
            Self.playing + "; 1200 loading_begin; 1700 loading_end; 1800 seek_begin; 1900 seek_end; 2000 stop"
        ).stalls
        #expect(stalls.ratio == 500.0 / 2000)
        #expect(stalls.playRatio == 500.0 / 1700)
    }

    // MARK: Seeks

    @Test func seeksAreCountedByWhatBecameOfThem() throws {
        let seeks = try record(
            Self.playing + """
                ; 300 seek_begin; 350 seek_end; 400 seek_begin; 420 seek_begin; 450 seek_end
                500 seek_begin; 510 seek_superseded; 510 seek_begin; 540 seek_failed
                600 seek_end; 610 seek_failed; 620 seek_superseded; 700 seek_begin; 900 stop
                """
        ).seeks
        #expect(seeks.requested == 6)
        #expect(seeks.completed == 2)
        #expect(seeks.superseded == 2)
        #expect(seeks.failed == 1)
        #expect(seeks.latencies == [50_000, 30_000])
    }

    @Test("B25: seeking while paused is not watched") func seekingWhilePausedIsNotWatched() throws {
        let record = try record(
            Self.playing + "; 300 pause_intent; 400 seek_begin; 500 seek_end; 10500 stop")
        #expect(record.watched == 300_000)
        #expect(record.states[.seeking] == 100_000)
    }

    @Test func seekingInTheBackgroundIsNotWatched() throws {
        let record = try record(
            Self.playing + "; 300 background; 400 seek_begin; 500 foreground; 600 seek_end; 700 background; 900 stop")
        #expect(record.states[.seeking] == 200_000)
        #expect(record.watched == 300_000 + 100_000 + 100_000)
        #expect(record.states[.background] == 300_000)
    }

    @Test(arguments: [
        ("900 completed", Int64(0)), ("300 loop count=1; 900 completed", 1),
        ("300 loop count=1; 400 loop count=2; 900 stop", 2), ("300 loop; 400 loop; 900 stop", 2),
        ("300 loop count=4; 400 loop count=3; 900 stop", 4),
    ])
    func loopsAreCountedInOneSession(script: String, count: Int64) throws {
        let replay = try Replay(Self.playing + "; \(script)")
        #expect(replay.records.map(\.loopCount) == [count])
    }

    @Test func intentMayChangeInMidSeek() throws {
        let record = try record(
            Self.playing + "; 300 seek_begin; 400 pause_intent; 600 play_intent; 700 seek_end; 700 stop")
        #expect(record.states[.seeking] == 400_000)
        #expect(record.watched == 500_000)
    }

    @Test func listsAreBounded() throws {
        var events = try events(Self.playing)
        var time: Int64 = 300_000
        for _ in 0..<1500 {
            for var event in [PlayerEvent.loadingBegin(cause: .network), .loadingEnd] {
                time += 2000
                event.time = EventTime(microseconds: time)
                events.append(event)
            }
        }
        let stalls = try #require(Replay(events).records.first).stalls
        #expect(stalls.count == 1500)
        #expect(stalls.list.count == SessionRecord.listLimit)
    }
}
