// SPDX-License-Identifier: Apache-2.0

import JSONText
import TestSupport

/// What a run of kitshell said: its report and its exit status.
struct Report {
    let status: Int32?
    let json: JSONValue
    let errors: String

    /// - Throws: `CommandLineTool.Failure` if the output is not one JSON document.
    init(_ outcome: ChildProcess.Outcome) throws {
        status = outcome.status
        errors = outcome.errors
        do {
            json = try JSONReader().read(outcome.output)
        } catch {
            throw CommandLineTool.Failure(
                description:
                    "status \(String(describing: outcome.status)), signal \(String(describing: outcome.signal)), "
                    + "output is no JSON (\(error)): \(outcome.output)\n\(outcome.errors)")
        }
    }

    var sessions: [JSONValue] { json["sessions"]?.array ?? [] }

    /// The text of `sessions`, for comparing byte for byte.
    var sessionsText: String { JSONWriter.text(json["sessions"] ?? nil, style: .pretty) }

    /// The row of a strategy.
    func strategy(_ name: String) -> JSONValue? {
        json["strategies"]?.array?.first { $0["name"]?.string == name }
    }

    /// The faults of a strategy, as `kind during signal`.
    func faults(of name: String) -> [String] {
        (strategy(name)?["faults"]?.array ?? []).map { fault in
            [fault["kind"], fault["during"], fault["signal"]].compactMap { $0?.string }.joined(separator: " ")
        }
    }

    /// The pictures that each session presented.
    var presented: [Int64?] { sessions.map { $0["frames"]?["presented"]?.int } }

    /// The record of the example plugin in a session.
    func count(_ name: String = CMonitor.id, session: Int = 0) -> JSONValue? {
        guard session < sessions.count else { return nil }
        return sessions[session]["plugins"]?[name]?["event_count"]
    }
}
