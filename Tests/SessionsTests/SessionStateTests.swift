// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PluginABI
import Sessions
import Testing

/// Which state holds when.
@Suite struct SessionStateTests {
    struct Case: CustomTestStringConvertible {
        var rule: String
        var script: String
        var states: [String]
        var testDescription: String { rule }

        init(_ rule: String, _ script: String, _ states: [String]) {
            self.rule = rule
            self.script = script
            self.states = states
        }
    }

    /// Requested, wanted, prepared at 100, first frame at 200.
    static let playing = """
        0 request source=a unique_id=url:a; 0 play_intent; 0 state state=preparing; 100 prepared duration_ms=60000
        100 state state=prepared; 100 state state=playing; 200 first_video_frame pts_ms=0
        """

    static let joined = ["0 join_paused", "0 joining", "200 playing"]

    static let cases = [
        Case("a request without intent waits", "0 request source=a; 100 prepared", ["0 join_paused"]),
        Case("intent begins the join, the first frame ends it", playing, joined),
        Case(
            "B08: readiness alone is not joined", "0 request; 0 play_intent; 100 prepared; 100 state state=playing",
            ["0 join_paused", "0 joining"]),
        Case(
            "B22: the join needs no loading to be told",
            "0 request; 0 state state=preparing; 50 prepared; 900 play_intent; 1000 first_video_frame",
            ["0 join_paused", "900 joining", "1000 playing"]),
        Case(
            "a preview frame does not join", "0 request; 0 play_intent; 5 first_video_frame kind=preview",
            ["0 join_paused", "0 joining"]),
        Case(
            "B09: without video the first sample joins",
            """
            0 request; 0 play_intent; 100 prepared media={"container":"mp4","audio":{"codec":"aac","rate":48000,"channels":2}}
            150 first_audio pts_ms=0
            """, ["0 join_paused", "0 joining", "150 playing"]),
        Case(
            "with video the first sample does not join",
            """
            0 request; 0 play_intent
            100 prepared media={"video":{"codec":"h264","width":1,"height":1},"audio":{"codec":"aac","rate":1,"channels":2}}
            150 first_audio pts_ms=0; 170 first_video_frame
            """, ["0 join_paused", "0 joining", "170 playing"]),
        Case(
            "loading that outlives the first frame belongs to the join (W5)",
            "0 request; 0 play_intent; 10 loading_begin cause=network; 50 first_video_frame; 80 loading_end",
            ["0 join_paused", "0 joining", "80 playing"]),
        Case(
            "a frame without intent waits for it", "0 request; 10 first_video_frame; 50 play_intent",
            ["0 join_paused", "50 playing"]),
        Case(
            "B05: background before the join is background",
            "0 request; 0 play_intent; 10 background; 50 first_video_frame; 4000 foreground",
            ["0 join_paused", "0 joining", "10 background", "4000 playing"]),
        Case(
            "no owner is preloading, then prepared in background",
            "0 request; 0 detach player=1; 50 prepared duration_ms=1000; 900 attach player=1; 900 play_intent; 920 first_video_frame",
            ["0 join_paused", "0 preloading", "50 prepared_bg", "900 join_paused", "900 joining", "920 playing"]),
        Case("pause", playing + "; 300 pause_intent; 400 play_intent", joined + ["300 paused", "400 playing"]),
        Case(
            "B13: loading while paused is no stall",
            playing + "; 300 pause_intent; 400 loading_begin; 500 loading_end; 600 play_intent",
            joined + ["300 paused", "400 paused_buffering", "500 paused", "600 playing"]),
        Case(
            "loading while playing is a stall", playing + "; 300 loading_begin; 500 loading_end",
            joined + ["300 stalled", "500 playing"]),
        Case(
            "B23: a player that reports paused for lack of data still stalls",
            playing + "; 300 loading_begin cause=network; 300 state state=paused; 500 loading_end",
            joined + ["300 stalled", "500 playing"]),
        Case(
            "where no intent is ever told the player's states stand for it",
            "0 request; 10 state state=playing; 20 first_video_frame; 30 state state=paused; 40 state state=playing",
            ["0 join_paused", "10 joining", "20 playing", "30 paused", "40 playing"]),
        Case(
            "suppression only where playing is wanted",
            playing
                + "; 300 suppressed on=true; 400 loading_begin; 500 pause_intent; 600 play_intent; 700 suppressed on=false",
            joined + [
                "300 suppressed", "400 suppressed_buffering", "500 paused_buffering", "600 suppressed_buffering",
                "700 stalled",
            ]),
        Case(
            "a seek is seeking until its end", playing + "; 300 seek_begin to_ms=5000; 400 seek_end position_ms=5000",
            joined + ["300 seeking", "400 playing"]),
        Case(
            "loading that a seek leaves open is seek time",
            playing + "; 300 seek_begin to_ms=5; 310 loading_begin; 400 seek_end; 500 loading_end",
            joined + ["300 seeking", "500 playing"]),
        Case(
            "loading caused by a seek is seek time",
            playing + "; 300 loading_begin cause=seek_recovery; 400 loading_end",
            joined + ["300 seeking", "400 playing"]),
        Case(
            "a failed seek is over", playing + "; 300 seek_begin; 400 seek_failed",
            joined + ["300 seeking", "400 playing"]),
        Case(
            "seeking outranks background", playing + "; 300 seek_begin; 350 background; 400 seek_end",
            joined + ["300 seeking", "400 background"]),
        Case(
            "a seek that a later one supersedes goes over into that one",
            playing + "; 300 seek_begin; 400 seek_superseded; 400 seek_begin; 500 seek_begin; 600 seek_end",
            joined + ["300 seeking", "600 playing"]),
        Case(
            "a superseded seek that no other follows is over with the next end",
            playing + "; 300 seek_begin; 400 seek_superseded; 500 seek_failed",
            joined + ["300 seeking", "500 playing"]),
        Case(
            "B06: a frame told again after a seek changes nothing",
            playing + "; 300 seek_begin; 380 first_video_frame; 400 seek_end; 500 first_video_frame",
            joined + ["300 seeking", "400 playing"]),
        Case(
            "a seek while paused ends in the pause",
            playing + "; 300 pause_intent; 400 seek_begin; 500 seek_end",
            joined + ["300 paused", "400 seeking", "500 paused"]),
        Case(
            "a seek in the background ends in the background",
            playing + "; 300 background; 400 seek_begin; 500 seek_end; 600 foreground",
            joined + ["300 background", "400 seeking", "500 background", "600 playing"]),
        Case(
            "a loop is no change of state", playing + "; 300 loop count=1; 400 loop count=2", joined),
        Case(
            "background keeps the intent, whatever the player does for it",
            playing + "; 300 background; 300 state state=paused; 900 foreground; 900 state state=playing",
            joined + ["300 background", "900 playing"]),
        Case(
            "what is wished in the background holds in the foreground",
            playing + "; 300 background; 400 pause_intent; 900 foreground; 950 play_intent",
            joined + ["300 background", "900 paused", "950 playing"]),
        Case(
            "B37: background between prepare and prepared is no join",
            """
            0 request; 0 play_intent; 50 background; 100 prepared; 100 state state=prepared
            4000 foreground; 4000 state state=playing; 4100 first_video_frame
            """, ["0 join_paused", "0 joining", "50 background", "4000 joining", "4100 playing"]),
        Case(
            "a source asked for in the background is in the background",
            "0 background; 5 request; 5 play_intent; 9 foreground",
            ["5 join_paused", "5 background", "9 joining"]),
        Case(
            "loading in the background is background until the foreground, where it stalls",
            playing + "; 300 background; 400 loading_begin; 600 foreground; 700 loading_end",
            joined + ["300 background", "600 stalled", "700 playing"]),
        Case(
            "B02: a seek before the join leaves it joining",
            "0 request; 0 play_intent; 50 seek_begin to_ms=5; 80 seek_end; 90 first_video_frame",
            ["0 join_paused", "0 joining", "90 playing"]),
        Case(
            "sleep is a state without event time", playing + "; 300 suspended duration_ms=60000",
            joined + ["300 suspended", "300 playing"]),
        Case(
            "failure outranks seeking", playing + "; 300 seek_begin; 400 error code=2005 fatal=true",
            joined + ["300 seeking", "400 failed"]),
        Case("an error that is not fatal changes nothing", playing + "; 300 error code=2005 fatal=false", joined),
        Case(
            "a loading near the end of the file is no stall",
            playing + "; 59100 loading_begin eof=true at_ms=59000; 59200 loading_end", joined),
        Case(
            "a loading at the end of data far from the end of the media is a stall",
            playing + "; 300 loading_begin eof=true at_ms=20000", joined + ["300 stalled"]),
        Case(
            "a loading at the end of data without a known position is a stall",
            playing + "; 300 loading_begin eof=true", joined + ["300 stalled"]),
    ]

