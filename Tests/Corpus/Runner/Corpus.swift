// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport

/// A run of the corpus.
struct Corpus {
    private static let usage = """
        kit-corpus [--details] [--jobs N] [--others | --write-readme | --check-readme] [WORD…]
          WORD…           only fixtures whose names begin with one of them, as H40
          --details       tell each verdict
          --jobs N        try so many at a time (default 4: most of the time is waiting)
          --others        only give what can be loaded to other hosts of plugins that are installed here
          --check-readme  only look whether README.md tells the score of the table
          --write-readme  only write it there
        """

    private var isDetailed = false
    private var onlyReads = false
    private var writes = false
    private var asksOthers = false
    private var jobs = 4
    private var words: [String] = []

    init(arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--details": isDetailed = true
            case "--check-readme": onlyReads = true
            case "--write-readme": writes = true
            case "--others": asksOthers = true
            case "--jobs":
                guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
                    throw CommandLineTool.Failure(description: Corpus.usage)
                }
                jobs = count
            case _ where argument.hasPrefix("-"): throw CommandLineTool.Failure(description: Corpus.usage)
            default: words.append(argument)
            }
        }
    }

    /// - Returns: whether all is as expected.
    func run() throws -> Bool {
        let table = try CorpusTable.read()
        if writes {
            try ScoreText.write(table)
            return true
        }
        let isReadmeCurrent = try ScoreText.isCurrent(table)
        if !isReadmeCurrent {
            print("README.md tells another score than Tests/Corpus/corpus.txt: make corpus ARGS=--write-readme")
        }
        if onlyReads { return isReadmeCurrent }
        prepareProcess()
        let rows = table.filter { row in words.isEmpty || words.contains { row.name.hasPrefix($0) } }
        guard !rows.isEmpty else {
            let wanted = words.joined(separator: " or ")
            throw CommandLineTool.Failure(description: "no fixture's name begins with \(wanted)")
        }
        let directory = try TemporaryDirectory()
        if asksOthers {
            try OtherHosts.compare(rows, in: directory)
            return true
        }
        let trial = try Trial(in: directory.path)
        let results = try measure(rows, trial, in: directory)
        Matrix.print(results, isDetailed: isDetailed)
        return tell(results) && isReadmeCurrent
    }

    /// What runs from here leaves no core files and no back traces, and nothing of this terminal.
    private func prepareProcess() {
        unsafe setenv("SWIFT_BACKTRACE", "enable=no", 1)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        unsafe setrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &none)
        umask(0o022)
    }

    private func measure(_ rows: [Row], _ trial: Trial, in directory: TemporaryDirectory) throws -> [Measured] {
        let place: @Sendable (Row) -> String = { directory.file($0.directory) }
        // All first: a compiler's pipe must not be inherited by a process that stays.
        let fixtures = Workforce.map(rows, threads: 3) { row in Result { try Fixture(row, in: place(row)) } }
        var results = Workforce.map(Array(zip(rows, fixtures)), threads: jobs) { row, fixture in
            Result { try measure(row, fixture, trial, place(row)) }
        }
        // Deadlines are real time: what differs on a busy machine is looked at again, alone.
        for index in results.indices {
            if case .success(let result) = results[index], !result.differences.isEmpty {
                results[index] = Result { try measure(rows[index], fixtures[index], trial, place(rows[index])) }
            }
        }
        return try results.map { try $0.get() }
    }

    private func measure(
        _ row: Row, _ fixture: Result<Fixture, any Error>, _ trial: Trial, _ directory: String
    ) throws -> Measured {
        var result = Measured(row: row)
        do {
            let fixture = try fixture.get()
            for place in Place.allCases where row.expected[place]?.verdicts.isEmpty == false {
                result.verdicts[place] = try trial.verdict(of: fixture, row, in: place, directory: directory)
            }
        } catch let skip as Skip {
            result.skip = skip.why
        }
        return result
    }

    /// The last lines.
    private func tell(_ results: [Measured]) -> Bool {
        let scores = Place.allCases.map { place in
            let score = Score.measured(results, in: place)
            return "\(place.rawValue) \(score.contained) of \(score.all)"
        }
        let differing = results.count { !$0.differences.isEmpty }
        let skipped = results.count { $0.skip != nil }
        print("\ncontained, with the right reason: \(scores.joined(separator: ", "))")
        print("\(results.count) fixtures, \(skipped) skipped, \(differing) not as expected")
        return differing == 0
    }
}
