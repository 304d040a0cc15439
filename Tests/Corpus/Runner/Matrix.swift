// SPDX-License-Identifier: Apache-2.0

/// Prints what was measured, 80 columns wide: a line for each fixture and what came of it, with the moments of which that is true.
enum Matrix {
    private static let width = 80
    private static let nameWidth = 31
    private static let markWidth = 7

    private struct Line {
        var results: [Measured]

        var marks: [Measured.Mark] { Place.allCases.map { results[0].mark($0) } }

        /// Whether a result is told on the same line.
        func takes(_ result: Measured) -> Bool {
            let (own, other) = (results[0].row, result.row)
            return own.code == other.code && own.recipe == other.recipe && own.what == other.what
                && marks == Place.allCases.map { result.mark($0) } && result.differences.isEmpty
        }

        var name: String {
            let moments = results.compactMap(\.row.moment?.name)
            let isAll = moments.count == Row.Moment.all.count
            let head = "\(results[0].row.code) \(results[0].row.recipe.label) "
            let whole = head + (isAll ? "all" : moments.joined(separator: " "))
            return whole.count < nameWidth || moments.count < 2 ? whole : head + "×\(moments.count)"
        }
    }

    /// - Parameter isDetailed: whether each verdict is told, and not only whether it is the expected one.
    static func print(_ results: [Measured], isDetailed: Bool) {
        var lines: [Line] = []
        for result in results {
            if !isDetailed, let last = lines.indices.last, lines[last].takes(result) {
                lines[last].results.append(result)
            } else {
                lines.append(Line(results: [result]))
            }
        }
        printLine("", ["static", "here", "worker"], "")
        var group = ""
        for line in lines {
            let result = line.results[0]
            // H0…, H1… and so on stand together.
            if result.row.code.prefix(2) != group { Swift.print("") }
            group = String(result.row.code.prefix(2))
            let what = result.skip.map { "skipped: \($0)" } ?? result.row.what
            printLine(line.name, line.marks.map(\.rawValue), what)
            for place in Place.allCases { tell(result, in: place, isDetailed: isDetailed) }
        }
        Swift.print(
            """

            here: in the same process. ok: kept from everything else, with the right reason.
            open: as the table has it, and not kept in. DIFF: not as the table has it.
            """)
    }

    private static func tell(_ result: Measured, in place: Place, isDetailed: Bool) {
        let mark = result.mark(place)
        let expected = result.row.expected[place]?.verdicts ?? []
        let verdict = result.verdicts[place] ?? "not run"
        if mark == .different {
            Swift.print("       \(place.rawValue): \(expected.joined(separator: " or ")) → \(verdict)")
        } else if isDetailed, mark != .none, mark != .skipped {
            Swift.print("       \(place.rawValue): \(verdict)")
        }
    }

    private static func printLine(_ name: String, _ marks: [String], _ what: String) {
        let head = name.padded(to: nameWidth) + marks.map { $0.padded(to: markWidth) }.joined()
        Swift.print((head + what).prefix(width))
    }
}

extension String {
    /// With spaces, or cut, so that columns stand under each other.
    func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : prefix(width - 1) + " "
    }
}
