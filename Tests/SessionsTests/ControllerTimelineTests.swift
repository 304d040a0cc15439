// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Sessions
import Testing

/// Which session an event belongs to, in which order and at what time it is delivered.
@Suite struct ControllerTimelineTests {
    static let playing = SessionStateTests.playing

    private func reasons(_ script: String) throws -> [SessionRecord.EndReason?] {
        try Replay(script).records.map(\.endReason)
    }

    // MARK: Order and time

    @Test func sequenceNumbersCountFromOne() throws {
        let replay = try Replay(Self.playing + "; 900 stop")
        #expect(replay.delivered.map(\.sequence) == Array(1...UInt64(replay.delivered.count)))
    }

    @Test func timeThatGoesBackIsClampedAndCounted() throws {
        let replay = try Replay("100 request; 50 play_intent; 40 first_video_frame; 200 stop")
        #expect(replay.delivered.allSatisfy { $0.time.microseconds >= 100_000 })
        #expect(replay.timelines.values.first?.timesClamped == 2)
        #expect(replay.records.first?.elapsed == 100_000)
    }

    @Test(arguments: [
        ("0 request; 100 stop", []), ("0 request; 250 stop", [250]), ("0 request; 1000 stop", [250, 500, 750, 1000]),
        ("0 request; 250 tick; 500 tick; 600 stop", [250, 500]), ("0 request; 100 tick; 600 stop", [100, 350, 600]),
        ("0 request; 900 tick; 900 stop", [250, 500, 750, 900]),
        ("0 request; 100 stop; 5000 request; 5300 stop", [5250]),
        ("0 tick; 900 position position_ms=1", []),
    ])
    func aTickComesAtLeastEveryQuarterSecondOfASession(script: String, times: [Int64]) throws {
        let ticks = try Replay(script).delivered.filter { $0.type == .tick }
        #expect(ticks.map { $0.time.microseconds / 1000 } == times)
    }

    @Test func anAbsurdGapCostsBoundedWork() throws {
        let ticks = try Replay("0 request; 1000000000000 stop").delivered.filter { $0.type == .tick }
        #expect(ticks.count <= 2400)
        #expect(ticks.count > 2300)
    }

    @Test(arguments: [599_900, 600_000, 600_001, 1_200_499, 86_400_123])
    func timeNeverGoesBackAfterALongGap(end: Int64) throws {
        var timeline = ControllerTimeline(controller: ControllerID(rawValue: 1), numbering: SessionNumbering())
        var times: [EventTime] = []
        let deliver = { (event: PlayerEvent) in times.append(event.time) }
        for var event in try events("0 request; 0 play_intent; \(end) first_video_frame") {
            timeline.accept(&event, deliver: deliver)
        }
        for later in [end + 1, end + 249, end + 260, end + 520] {
            timeline.advance(to: EventTime(microseconds: later * 1000), deliver: deliver)
        }
        #expect(times == times.sorted())
        let after = times.last.map { $0.microseconds / 1000 - end } ?? 0
        #expect((270...520).contains(after))
        #expect(timeline.timesClamped == 0)
    }

    @Test func timePassesWithoutEvents() throws {
        var timeline = ControllerTimeline(controller: ControllerID(rawValue: 1), numbering: SessionNumbering())
        var delivered: [PlayerEvent] = []
        timeline.advance(to: EventTime(microseconds: 9_000_000)) { delivered.append($0) }
        #expect(delivered.isEmpty)
        for var event in try events("0 request; 0 play_intent") { timeline.accept(&event) { _ in } }
        timeline.advance(to: EventTime(microseconds: 260_000)) { delivered.append($0) }
        timeline.advance(to: EventTime(microseconds: 270_000)) { delivered.append($0) }
        #expect(delivered.map(\.time.microseconds) == [250_000])
        // An event that was on its way is not late for it.
        for var event in try events("255 first_video_frame") { timeline.accept(&event) { _ in } }
        #expect(timeline.timesClamped == 0)
        #expect(timeline.openRecord(at: EventTime(microseconds: 300_000))?.elapsed == 300_000)
        #expect(timeline.state == .playing)
    }

