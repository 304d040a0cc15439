// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import TestSupport
import Testing

@Suite("A worker that fails is started again")
struct RestartTests {
    private static let second: UInt64 = 1_000_000_000

    @Test("at once, then after longer and longer, five times at most in ten minutes")
    func policy() {
        var policy = RestartPolicy()
        func delay(at seconds: UInt64, chance: Double = 0.5) -> Int? {
            policy.delay(afterFailureAt: RealTime(nanoseconds: (1000 + seconds) * RestartTests.second), chance: chance)
        }
        #expect((0..<5).map { delay(at: $0) } == [0, 250, 1000, 5000, nil])
        // One that runs for ten minutes has made up for it.
        #expect(delay(at: 700) == 0)
        #expect(delay(at: 701, chance: 0) == 200 && delay(at: 702, chance: 1) == 1200)
        policy = RestartPolicy()
        // Slowly, it is never too often.
        #expect((0..<7).map { delay(at: $0 * 300) } == [0, 250, 1000, 5000, 30_000, 30_000, 30_000])
    }

    @Test(
        "with its instances, which go on with what comes then; the fault is told, and what was in hand is lost and counted"
    )
    func monitor() throws {
        let fixture = try WorkerFixture(["AT_EVENTS=if (batch->event_count == 2) crash()"], restarts: RestartPolicy())
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        fixture.deliver(2, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.status.faults.map(\.kind) == [.crash])
        fixture.deliver(3, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        let status = monitor.status
        #expect(status.health == .running && status.faults.count == 1)
        #expect(status.eventsDelivered == 4 && status.eventsDropped == 2)
        // Of the new instance, which was told what it has missed.
        #expect(fixture.count["events"] == .int(3) && fixture.count["dropped"] == .int(2))
        monitor.destroy()
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
    }

    @Test("so the decision after a lost one is the strategy's again")
    func lifecycle() throws {
        let fixture = try WorkerFixture(
            ["AT_DECIDE=if (request->kind == KIT_REQUEST_PLAN) crash()"], restarts: RestartPolicy())
        let strategy = try fixture.place.makeLifecycle(name: "pool", options: [])
        #expect(strategy.waitUntilStarted(withinMilliseconds: WorkerFixture.patience))
        #expect(throws: PluginFault.self) { try strategy.decide(RestartTests.request(.clear)) }
        let decision = try strategy.decide(RestartTests.request(.acquire(uniqueID: "a", sourceKind: .url)))
        #expect(decision?.action == .create)
        #expect(strategy.status.health == .running && strategy.status.defaultsUsed == 1)
    }

    @Test("and after the fifth time it is given up")
    func tooOften() throws {
        let fixture = try WorkerFixture(["AT_CREATE=crash()"], restarts: RestartPolicy())
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(WorkerFixture.wait { monitor.status.health == .quarantined })
        let faults = monitor.status.faults
        #expect(faults.map(\.kind) == [.crash, .crash, .crash, .crash, .crash])
        #expect(faults.last?.detail.contains("not started again") == true)
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(throws: PluginError.self) { try fixture.monitor("another") }
    }

    @Test(
        "unless it fell as its last instance was destroyed, which is told all the same",
        arguments: [RestartPolicy(), WorkerFixture.once])
    func destroyed(restarts: RestartPolicy) throws {
        let fixture = try WorkerFixture(["AT_DESTROY=crash()"], restarts: restarts)
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        monitor.destroy()
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.status.faults.map(\.during) == ["destroy"])
    }

    @Test("unless nobody wants it any more")
    func unwanted() throws {
        let fixture = try WorkerFixture(["AT_EVENTS=crash()"], restarts: RestartPolicy())
        let monitor = try fixture.monitor()
        for _ in 0..<2 {
            fixture.deliver(1, to: monitor)
            #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        }
        monitor.destroy()
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
    }

    private static func request(_ kind: PoolRequest.Kind) -> PoolRequest {
        PoolRequest(kind: kind, nowMicroseconds: 0, players: [], maxPoolSize: nil, hardMax: nil)
    }
}
