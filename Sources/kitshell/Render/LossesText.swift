// SPDX-License-Identifier: Apache-2.0

internal import PlayerKit

extension Losses {
    /// What of a log was not used, or not as it stood, for people; empty if all was.
    var sentence: String {
        let parts: [(UInt64?, verb: String, one: String, many: String)] = [
            (malformedLines, "skipped", "malformed line", "malformed lines"),
            (unknownEvents, "skipped", "event of an unknown name", "events of unknown names"),
            (outOfSession, "dropped", "event outside of any session", "events outside of any session"),
            (clampedTimes, "clamped", "time that went back", "times that went back"),
            (cutReports, "cut", "report beyond what is kept", "reports beyond what is kept"),
        ]
        return parts.compactMap { number, verb, one, many in
            guard let number, number > 0 else { return nil }
            return "\(verb) \(number) \(number == 1 ? one : many)"
        }
        .joined(separator: ", ")
    }
}