    // MARK: Sessions

    @Test func whatFollowsTheEndIsDroppedAndCounted() throws {
        let replay = try Replay(
            Self.playing + "; 900 stop; 900 state state=stopped; 950 position position_ms=5; 960 position")
        #expect(replay.records.count == 1)
        #expect(replay.dropped == [.position: 2])
        #expect(replay.delivered.allSatisfy { $0.time.microseconds <= 900_000 })
    }

    @Test func nothingIsDeliveredBeforeASessionOpens() throws {
        let replay = try Replay("0 state state=preparing; 1 prepared; 2 first_video_frame; 3 request")
        #expect(replay.delivered.first?.type == .request)
        #expect(replay.dropped == [.state: 1, .prepared: 1, .firstVideoFrame: 1])
    }

    @Test func aLateEventOfAClosedSessionIsNeverTakenForTheNext() throws {
        let replay = Replay(
            try events(
                "0 request session=1; 10 stop session=1; 20 request session=2; 30 first_video_frame session=1; 40 prepared session=2"
            ))
        #expect(replay.dropped == [.firstVideoFrame: 1])
        #expect(replay.records.map(\.session.rawValue) == [1, 2])
    }

    @Test(arguments: ["play_intent", "state state=playing", "seek_begin to_ms=0"])
    func playingOnAfterTheEndOpensTheNextSession(event: String) throws {
        let replay = try Replay(
            """
            0 request source=a unique_id=url:a player=4; 0 play_intent; 10 prepared duration_ms=900; 20 first_video_frame
            900 completed; 5000 \(event); 5100 seek_end; 5600 completed
            """)
        #expect(replay.records.count == 2)
        let next = try #require(replay.records.last)
        #expect(next.continuedFrom == SessionID(rawValue: 1))
        #expect(next.source == "a")
        #expect(next.uniqueID == "url:a")
        #expect(next.player == 4)
        #expect(next.media?.duration == MediaTime(microseconds: 900_000))
        #expect(next.elapsed == 600_000)
        #expect(next.outcome == .complete)
        #expect(next.states[.playing] + next.states[.seeking] == 600_000)
        #expect(replay.delivered.filter { $0.type == .request }.count == 2)
    }

