// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Where a fixture is tried.
enum Place: String, CaseIterable, Sendable {
    case staticCheck = "static"
    case inProcess = "in process"
    case worker
}

/// What is expected of a fixture in one place.
struct Expectation: Hashable, Sendable {
    /// What may come out, as `Verdict` says it; empty if nothing is run.
    var verdicts: [String]
    /// Whether it keeps a failing plugin from everything else, with the right reason; nil if the place has no part in it.
    var isContained: Bool?

    /// Reads a cell of the table.
    init(cell: String, call: String) {
        let text = cell.replacing("@", with: call)
        switch text {
        case "-":
            verdicts = []
            isContained = nil
        case "not run":
            verdicts = []
            isContained = false
        default:
            let isUnnoticed = text == "unnoticed"
            verdicts = isUnnoticed ? ["fine"] : text.components(separatedBy: " or ")
            isContained = !isUnnoticed && !verdicts.contains { $0.hasPrefix("lost") || $0.contains("+") }
        }
    }
}

/// One fixture of the table.
struct Row: Sendable {
    /// When the fault happens: the name in the table, that of the C constant, and the call of the host that runs then.
    struct Moment: Hashable, Sendable {
        var name: String
        var call: String

        static let all = [
            Moment(name: "ctor", call: "load"), Moment(name: "entry", call: "load"),
            Moment(name: "create", call: "create"), Moment(name: "call", call: "on_events"),
            Moment(name: "stop", call: "destroy"), Moment(name: "thread", call: "on_events"),
        ]
    }

    /// As in `H40`.
    var code: String
    var recipe: Recipe
    var moment: Moment?
    var expected: [Place: Expectation]
    var what: String

    /// The fixture as people read it.
    var name: String {
        [code, recipe.label, moment?.name].compactMap(\.self).joined(separator: " ")
    }

    /// The same as the name of a directory.
    var directory: String { name.replacing(" ", with: "-").replacing("+", with: "with-") }
}

/// The table of expected verdicts.
enum CorpusTable {
    static let path = Kitshell.root.appending(path: "Tests/Corpus/corpus.txt").path

    /// Reads it: lines of seven columns; what begins with `#` is for people.
    static func read() throws -> [Row] {
        var rows: [Row] = []
        for (index, line) in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
            .enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 7, let recipe = Recipe(cells[1]) else {
                throw CommandLineTool.Failure(
                    description: "corpus.txt:\(index + 1) is no row of seven columns: \(line)")
            }
            let names = cells[2] == "all" ? Row.Moment.all.map(\.name) : cells[2].components(separatedBy: " ")
            for name in names {
                let moment = Row.Moment.all.first { $0.name == name }
                guard moment != nil || name == "-" else {
                    throw CommandLineTool.Failure(description: "corpus.txt:\(index + 1): there is no moment '\(name)'")
                }
                let call = recipe.kind == .pool ? "decide" : moment?.call ?? "on_events"
                let expected = zip(Place.allCases, cells[3...5]).map { ($0, Expectation(cell: $1, call: call)) }
                rows.append(
                    Row(
                        code: cells[0], recipe: recipe, moment: moment,
                        expected: Dictionary(uniqueKeysWithValues: expected), what: cells[6]))
            }
        }
        let names = rows.map(\.name)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw CommandLineTool.Failure(description: "corpus.txt has '\(twice)' twice")
        }
        return rows
    }
}
