// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing

@Suite struct HTMLReportTests {
    @Test(arguments: [
        "clean", "failing-plugin", "refused-plugin", "failing-source", "two-sessions", "thirty-sessions", "audio-only",
        "interrupted",
    ])
    func aReportIsAPageThatNeedsNothingElse(name: String) throws {
        let report = try Fixture.report(name)
        let page = HTMLPage.checked(report)
        #expect(page.elements.contains { $0.name == "meta" && $0.attributes["name"] == "viewport" })
        #expect(page.text.contains("prefers-color-scheme: dark"))
        let cards = page.elements.filter { $0.attributes["class"] == "card" && $0.attributes["aria-labelledby"] != nil }
        #expect(cards.count == report["sessions"]?.array?.count)
    }

    @Test func figuresAndFaultsAreThere() throws {
        let clean = HTMLPage.checked(try Fixture.report("clean")).text
        for part in ["demo.mp4", "complete", "6.3\u{A0}ms", "h264 640x360", "125", "reuse-pool", "com.example.counter"]
        {
            #expect(clean.contains(part), "\(part)")
        }
        #expect(HTMLPage.checked(try Fixture.report("failing-plugin")).text.contains("in trouble"))
        #expect(HTMLPage.checked(try Fixture.report("failing-source")).text.contains("Error"))
    }

    @Test func soundAloneHasNoPictures() throws {
        let text = HTMLPage.checked(try Fixture.report("audio-only")).text
        #expect(text.contains("sound only") && !text.contains("Pictures"))
    }

    @Test(arguments: [
        ("https://h.example/v/ep1.m3u8?next=/a/b#t=5", "ep1.m3u8"), ("https://h.example", "h.example"),
        ("/a/b?c.mp4", "b?c.mp4"), ("-", "-"),
    ])
    func aSourceHasAShortName(source: String, name: String) {
        let page = HTMLPage.checked(["sessions": [["session": 1, "source": .string(source)]]])
        #expect(page.text.contains("\(name) – playback report"))
    }

    @Test func whatWasLostIsTold() {
        let text = HTMLPage.checked([
            "losses": ["malformed_lines": 1, "lost_edges": 2, "out_of_session": 7, "clamped_times": nil]
        ]).text
        #expect(
            text.contains(
                "Losses: skipped 1 malformed line, dropped 7 events outside of any session, lost 2 events that found no room"
            ))
        #expect(!HTMLPage.checked(["losses": ["malformed_lines": 0, "out_of_session": 0]]).text.contains("Losses"))
    }

    @Test func textFromOutsideStaysText() {
        let nasty = "</style></p><script>alert('x')</script><img src=x onerror=\"x\"> & \u{1B}[2J \u{202E}"
        let text = JSONValue.string(nasty)
        let page = HTMLPage.checked([
            "host": ["version": text],
            "sessions": [
                [
                    "session": 1, "source": text, "outcome": text, "end_reason": text,
                    "states_ms": .object(JSONObject([.init(nasty, 5)])),
                    "media": ["video": ["codec": text]],
                    "errors": [["message": text, "hint": text, "name": text, "fatal": true]],
                    "stalls": ["count": 1, "list": [["cause": text, "kind": text]]], "stuck": [["kind": text]],
                    "renditions": ["list": [["id": text]]], "traffic": ["type": text], "join_invalid": text,
                    "plugins": .object(JSONObject([.init(nasty, .object(JSONObject([.init(nasty, ["k": text])])))])),
                ]
            ],
            "strategies": [
                ["name": text, "origin": text, "health": text, "faults": [["detail": text, "kind": text]]]
            ],
            "pool": ["strategy": text, "rejected": .object(JSONObject([.init(nasty, 1)]))],
        ])
        #expect(page.text.contains("<script>alert('x')</script>"))
        #expect(!page.text.unicodeScalars.contains("\u{1B}") && !page.text.unicodeScalars.contains("\u{202E}"))
    }

    @Test func ofVeryManySessionsTheFirstAreShown() {
        let sessions = (1...1200).map { JSONValue.object(["session": .int($0), "source": "a", "outcome": "complete"]) }
        let page = HTMLPage.checked(["sessions": .array(sessions)])
        #expect(page.elements.count { $0.attributes["aria-labelledby"] != nil } == 100)
        #expect(page.text.contains("1100 more sessions"))
    }

    @Test func strangeReportsArePagesToo() {
        let odd: [JSONValue] = [
            nil, true, ["sessions": 3], ["sessions": [nil, 1, [:]], "strategies": ["x", [:]], "pool": "none"],
            ["sessions": [["states_ms": ["playing": 1e300, "stalled": -1], "bytes": ["read": -5]]]],
        ]
        for value in odd { _ = HTMLPage.checked(value) }
    }
}