    @Test func playingAfterAStopStartsAnew() throws {
        let next = try #require(
            try Replay(Self.playing + "; 900 stop; 1000 play_intent; 1100 first_video_frame").records.last)
        #expect(next.join == 100_000)
        #expect(next.media == nil)
        #expect(next.continuedFrom == SessionID(rawValue: 1))
    }

    @Test func aSourceSwitchOpensTheNextSessionWithItsIntent() throws {
        let replay = try Replay(
            Self.playing
                + "; 900 source_switch source=b unique_id=url:b; 950 state state=preparing; 1000 first_video_frame; 2000 stop"
        )
        #expect(replay.records.map(\.source) == ["a", "b"])
        #expect(replay.records.map(\.endReason) == [.switch, .stopped])
        #expect(replay.records.last?.join == 100_000)
        #expect(replay.records.last?.elapsed == 1_100_000)
        #expect(replay.records.last?.instance == .unknown)
    }

    @Test func aRequestAtTheTimeOfTheSwitchForTheSameIdIsItsSession() throws {
        let replay = try Replay(
            Self.playing
                + "; 900 source_switch source=b unique_id=url:b; 900 request source=b unique_id=url:b player=2; 1000 first_video_frame"
        )
        #expect(replay.records.count == 2)
        #expect(replay.records.last?.player == 2)
        #expect(replay.records.last?.join == 100_000)
    }

    @Test(arguments: ["901 request source=b unique_id=url:b", "900 request source=c unique_id=url:c"])
    func anyOtherRequestAfterASwitchIsASessionOfItsOwn(request: String) throws {
        let replay = try Replay(Self.playing + "; 900 source_switch source=b unique_id=url:b; \(request); 1000 stop")
        #expect(replay.records.map(\.endReason) == [.switch, .switch, .stopped])
    }

    @Test func aNumberedSwitchWaitsForItsRequest() throws {
        let replay = try Replay(
            """
            0 request session=1 source=a; 0 play_intent session=1; 10 source_switch session=1 source=b
            12 request session=2 source=b; 20 stop session=2
            """)
        #expect(replay.records.map(\.session.rawValue) == [1, 2])
        #expect(replay.records.last?.outcome == .notAnAttempt)
    }

    @Test func aSwitchWithoutAnythingAfterItOpensNothing() throws {
        #expect(try reasons(Self.playing + "; 900 source_switch source=b") == [.switch])
    }

    @Test func aRequestWithAUsedNumberIsDropped() throws {
        let replay = try Replay("0 request session=5; 10 request session=5; 20 request session=4; 30 stop session=5")
        #expect(replay.records.count == 1)
        #expect(replay.dropped == [.request: 2])
    }

    @Test func controllersShareTheNumbersOfSessions() throws {
        let replay = try Replay(
            "0 request; 1 request controller=2; 2 request controller=3 session=9; 3 stop; 4 stop controller=2; 5 stop controller=3; 6 request"
        )
        #expect(replay.records.map(\.session.rawValue) == [1, 2, 9, 10])
        #expect(replay.records.map(\.controller.rawValue) == [1, 2, 3, 1])
    }

    // MARK: Surroundings

    @Test func theNetworkBeforeARequestIsToldAfterIt() throws {
        let replay = try Replay("0 network type=cellular metered=true; 5 background; 9 request; 20 network type=wifi")
        #expect(
            replay.delivered.prefix(5).map(\.type) == [.request, .sessionState, .network, .background, .sessionState])
        #expect(replay.delivered[2].time == EventTime(microseconds: 9000))
        #expect(replay.delivered[2].session == SessionID(rawValue: 1))
        #expect(replay.dropped.isEmpty)
    }

    @Test func backgroundOutlastsASession() throws {
        let replay = try Replay(Self.playing + "; 300 background; 400 stop; 500 request; 500 play_intent; 900 stop")
        #expect(replay.records.last?.states[.background] == 400_000)
    }

    @Test func theNetworkOfAnEarlierSessionIsTheOpenOnes() throws {
        let replay = try Replay(
            "0 request session=1; 5 stop session=1; 6 request session=2; 7 network session=1 type=wifi")
        #expect(replay.delivered.last?.session == SessionID(rawValue: 2))
    }

    // MARK: Late subscribers

    @Test func aLateSubscriberIsToldHowThingsStand() throws {
        let replay = try Replay(Self.playing + "; 300 network type=wifi; 400 state state=paused")
        let told = try #require(replay.timelines.values.first).replayedEvents
        #expect(told.map(\.type) == [.prepared, .firstVideoFrame, .network, .state])
        #expect(told.map { $0.time.microseconds / 1000 } == [100, 200, 300, 400])
        #expect(told.allSatisfy { $0.flags.contains(.replayed) })
    }

    @Test func ofAnEarlierSessionOnlyTheNetworkIsTold() throws {
        let replay = try Replay(Self.playing + "; 300 network type=wifi; 400 stop; 500 request")
        #expect(try #require(replay.timelines.values.first).replayedEvents.map(\.type) == [.network])
    }

    @Test func sessionStatesAndReplayedEventsOfALogAreNotTakenTwice() throws {
        let replay = try Replay("0 request; 5 session_state state=playing; 6 prepared replayed=true; 9 stop")
        #expect(replay.states() == ["0 join_paused", "9 stopped"])
        #expect(replay.dropped == [.prepared: 1])
    }

    @Test func lostEventsMarkTheSession() throws {
        var timeline = ControllerTimeline(controller: ControllerID(rawValue: 1), numbering: SessionNumbering())
        for var event in try events("0 request") { timeline.accept(&event) { _ in } }
        timeline.markIncomplete()
        timeline.finish()
        #expect(timeline.takeClosedRecords().map(\.isIncomplete) == [true])
        #expect(timeline.takeClosedRecords().isEmpty)
    }
}
