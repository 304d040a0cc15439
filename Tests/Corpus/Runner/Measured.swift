// SPDX-License-Identifier: Apache-2.0

/// What was found of one row.
struct Measured: Sendable {
    var row: Row
    var verdicts: [Place: String] = [:]
    /// Why it was not tried here.
    var skip: String?

    enum Mark: String {
        case contained = "ok"
        /// As expected, and not contained.
        case open
        case different = "DIFF"
        case skipped = "skip"
        case none = "-"
    }

    func mark(_ place: Place) -> Mark {
        guard let expected = row.expected[place] else { return .none }
        if expected.verdicts.isEmpty { return expected.isContained == nil ? .none : .open }
        if skip != nil { return .skipped }
        guard let verdict = verdicts[place], expected.verdicts.contains(verdict) else { return .different }
        return expected.isContained == true ? .contained : .open
    }

    var differences: [Place] { Place.allCases.filter { mark($0) == .different } }
}

/// How much is contained in each place.
struct Score {
    var contained = 0
    var all = 0

    /// The score of what was measured.
    static func measured(_ results: [Measured], in place: Place) -> Score {
        results.reduce(into: Score()) { score, result in
            guard isCounted(result.row, in: place), result.mark(place) != .skipped else { return }
            score.all += 1
            if result.mark(place) == .contained { score.contained += 1 }
        }
    }

    /// The score that the table promises.
    static func promised(_ rows: [Row], in place: Place) -> Score {
        rows.reduce(into: Score()) { score, row in
            guard isCounted(row, in: place) else { return }
            score.all += 1
            if row.expected[place]?.isContained == true { score.contained += 1 }
        }
    }

    /// The static check is asked about what can be seen in a file; of the rest it can say nothing.
    private static func isCounted(_ row: Row, in place: Place) -> Bool {
        guard let expected = row.expected[place], expected.isContained != nil else { return false }
        return place != .staticCheck || expected.verdicts != ["accepted"]
    }
}
