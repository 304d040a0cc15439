// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import Testing
import kitshell

@Suite struct TextReportTests {
    @Test(
        "A report reads as its golden text",
        arguments: [
            "clean", "failing-plugin", "refused-plugin", "failing-source", "two-sessions", "thirty-sessions",
            "audio-only",
            "interrupted",
        ])
    func golden(name: String) throws {
        let report = try Fixture.report(name)
        let text = TextReport.render(report, isColored: false)
        if let directory = ProcessInfo.processInfo.environment["REGENERATE_TEXT_REPORTS"] {
            try text.write(toFile: "\(directory)/\(name).report.txt", atomically: true, encoding: .utf8)
            return
        }
        #expect(
            text == (try Fixture.text("\(name).report.txt")),
            "to accept: REGENERATE_TEXT_REPORTS=$PWD/Tests/KitshellTests/Fixtures swift test --filter TextReportTests")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 20)
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test("Colour changes nothing but the colour")
    func color() throws {
        let report = try Fixture.report("failing-plugin")
        let colored = TextReport.render(report, isColored: true)
        #expect(colored.contains("\u{1B}[31mquarantined\u{1B}[0m"))
        // A sentence is one piece.
        #expect(colored.contains("\u{1B}[31mcrash in on_events"))
        #expect(colored.replacing(/\u{1B}\[[0-9]+m/, with: "") == TextReport.render(report, isColored: false))
    }

    @Test("A key of a plugin's report stays on one line with its value")
    func keysAndValues() {
        let text = TextReport.render(
            [
                "sessions": [
                    [
                        "plugins": [
                            "x": ["longest_gap": ["longest_ms": 104.036, "at_position_ms": 207.992, "positions": 3]]
                        ]
                    ]
                ],
                "strategies": [["name": "x", "origin": "x.so", "health": "running"]],
            ], isColored: false)
        #expect(text.contains("longest_ms 104.036, at_position_ms 207.992,\n"))
        #expect(text.contains(" positions 3\n"))
    }

    @Test("Times without progress are told")
    func stuck() {
        let mark: JSONValue = ["kind": "not_ending", "start_ms": 10_000, "duration_ms": 70_000]
        let text = TextReport.render(
            ["sessions": [["source": "a", "stuck": [mark, mark, mark, mark]]]], isColored: false)
        #expect(text.contains("stuck         not ending 1 min 10 s at 10.00 s"))
        #expect(text.contains("and 1 more"))
        #expect(!TextReport.render(["sessions": [["source": "a", "stuck": []]]], isColored: false).contains("stuck"))
    }

    @Test(
        "Of late pictures it says how many came in a row",
        arguments: [
            (
                ["presented": 125, "dropped_late": 3, "max_consecutive_dropped": 2],
                "125 shown, 3 late, most in a row 2\n"
            ),
            (["presented": 125, "dropped_late": 3, "max_consecutive_dropped": nil], "125 shown, 3 late\n"),
            (["presented": 125, "dropped_late": 1, "max_consecutive_dropped": 1], "125 shown, 1 late\n"),
            (["presented": 125, "dropped_late": 0, "max_consecutive_dropped": 0], "125 shown, 0 late\n"),
        ] as [(JSONValue, String)])
    func lateInARow(frames: JSONValue, words: String) {
        let text = TextReport.render(["sessions": [["source": "a", "frames": frames]]], isColored: false)
        #expect(text.contains("frames        \(words)"))
        let page = HTMLReport.render(["sessions": [["source": "a", "frames": frames]]], traces: [:])
        #expect(page.contains("most in a row 2") == words.contains("most in a row 2"))
    }

    @Test("What is to be done about an error is not cut, and what had to be tried again is counted")
    func errorsAndRetries() {
        let text = TextReport.render(
            [
                "sessions": [
                    [
                        "traffic": ["type": "wifi"], "retries": 2,
                        "errors": [
                            [
                                "code": 2011, "name": "io.tls_failed", "fatal": true,
                                "message": "No secure connection to the server of https://media.example.com/a/film.mp4",
                                "hint":
                                    "Check the server's certificate, this machine's clock and its certificate store.",
                            ]
                        ],
                    ]
                ]
            ], isColored: false)
        #expect(text.contains("store.\n"))
        #expect(text.contains("wifi    retries 2\n"))
    }

    @Test("A slow decoder is told, and nothing where there is none")
    func slowDecoder() {
        func text(_ count: Int64) -> String {
            TextReport.render(
                ["sessions": [["frames": ["presented": 9, "decoder_slow": .int(count), "decoder_slow_ms": 1250]]]],
                isColored: false)
        }
        #expect(text(2).contains("9 shown, decoder slow 2 times, 1.25 s\n"))
        #expect(!text(0).contains("slow"))
    }

    @Test("Where each session has only a line, it says of what it failed")
    func failuresOfMany() {
        let session: JSONValue = [
            "source": "gone.mp4", "outcome": "vsf",
            "errors": [
                ["code": 1005, "name": "misc.other", "fatal": false, "message": "passed"],
                ["code": 2001, "name": "io.not_found", "fatal": true, "message": "There is no file gone.mp4"],
            ],
        ]
        let text = TextReport.render(
            ["sessions": .array(Array(repeating: session, count: 25))], isColored: false)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 20)
        #expect(lines.dropLast().allSatisfy { $0.hasSuffix("failed to start    io.not_found") })
    }

    @Test("What is no report, or a report with strange values, gives text all the same")
    func strange() throws {
        let odd: [JSONValue] = [
            nil, true, 7, "text", [], [:], ["sessions": 3],
            ["sessions": [nil, 1, [:]], "strategies": ["x", [:]], "pool": "none"],
            ["sessions": [["states_ms": ["playing": 1e300, "stalled": -1]]]],
            ["sessions": [["source": "a", "frames": ["presented": 1], "media": ["duration_ms": 1e18]]]],
            ["pool": ["strategy": "x", "rejected": ["a": .int(.max), "b": .int(.max)]]],
        ]
        for value in odd {
            let lines = TextReport.render(value, isColored: false).split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= 80 })
        }
    }

    @Test("Text of a plugin or a file cannot drive the terminal or break the layout")
    func hostile() {
        let nasty = "\u{1B}[2J\n\r\u{202E}" + String(repeating: "長", count: 200)
        let text = TextReport.render(
            [
                "sessions": [
                    [
                        "source": .string(nasty), "outcome": "vsf",
                        "errors": [["message": .string(nasty), "hint": .string(nasty), "fatal": true]],
                        "plugins": ["x": .object(JSONObject([.init(nasty, ["key": .string(nasty)])]))],
                    ]
                ],
                "strategies": [
                    [
                        "name": "x", "origin": .string(nasty), "health": .string(nasty),
                        "faults": [["kind": .string(nasty), "detail": .string(nasty), "report": .string(nasty)]],
                    ]
                ],
            ], isColored: false)
        #expect(!text.unicodeScalars.contains("\u{1B}") && !text.unicodeScalars.contains("\u{202E}"))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 20)
        #expect(lines.allSatisfy { line in line.reduce(0) { $0 + ($1 == "長" ? 2 : 1) } <= 80 })
    }

    @Test(
        "Colour is on only where it is wanted",
        arguments: [
            (OutputOptions.Color.auto, true, nil, true), (.auto, true, "", true), (.auto, true, "1", false),
            (.auto, false, nil, false),
            (.always, false, "1", true), (.never, true, nil, false),
        ] as [(OutputOptions.Color, Bool, String?, Bool)])
    func colorRule(color: OutputOptions.Color, isTerminal: Bool, noColor: String?, expected: Bool) {
        #expect(color.isOn(isTerminal: isTerminal, noColor: noColor) == expected)
    }
}
