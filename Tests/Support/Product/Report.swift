// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// What a run of kitshell said: its report and its exit status.
package struct Report {
    package let status: Int32?
    package let json: JSONValue
    package let errors: String

    /// - Throws: `CommandLineTool.Failure` if the output is not one JSON document.
    package init(_ outcome: ChildProcess.Outcome) throws {
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

    package var sessions: [JSONValue] { json["sessions"]?.array ?? [] }

    /// The text of `sessions`, for comparing byte for byte.
    package var sessionsText: String { JSONWriter.text(json["sessions"] ?? nil, style: .pretty) }

    /// The row of a strategy.
    package func strategy(_ name: String) -> JSONValue? {
        json["strategies"]?.array?.first { $0["name"]?.string == name }
    }

    /// The faults of a strategy, as `kind during signal`.
    package func faults(of name: String) -> [String] {
        (strategy(name)?["faults"]?.array ?? []).map { fault in
            [fault["kind"], fault["during"], fault["signal"]].compactMap { $0?.string }.joined(separator: " ")
        }
    }

    /// The pictures that each session presented.
    package var presented: [Int64?] { sessions.map { $0["frames"]?["presented"]?.int } }
}