    @Test(arguments: cases) func holds(_ example: Case) throws {
        let replay = try Replay(example.script)
        #expect(replay.states() == example.states)
        for record in replay.records { #expect(record.states.sum == record.elapsed) }
    }

    @Test func everyChangeNamesItsCause() throws {
        let replay = try Replay("0 request; 0 play_intent; 5 first_video_frame; 9 stop")
        let causes = replay.delivered.filter { $0.type == .sessionState }.map {
            EventType(rawValue: UInt32($0.values[1]))
        }
        #expect(causes == [.request, .playIntent, .firstVideoFrame, .stop])
    }

    @Test func aStateFollowsItsCauseAtOnce() throws {
        let replay = try Replay(Self.playing + "; 300 loading_begin; 300 loading_end")
        for (index, event) in replay.delivered.enumerated() where event.type == .sessionState {
            #expect(replay.delivered[index - 1].type.rawValue == UInt32(event.values[1]))
            #expect(replay.delivered[index - 1].time == event.time)
        }
    }

    @Test func numbersAreThoseOfTheABI() {
        let abi: [(SessionState, Int)] = [
            (.idle, KIT_SESSION_IDLE), (.preloading, KIT_SESSION_PRELOADING),
            (.preparedInBackground, KIT_SESSION_PREPARED_BG), (.joining, KIT_SESSION_JOINING),
            (.joinPaused, KIT_SESSION_JOIN_PAUSED), (.playing, KIT_SESSION_PLAYING), (.paused, KIT_SESSION_PAUSED),
            (.pausedBuffering, KIT_SESSION_PAUSED_BUFFERING), (.seeking, KIT_SESSION_SEEKING),
            (.stalled, KIT_SESSION_STALLED), (.suppressed, KIT_SESSION_SUPPRESSED),
            (.suppressedBuffering, KIT_SESSION_SUPPRESSED_BUFFERING), (.background, KIT_SESSION_BACKGROUND),
            (.suspended, KIT_SESSION_SUSPENDED), (.ended, KIT_SESSION_ENDED), (.stopped, KIT_SESSION_STOPPED),
            (.failed, KIT_SESSION_FAILED), (.abandoned, KIT_SESSION_ABANDONED),
        ]
        #expect(abi.count == SessionState.allCases.count)
        for (state, number) in abi { #expect(Int(state.rawValue) == number) }
    }
}
