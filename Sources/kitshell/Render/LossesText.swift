// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The report's `losses` for people.
enum LossesText {
    /// What was not used, or not as it stood; empty if all was.
    ///
    /// - Parameter losses: of schema `kitshell.report/1`.
    static func sentence(_ losses: JSONValue?) -> String {
        let parts = [
            ("malformed_lines", "skipped", "malformed line", "malformed lines"),
            ("unknown_events", "skipped", "event of an unknown name", "events of unknown names"),
            ("out_of_session", "dropped", "event outside of any session", "events outside of any session"),
            ("clamped_times", "clamped", "time that went back", "times that went back"),
            ("lost_edges", "lost", "event that found no room", "events that found no room"),
            ("inconsistent_sessions", "found", "session of wrong times", "sessions of wrong times"),
            ("cut_reports", "cut", "report that was bad or too many", "reports that were bad or too many"),
        ]
        return parts.compactMap { key, verb, one, many in
            guard let number = losses?[key]?.int, number > 0 else { return nil }
            return "\(verb) \(number) \(number == 1 ? one : many)"
        }
        .joined(separator: ", ")
    }
}
