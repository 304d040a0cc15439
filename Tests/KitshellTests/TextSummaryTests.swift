// SPDX-License-Identifier: Apache-2.0

import JSONText
import PlayerKit
import Testing
import kitshell

@Suite struct TextSummaryTests {
    @Test func aSummaryOfEverythingIsAtMost80ColumnsWide() {
        let outcomes = ["complete", "partial", "ebvs", "vsf", "vpf", "not_an_attempt"]
        var summary = SessionSummary()
        for number in 0..<3000 {
            let value = JSONValue.double(Double(number) * 1_000_000)
            let error = JSONValue.object(["code": .int(1000 + Int64(number))])
            summary.add([
                "outcome": .string(outcomes[number % 6]), "errors": [error],
                "first_frame": ["total_ms": value, "prepare_ms": nil], "watched_ms": value, "completion": 1,
                "stalls": ["count": .int(Int64(number) * 1000), "list": [["duration_ms": value]], "ratio": 0.5],
                "frames": ["dropped_late": .int(99_999_999)],
            ])
        }
        let text = TextSummary.render(summary.json, isColored: false)
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(text)")
        #expect(lines.first?.hasPrefix(" sessions        3000   complete 500   ") == true)
        for word in ["left before start 500", "failed to start 500", "failed in play 500", "not an attempt 500"] {
            #expect(text.contains(word), "\(word)")
        }
    }

    @Test func unknownValuesAreCountedBesideTheKnownOnes() throws {
        var summary = SessionSummary()
        for value: JSONValue in [10, 20, nil] { summary.add(["join_ms": value]) }
        let text = TextSummary.render(summary.json, isColored: false)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(" join ") })
        #expect(
            line.split(separator: " ", omittingEmptySubsequences: true)
                == ["join", "2", "1", "15.0", "ms", "10.0", "ms", "20.0", "ms", "20.0", "ms", "20.0", "ms"])
    }
}
