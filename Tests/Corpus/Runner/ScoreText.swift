// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The score as README.md has it, between two marks.
enum ScoreText {
    private static let path = Kitshell.root.appending(path: "README.md").path
    private static let begin = "<!-- corpus: written by make corpus ARGS=--write-readme -->\n"
    private static let end = "<!-- end of corpus -->"

    static func text(_ rows: [Row]) -> String {
        let scores = Place.allCases.map { place in
            let score = Score.promised(rows, in: place)
            return "| \(words[place] ?? "") | \(score.contained) of \(score.all) |"
        }
        return """
            | the hostile corpus, \(rows.count) fixtures | contained, with the right reason |
            |---|---|
            \(scores.joined(separator: "\n"))

            """
    }

    private static let words: [Place: String] = [
        .staticCheck: "what a file shows, by the static check", .inProcess: "in the same process",
        .worker: "in a worker, where plugins of third parties run",
    ]

    /// Whether the README says what the table promises.
    static func isCurrent(_ rows: [Row]) throws -> Bool {
        try parts().old == text(rows)
    }

    static func write(_ rows: [Row]) throws {
        let parts = try parts()
        try (parts.before + text(rows) + parts.after).write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static func parts() throws -> (before: String, old: String, after: String) {
        let all = try String(contentsOfFile: path, encoding: .utf8)
        guard let start = all.range(of: begin), let stop = all.range(of: end), start.upperBound <= stop.lowerBound
        else {
            throw CommandLineTool.Failure(description: "README.md has no place for the score of the corpus")
        }
        return (
            String(all[..<start.upperBound]), String(all[start.upperBound..<stop.lowerBound]),
            String(all[stop.lowerBound...])
        )
    }
}
