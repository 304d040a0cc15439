// SPDX-License-Identifier: Apache-2.0

import JSONText
import TestSupport
import Testing

/// What is wrong with a log or a plugin is counted, cut and said; nothing else is lost.
@Suite struct BadInputTests {
    private func log(_ lines: [String], _ directory: TemporaryDirectory) throws -> String {
        let text = (["{\"schema\":\"kitshell.events/1\"}"] + lines).map { $0 + "\n" }.joined()
        return try directory.write(Array(text.utf8), to: "log.jsonl")
    }

    private static let session = [
        #"{"t_ms":0,"event":"request","source":"a"}"#, #"{"t_ms":0,"event":"play_intent"}"#,
        #"{"t_ms":100,"event":"first_video_frame","pts_ms":0}"#,
    ]

    @Test(arguments: [
        (String(repeating: "x", count: 10 << 20), "malformed_lines"),
        (#"{"t_ms":NaN,"event":"tick"}"#, "malformed_lines"), (#"{"t_ms":1e999,"event":"tick"}"#, "malformed_lines"),
        (#"{"t_ms":150,"event":"tick","x":"# + String(repeating: "[", count: 5000), "malformed_lines"),
        (#"{"t_ms":50,"event":"loading_end"}"#, "clamped_times"),
        (#"{"t_ms":150,"event":"from_tomorrow"}"#, "unknown_events"),
    ])
    func aBadLineIsCountedAndTheSessionIsWhole(line: String, count: String) throws {
        let directory = try TemporaryDirectory()
        let lines = Self.session + [line, #"{"t_ms":1100,"event":"stop"}"#]
        let report = try Kitshell.replay(try log(lines, directory), "--keep-going")
        #expect(report.json["losses"]?[count] == 1)
        #expect(report.errors.contains(" 1 "))
        #expect(report.sessions.count == 1)
        #expect(report.sessions.first?["elapsed_ms"] == 1100)
        #expect(report.sessions.first?["states_ms"]?["playing"] == 1000)
        #expect(report.status == 0)
    }

    @Test func pairsThatAreNoneAndEventsAfterTheEndAreCounted() throws {
        let directory = try TemporaryDirectory()
        let lines =
            Self.session + [
                #"{"t_ms":200,"event":"loading_end"}"#, #"{"t_ms":300,"event":"loading_begin"}"#,
                #"{"t_ms":350,"event":"loading_begin"}"#, #"{"t_ms":400,"event":"loading_end"}"#,
                #"{"t_ms":500,"event":"stop"}"#, #"{"t_ms":600,"event":"loading_begin"}"#,
                #"{"t_ms":700,"event":"error","fatal":true,"message":"late"}"#,
            ]
        let report = try Kitshell.replay(try log(lines, directory))
        let stalls = report.sessions.first?["stalls"]
        #expect(stalls?["orphan_ends"] == 1 && stalls?["duplicate_begins"] == 1 && stalls?["total_ms"] == 100)
        #expect(report.sessions.first?["errors"] == [])
        #expect(report.json["losses"]?["out_of_session"] == 2)
        #expect(report.errors.contains("dropped 2 events outside of any session"))
    }

    /// C text that reports under a name.
    private func report(_ name: String, times: Int) -> String {
        """
        for (int n = 0; n < \(times); n++) {
          kit_report_v1 flood = {0};
          flood.struct_size = sizeof flood;
          flood.kind = KIT_REPORT_OCCURRENCE;
          flood.session = event->session;
          flood.name.ptr = \(name);
          flood.name.len = sizeof(\(name)) - 1;
          sink->emit(sink, &flood);
        }
        """
    }

    @Test(arguments: ["worker", "in-process"])
    func aPluginThatFloodsIsCutAndTheRestIsWhole(isolation: String) throws {
        let directory = try TemporaryDirectory()
        let times = 100_000
        let plugin = try CMonitor.build(
            in: directory, batch: CMonitor.at("KIT_EVENT_FIRST_VIDEO_FRAME", report("\"flood\"", times: times)))
        let played = try Kitshell.play(Kitshell.clip, "--plugin", plugin, "--isolation", isolation)
        let flood = played.sessions.first?["plugins"]?[CMonitor.id]?["flood"]?.array
        // A few of the thousand a second were taken by its other reports.
        #expect((900...1000).contains(flood?.count ?? 0))
        #expect(played.errors.contains("reports were cut"))
        let cut = played.strategy(CMonitor.id)?["reports_cut"]?.int ?? 0
        // Its other reports may be among them.
        #expect(cut >= Int64(times - (flood?.count ?? 0)) && cut <= Int64(times) + 1000)
        #expect(played.json["losses"]?["cut_reports"]?.int == cut)
        #expect(played.count() != nil)
        #expect(played.presented == [125])
        #expect(played.sessions.first?["first_frame"]?["total_ms"]?.number != nil)
    }

    /// Live, batches are short; in a replay they are long.
    @Test(arguments: ["worker", "in-process"], [10, 40])
    func whatIsTakenIsTheSameHoweverEventsLieInBatches(isolation: String, times: Int) throws {
        let directory = try TemporaryDirectory()
        // Without its own reports, of which there is one a call.
        let every = CMonitor.at("event->type", report("\"often\"", times: times)) + " return KIT_OK;"
        let plugin = try CMonitor.build(in: directory, batch: every)
        let log = directory.file("log.jsonl")
        let played = try Kitshell.play(
            Kitshell.clip, "--plugin", plugin, "--isolation", isolation, "--record", log)
        let replayed = try Kitshell.replay(log, "--plugin", plugin, "--isolation", isolation)
        func taken(_ report: Report) -> [JSONValue]? {
            report.sessions.first?["plugins"]?[CMonitor.id]?["often"]?.array
        }
        #expect(taken(played)?.count ?? 0 > 1000)
        #expect(taken(played)?.count == taken(replayed)?.count)
        let cut = played.strategy(CMonitor.id)?["reports_cut"]?.int
        #expect(cut == replayed.strategy(CMonitor.id)?["reports_cut"]?.int)
        #expect((cut == 0) == (times == 10))
    }

    @Test(arguments: ["worker", "in-process"])
    func aNameThatIsNoneIsRefusedAndTheRestIsWhole(isolation: String) throws {
        let directory = try TemporaryDirectory()
        let names = ["\"a\\nb\"", "\"\\xff\\xfe\"", "\"" + String(repeating: "a", count: 65) + "\"", "\"\""]
        let plugin = try CMonitor.build(
            in: directory,
            batch: CMonitor.at(
                "KIT_EVENT_FIRST_VIDEO_FRAME",
                names.map { report($0, times: 1) }.joined() + report("\"good\"", times: 1)))
        let played = try Kitshell.play(Kitshell.clip, "--plugin", plugin, "--isolation", isolation)
        let said = played.sessions.first?["plugins"]?[CMonitor.id]?.object?.members.map(\.key) ?? []
        #expect(
            Set(said).contains("good") && said.allSatisfy { ["good", "event_count", "longest_gap"].contains($0) },
            "\(said)")
        #expect(played.strategy(CMonitor.id)?["reports_cut"] == 4)
        #expect(played.json["losses"]?["cut_reports"] == 4)
        #expect(played.presented == [125])
    }
}
