// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Sessions
import Synchronization

/// The log that a recorder writes of these events.
func recorded(_ events: [PlayerEvent], origin: EventTime = .zero) throws -> String {
    let bytes = SinkBytes()
    var writer = EventLogWriter(origin: origin) { bytes.append($0) }
    for event in events { try writer.write(event) }
    try writer.flush()
    return bytes.text
}

private final class SinkBytes: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }
    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}
