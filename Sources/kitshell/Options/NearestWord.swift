// SPDX-License-Identifier: Apache-2.0

/// Finds what somebody meant who mistyped a word.
package enum NearestWord {
    /// The word fewest edits away from `word`, nil if none is near: at most one edit for three letters, and one more for every three.
    ///
    /// Of two that are equally near, the first. A word of which `word` is the beginning counts as near.
    package static func find(for word: String, in words: some Sequence<String>) -> String? {
        let written = Array(word.lowercased().unicodeScalars.prefix(longest))
        guard !written.isEmpty else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in words {
            let letters = Array(candidate.lowercased().unicodeScalars.prefix(longest))
            let isBeginning = written.count >= 2 && letters.starts(with: written)
            let distance = isBeginning ? 1 : distance(written, letters)
            guard distance <= (max(written.count, letters.count) + 2) / 3, distance < letters.count else { continue }
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.word
    }

    // Longer input is compared by its beginning: the work stays bounded whatever is on the command line.
    private static let longest = 64

    /// Insertions, deletions, substitutions and swaps of neighbours (Damerau-Levenshtein, optimal string alignment).
    private static func distance(_ left: [UnicodeScalar], _ right: [UnicodeScalar]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for (column, other) in right.enumerated() {
                var cost = min(previous[column + 1] + 1, current[column] + 1)
                cost = min(cost, previous[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
