// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing
import kitshell

@Suite struct ExpectationTests {
    private static let session: JSONValue = [
        "session": 3, "source": "a.mp4", "outcome": "complete", "join_invalid": nil, "media": ["seekable": true],
        "first_frame": ["total_ms": 6.3, "first_audio_ms": nil], "stutter": nil,
        "stalls": ["count": 2, "list": [["duration_ms": 100], ["duration_ms": 900.5]]], "seeks": ["latency_ms": []],
        "errors": [], "plugins": ["com.example.counter": ["event_count": ["events": 212, "name": "x"]]],
    ]

    @Test(arguments: [
        ("first_frame.total_ms < 800", nil), ("first_frame.total_ms<6.3", "first_frame.total_ms is 6.3"),
        ("first_frame.total_ms <= 6.3", nil), ("first_frame.total_ms > 6", nil), ("first_frame.total_ms >= 6.3", nil),
        ("stalls.count == 2", nil), ("stalls.count != 2", "stalls.count is 2"), ("stalls.count == 2.0", nil),
        ("outcome == complete", nil), ("outcome == \"complete\"", nil),
        ("outcome != 'complete'", "outcome is \"complete\""),
        ("media.seekable == true", nil), ("media.seekable == false", "media.seekable is true"),
        // What is unknown meets nothing, not even being different.
        ("first_frame.first_audio_ms < 800", "first_frame.first_audio_ms is unknown (null)"),
        ("first_frame.first_audio_ms != 5", "first_frame.first_audio_ms is unknown (null)"),
        ("stutter.count == 0", "stutter.count is unknown (null)"),
        ("join_invalid == null", nil), ("join_invalid != null", "join_invalid is unknown (null)"),
        ("outcome != null", nil), ("outcome == null", "outcome is \"complete\""),
        ("traffic.type == wifi", "nothing that ran tells traffic.type"),
        // A list stands for its elements.
        ("stalls.list.duration_ms < 1000", nil),
        ("stalls.list.duration_ms < 500", "stalls.list.duration_ms is 900.5 in element 2 of 2"),
        ("seeks.latency_ms < 300", nil), ("errors.fatal == false", nil),
        ("plugins.com.example.counter.event_count.events >= 212", nil),
        ("plugins.com.example.counter.event_count.name < 5", "plugins.com.example.counter.event_count.name is \"x\""),
        ("plugins.com.example.other.n == 1", "nothing that ran tells plugins.com.example.other.n"),
    ])
    func anExpectationHoldsOrSaysWhyNot(text: String, reason: String?) throws {
        let failures = try Expectation(text).failures(in: [Self.session])
        #expect(failures == (reason.map { ["session 3 (a.mp4): \($0)"] } ?? []))
    }

    @Test(arguments: [
        ("first_frame.totalms < 800", "did you mean 'first_frame.total_ms'?"), ("stall.count == 0", "'stalls.count'"),
        ("stalls == 0", "stalls.count"), ("stalls.list < 3", "stalls.list.start_ms"), ("nonsense < 1", "plugins.NAME"),
        ("first_frame.total_ms 800", "operators"), ("first_frame.total_ms = 800", "operators"), ("< 800", "PATH"),
        ("stalls.count <", "PATH"), ("outcome == completed", "'complete'"), ("outcome < complete", "== or !="),
        ("first_frame.total_ms < 800ms", "a number of milliseconds"), ("stalls.count == no", "a number"),
        ("media.seekable == yes", "true or false"), ("source == 5", "quotes"), ("stalls.count < null", "== or !="),
    ])
    func whatCannotBeMeantIsRefusedAndNamesWhatIsNear(text: String, hint: String) throws {
        let error = #expect(throws: UsageError.self) { try Expectation(text) }
        #expect(error?.hint.contains(hint) == true, "\(String(describing: error))")
        #expect(error?.message.contains("--expect") == true)
    }

    @Test func aReportWithoutSessionsMeetsNothing() throws {
        #expect(try Expectation("stalls.count == 0").failures(in: []) == ["the report has no session"])
    }

    @Test func ofVeryManyFailuresTheFirstAreNamed() throws {
        let failures = try Expectation("stalls.count == 0").failures(in: Array(repeating: Self.session, count: 30))
        #expect(failures.count == 11)
        #expect(failures.last == "and in 20 more sessions")
    }

    @Test func aHostileSourceCannotDriveTheTerminal() throws {
        let failures = try Expectation("stalls.count == 0").failures(in: [["session": 1, "source": "\u{1B}[2J"]])
        #expect(failures.count == 1 && failures.allSatisfy { !$0.contains("\u{1B}") })
    }
}
