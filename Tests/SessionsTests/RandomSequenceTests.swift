// SPDX-License-Identifier: Apache-2.0

import JSONText
import MediaCore
import Sessions
import Testing

/// Laws that hold for any sequence of events.
@Suite struct RandomSequenceTests {
    @Test(arguments: UInt64(1)...40) func lawsHold(seed: UInt64) throws {
        var source = RandomEvents(seed: seed)
        let replay = Replay(source.sequence(of: 3000))
        #expect(replay.records.count > 10)
        for record in replay.records {
            #expect(record.states.sum == record.elapsed)
            #expect(SessionState.allCases.allSatisfy { record.states[$0] >= 0 })
            #expect(record.stalls.list.reduce(0) { $0 + $1.duration } <= record.states[.stalled])
            #expect(record.stalls.count == Int64(record.stalls.list.count))
            #expect(record.stalls.list.allSatisfy { $0.start >= 0 && $0.start + $0.duration <= record.elapsed })
            #expect((0...1).contains(record.stalls.ratio ?? 0))
            #expect(record.watched <= record.elapsed)
            #expect(record.join ?? 0 <= record.states[.joining])
            #expect(
                record.seeks.completed + record.seeks.superseded + record.seeks.failed <= record.seeks.requested)
        }
        #expect(Set(replay.records.map(\.session)).count == replay.records.count)
        #expect(zip(replay.delivered, replay.delivered.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(replay.records.allSatisfy { $0.defect == nil })
    }

    @Test(arguments: UInt64(1)...20) func aRecordedRunReplaysToTheSameBytes(seed: UInt64) throws {
        var source = RandomEvents(seed: seed)
        let events = source.sequence(of: 800, controller: 1) + source.sequence(of: 800, controller: 2)
        let live = Replay(events.sorted { $0.time < $1.time })
        let again = Replay(try read(log: try recorded(live.delivered)))
        #expect(again.json == live.json)
        #expect(again.delivered == live.delivered)
    }

    @Test(arguments: UInt64(1)...20) func whatIsWrittenReadsBackEqual(seed: UInt64) throws {
        var source = RandomEvents(seed: seed)
        let events = source.sequence(of: 500, controller: UInt32(seed))
        #expect(try read(log: try recorded(events)) == events)
    }

    @Test func timesCountFromTheLogsStart() throws {
        var source = RandomEvents(seed: 7)
        let events = source.sequence(of: 800)
        let shift: Int64 = 77_123_456_789
        let late = events.map { event in
            var event = event
            event.time = event.time + shift
            if event.type == .loadingBegin, let stopped = event.value(1) { event.values[1] = stopped + shift }
            return event
        }
        let log = try recorded(Replay(late).delivered, origin: EventTime(microseconds: shift))
        #expect(Replay(try read(log: log)).json == Replay(events).json)
    }
}
