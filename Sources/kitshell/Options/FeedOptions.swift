// SPDX-License-Identifier: Apache-2.0

package import MediaCore
package import PlayerKit

/// `kitshell feed LIST`.
package struct FeedOptions: PlaysSources, Hashable {
    /// A path, or `-` for standard input.
    package var list = ""
    package var strategies = StrategySelection()
    package var configFile: String?
    package var stateDirectory: String?
    package var output = OutputOptions()
    /// How long each item is watched.
    package var swipeEvery = MediaTime(microseconds: 1_000_000)
    /// nil: one pass through the list.
    package var swipes: Int?
    /// Items ahead and behind that are announced.
    package var window = 2
    /// Lifecycle strategies of which each plays the feed; empty: the one that the selection has.
    package var compared: [String] = []
    package var hasVideo = true
    package var hasAudio = true
    package var network: NetworkType?
    package var recordFile: String?

    package init() {}

    package mutating func finish(_ operands: [Operand]) throws(UsageError) {
        list = try operands.only(
            of: "feed", "list", example: "kitshell feed LIST", several: "LIST is a text file with one source a line")
        try checkHasTrack()
        if !compared.isEmpty {
            guard strategies.lifecycle == nil else {
                throw UsageError(
                    "options --compare and --lifecycle both say which strategies decide", hint: "leave one of them out")
            }
            guard recordFile == nil else {
                throw UsageError(
                    "option --record writes the log of one run, and --compare makes \(compared.count)",
                    hint: "record each strategy in a run of its own, with --lifecycle")
            }
        }
        let isTaken = recordFile == OutputOptions.standardOutput
        if isTaken, output.reports.contains(where: { $0.file == nil }) {
            throw UsageError(
                "options --record and --report would both write to standard output", hint: "give one of them a file")
        }
        output.finish(isStandardOutputTaken: isTaken)
    }

    package static let table = CommandTable<FeedOptions>(
        name: "feed", operands: "LIST",
        summary:
            "plays the sources of a list (a text file with one path or URL a line, - for standard input) as a feed of "
            + "short videos, in real time, and tells how long swipes took to their first pictures",
        example: "feed clips.txt --compare default,reuse-pool,id-scoped-pool",
        groups: [
            OptionGroup(
                "Strategies",
                rows: [
                    lifecycleRow, compareRow, pluginRow, monitorRow, setRow, grantRow(), isolationRow, insecurePathRow,
                    configRow, stateDirectoryRow,
                ]),
            OptionGroup(
                "Swiping",
                rows: [
                    .milliseconds(
                        "swipe-every", isPositive: true, help: "how long each item is watched (default 1000)"
                    ) { $0.swipeEvery = $1 },
                    countRow(
                        "swipes", 1...100_000,
                        "how often to swipe, beginning anew after the last item (default: one pass)"
                    ) { $0.swipes = $1 },
                    countRow(
                        "window", 0...1000,
                        "how many items ahead and behind are announced (default 2); max_pool_size is 2N+1 unless --set says otherwise"
                    ) { $0.window = $1 },
                ] + trackRows + [networkRow]),
            OptionGroup(
                "Output; FILE is a path, or - for standard output",
                rows: [recordRow, reportRow, colorRow, logLevelRow, quietRow]),
        ])

    private static let compareRow: OptionRow<FeedOptions> = .text(
        "compare", "A,B,…",
        help: "play the feed under each of these lifecycle strategies, and compare them with the first"
    ) { (options, value) throws(UsageError) in
        let names = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.count > 1, names.allSatisfy(StrategyName.isValid) else {
            throw UsageError(
                "option --compare: '\(value)' is no list of strategies",
                hint: "write two names or more with commas between them, as --compare default,reuse-pool")
        }
        if let twice = names.first(where: { name in names.count(where: { $0 == name }) > 1 }) {
            throw UsageError("option --compare names '\(twice)' twice", hint: "name each strategy once")
        }
        options.compared = names
    }

    private static func countRow(
        _ long: String, _ range: ClosedRange<Int>, _ help: String,
        _ apply: @escaping @Sendable (inout FeedOptions, Int) -> Void
    ) -> OptionRow<FeedOptions> {
        .text(long, "N", help: help) { (options, value) throws(UsageError) in
            guard let count = Int(value), range.contains(count) else {
                throw UsageError(
                    "option --\(long): '\(value)' is no such number",
                    hint: "write a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            apply(&options, count)
        }
    }
}
