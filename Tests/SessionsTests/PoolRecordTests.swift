// SPDX-License-Identifier: Apache-2.0

import JSONText
import MediaCore
import Sessions
import Testing

@Suite("The line that an event log has for an operation of a pool")
struct PoolRecordTests {
    @Test("of a player that was lost says whose it was to be, and is read back")
    func lost() throws {
        var record = PoolRecord(.lose, at: EventTime(microseconds: 1500))
        (record.lease, record.player, record.outcome) = (7, 3, "stopFailedDestroyed")
        let line = JSONWriter.text(record.json(origin: .zero))
        #expect(
            line == """
                {"t_ms":1.5,"event":"pool","op":"lose","lease":7,"player":3,"outcome":"stopFailedDestroyed","created":0,\
                "evicted":[],"by_default":false}
                """)
        #expect(try PoolRecord(line: line) == record)
    }
}
