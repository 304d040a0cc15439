// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import Synchronization

/// Keeps what a monitor reports.
final class CapturedReports: Sendable {
    private let entries = Mutex<[ReportEntry]>([])

    var all: [ReportEntry] { entries.withLock { $0 } }

    var sink: ReportSink {
        ReportSink(instance: "fixture") { entry, _ in self.entries.withLock { $0.append(entry) } }
    }

    /// The integer fields of all reports of a name, in order.
    func values(of name: String, _ key: String = "value") -> [Int64] {
        all.filter { $0.name == name }.flatMap { entry in
            entry.fields.compactMap { field in
                if case .int(let value) = field.value, field.key == key { value } else { nil }
            }
        }
    }
}

/// Ticks of session 1, a millisecond apart.
func ticks(_ count: Int, from start: Int = 0) -> [PlayerEvent] {
    (start..<start + count).map { number in
        var event = PlayerEvent(
            .tick, session: SessionID(rawValue: 1), time: EventTime(microseconds: Int64(number) * 1000))
        event.sequence = UInt64(number + 1)
        return event
    }
}
