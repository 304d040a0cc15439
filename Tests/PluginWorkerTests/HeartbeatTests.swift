// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import Testing

@Suite("A worker that has nothing to do")
struct HeartbeatTests {
    private static var fast: CallDeadlines {
        var deadlines = WorkerFixture.patientDeadlines
        deadlines.heartbeat = 1
        return deadlines
    }

    private static let clear = PoolRequest(
        kind: .clear, nowMicroseconds: 0, players: [], maxPoolSize: nil, hardMax: nil)

    @Test("is asked again and again whether it is there")
    func isAsked() throws {
        let fixture = try WorkerFixture(
            stub: ["PING=static int count; if (++count == 5) _exit(7); answer(KITW_PONG, in.header.call, \"\", 0)"],
            deadlines: HeartbeatTests.fast)
        let monitor = try fixture.monitor()
        #expect(WorkerFixture.wait { monitor.status.health == .quarantined })
        #expect(monitor.status.faults.map(\.kind) == [.exit])
        #expect(monitor.status.faults.first?.during == "idle")
    }

    @Test("is taken for hanging if it does not answer")
    func silent() throws {
        var deadlines = HeartbeatTests.fast
        deadlines.onEvents = 20
        let fixture = try WorkerFixture(stub: ["PING=wait_for_ever()"], deadlines: deadlines)
        let monitor = try fixture.monitor()
        #expect(WorkerFixture.wait { monitor.status.health == .quarantined })
        let fault = try #require(monitor.status.faults.first)
        #expect(fault.kind == .hang)
        #expect(fault.during == "idle")
        #expect(fault.detail.contains("did not answer within 20 ms, although nothing was asked"))
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
    }

    @Test("hangs in the decision that it owes, if it owes one")
    func hangingDecision() throws {
        var deadlines = HeartbeatTests.fast
        deadlines.onEvents = 20
        deadlines.decide = 1
        let fixture = try WorkerFixture(stub: ["DECIDE=wait_for_ever()"], deadlines: deadlines)
        let strategy = try fixture.place.makeLifecycle(name: "pool", options: [])
        #expect(strategy.waitUntilStarted(withinMilliseconds: WorkerFixture.patience))
        #expect(throws: (any Error).self) { _ = try strategy.decide(HeartbeatTests.clear) }
        #expect(WorkerFixture.wait { strategy.status.health == .quarantined })
        #expect(strategy.status.faults.last?.during == "decide")
        #expect(strategy.status.faults.last?.kind == .hang)
    }

    @Test("hangs in the call that it is in, whatever is asked of it meanwhile")
    func hangingCall() throws {
        var deadlines = WorkerFixture.patientDeadlines
        deadlines.onEvents = 100
        deadlines.decide = 1
        let fixture = try WorkerFixture(["AT_EVENTS=say(\"begun\"); hang()"], deadlines: deadlines)
        let (monitor, strategy) = (try fixture.monitor(), try fixture.place.makeLifecycle(name: "pool", options: []))
        #expect(strategy.waitUntilStarted(withinMilliseconds: WorkerFixture.patience))
        fixture.deliver(1, to: monitor)
        #expect(WorkerFixture.wait { fixture.log.contains("begun") })
        #expect(throws: (any Error).self) { _ = try strategy.decide(HeartbeatTests.clear) }
        #expect(WorkerFixture.wait { monitor.status.health == .quarantined })
        #expect(monitor.status.faults.map(\.during) == ["on_events"])
    }

    @Test("answers for as long as it lives, also between its calls")
    func answers() throws {
        let fixture = try WorkerFixture(deadlines: HeartbeatTests.fast)
        let monitor = try fixture.monitor()
        for _ in 0..<200 {
            fixture.deliver(1, to: monitor)
            #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        }
        #expect(monitor.status.faults.isEmpty)
        #expect(monitor.status.eventsDelivered == 200)
        monitor.destroy()
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
    }
}
