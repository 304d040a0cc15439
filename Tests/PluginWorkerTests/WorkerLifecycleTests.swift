// SPDX-License-Identifier: Apache-2.0

import PlayerRuntime
import PluginHost
import Sessions
import TestSupport
import Testing

@Suite("A lifecycle strategy in a worker")
struct WorkerLifecycleTests {
    private func request(_ kind: PoolRequest.Kind, idle: [UInt64] = []) -> PoolRequest {
        let players = idle.map {
            PoolRequest.Player(
                handle: PlayerHandle(rawValue: $0), condition: .idle, isPlaying: false, uniqueID: "id\($0)",
                createdSequence: $0, acquiredSequence: 0, idleSequence: $0)
        }
        return PoolRequest(kind: kind, nowMicroseconds: 1, players: players, maxPoolSize: 2, hardMax: nil)
    }

    private func make(_ defines: [String] = []) throws -> (WorkerFixture, any LifecycleInstance) {
        let fixture = try WorkerFixture(defines)
        return (fixture, try fixture.place.makeLifecycle(name: "pool", options: []))
    }

    private let acquire = PoolRequest.Kind.acquire(uniqueID: "x", sourceKind: .file)

    @Test func decides() throws {
        let (_, strategy) = try make()
        #expect(try strategy.decide(request(acquire)) == PoolDecision(.create))
        #expect(
            try strategy.decide(request(acquire, idle: [7, 9])) == PoolDecision(.use(PlayerHandle(rawValue: 9))))
        let recycle = PoolRequest.Kind.recycle(player: PlayerHandle(rawValue: 7), uniqueID: "", force: false)
        #expect(try strategy.decide(request(recycle, idle: [7])) == PoolDecision(.keep))
        #expect(
            try strategy.decide(request(.clear, idle: [7, 9]))
                == PoolDecision(.none, evict: [PlayerHandle(rawValue: 7), PlayerHandle(rawValue: 9)]))
        #expect(strategy.status.calls == 5)
        #expect(strategy.status.faults.isEmpty)
        #expect(strategy.status.health == .running)
    }

    @Test func declines() throws {
        let (_, strategy) = try make(["AT_DECIDE=return KIT_DECLINE"])
        #expect(try strategy.decide(request(acquire)) == nil)
        #expect(strategy.status.faults.isEmpty)
    }

    @Test(arguments: [
        ("decision->action = 77", StrategyStatus.Fault.Kind.invalidDecision),
        ("decision->action = KIT_ACQUIRE_USE; decision->handle = 0", .invalidDecision),
        ("decision->evict_count = 1000000000", .invalidDecision),
        ("decision->prepare_count = 1", .invalidDecision),
        ("return KIT_INTERNAL", .error),
        ("return -12345", .error),
    ])
    func hasBadAnswersReplacedAndGoesOn(behaviour: String, kind: StrategyStatus.Fault.Kind) throws {
        let (_, strategy) = try make(["AT_DECIDE=static int n; if (n++ == 0) { \(behaviour); }"])
        #expect(throws: PluginFault.self) { try strategy.decide(request(acquire)) }
        #expect(strategy.status.faults.map(\.kind) == [kind])
        #expect(strategy.status.defaultsUsed == 1)
        #expect(try strategy.decide(request(acquire)) == PoolDecision(.create))
        #expect(strategy.status.health == .running)
    }

    @Test func isNamedWhenItCrashes() throws {
        let (fixture, strategy) = try make(["AT_DECIDE=crash()"])
        #expect(throws: PluginFault.self) { try strategy.decide(request(acquire)) }
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(strategy.status.faults.map(\.kind) == [.crash])
        #expect(strategy.status.faults.first?.during == "decide")
        #expect(throws: PluginFault.self) { try strategy.decide(request(acquire)) }
        #expect(strategy.status.faults.count == 1)
    }

    @Test func isKilledAfterThreeLateDecisions() throws {
        var deadlines = WorkerFixture.patientDeadlines
        deadlines.decide = 20
        let fixture = try WorkerFixture(["AT_CREATE=say(\"created\")", "AT_DECIDE=hang()"], deadlines: deadlines)
        let strategy = try fixture.place.makeLifecycle(name: "pool", options: [])
        #expect(WorkerFixture.wait { fixture.log.contains("created") })
        #expect(
            WorkerFixture.wait {
                #expect(throws: PluginFault.self) { try strategy.decide(request(acquire)) }
                return strategy.status.health == .quarantined
            })
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(strategy.status.faults.allSatisfy { $0.kind == .hang })
        #expect(strategy.status.faults.last?.detail.contains("three decisions in a row") == true)
    }

    @Test func hasLateAnswersDiscarded() throws {
        var deadlines = WorkerFixture.patientDeadlines
        deadlines.decide = 500
        let gate = try TemporaryDirectory()
        let fixture = try WorkerFixture(
            ["AT_DECIDE=while (access(\"\(gate.file("open"))\", F_OK) != 0) usleep(1000)"], deadlines: deadlines)
        let strategy = try fixture.place.makeLifecycle(name: "pool", options: [])
        #expect(throws: PluginFault.self) { try strategy.decide(request(acquire)) }
        _ = try gate.write([], to: "open")
        #expect(WorkerFixture.wait { (try? strategy.decide(request(acquire))) != nil })
        #expect(strategy.status.health == .running)
    }

    @Test func isAwaitedUntilItCanBeAsked() throws {
        let gate = try TemporaryDirectory()
        let fixture = try WorkerFixture(["AT_CREATE=while (access(\"\(gate.file("open"))\", F_OK) != 0) usleep(1000)"])
        let strategy = try fixture.place.makeLifecycle(name: "pool", options: [])
        #expect(!strategy.waitUntilStarted(withinMilliseconds: 1))
        _ = try gate.write([], to: "open")
        #expect(strategy.waitUntilStarted(withinMilliseconds: WorkerFixture.patience))
        #expect(try strategy.decide(request(acquire)) != nil)
        #expect(strategy.status.faults.isEmpty)
    }

    @Test func isNotAwaitedOnceItDied() throws {
        let fixture = try WorkerFixture(["AT_LOAD=_exit(1)"])
        let strategy = try fixture.place.makeLifecycle(name: "pool", options: [])
        #expect(strategy.waitUntilStarted(withinMilliseconds: WorkerFixture.patience))
        #expect(strategy.status.health == .quarantined)
    }

    @Test func costsNothingWhileItIsNotReady() throws {
        var deadlines = WorkerFixture.patientDeadlines
        deadlines.decide = 10
        let fixture = try WorkerFixture(["AT_LOAD=hang()"], deadlines: deadlines)
        let strategy = try fixture.place.makeLifecycle(name: "pool", options: [])
        for _ in 1...5 { #expect(throws: PluginFault.self) { try strategy.decide(request(acquire)) } }
        #expect(strategy.status.health == .running)
        #expect(strategy.status.defaultsUsed == 5)
        #expect(strategy.status.faults.allSatisfy { $0.detail.contains("not ready") })
    }
}
