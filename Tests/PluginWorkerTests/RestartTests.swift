// SPDX-License-Identifier: Apache-2.0

import Foundation
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

    @Test("also where that fails for a while, which counts as a failure of its own")
    func cannotStart() throws {
        let fixture = try WorkerFixture()
        let directory = try TemporaryDirectory()
        let program = directory.file("kit-worker")
        try FileManager.default.copyItem(atPath: try WorkerFixture.executable.get(), toPath: program)
        for (limit, isBack) in [(Int.max, true), (4, false)] {
            let fallen = try WorkerFixture(["AT_EVENTS=if (batch->event_count == 2) crash()"])
            let place = WorkerPlace(
                fallen.file, executable: program, deadlines: WorkerFixture.patientDeadlines,
                restarts: RestartPolicy(limit: limit, delays: [0, 20])
            ) { _, _ in }
            let monitor = try place.makeMonitor(
                name: "m", options: [], controller: ControllerID(rawValue: 1), actions: .nothing)
            fixture.deliver(1, to: monitor)
            #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
            try FileManager.default.moveItem(atPath: program, toPath: program + ".away")
            fixture.deliver(2, to: monitor)
            #expect(WorkerFixture.wait { monitor.status.faults.count { $0.kind == .error } >= (isBack ? 1 : 3) })
            #expect(monitor.status.faults.first?.kind == .crash)
            if !isBack {
                #expect(WorkerFixture.wait { monitor.status.health == .quarantined })
                let last = try #require(monitor.status.faults.last)
                #expect(last.detail.contains("could not be started (\(program))"))
                #expect(last.detail.contains("failed 4 times"))
                #expect(place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
            }
            try FileManager.default.moveItem(atPath: program + ".away", toPath: program)
            guard isBack else { continue }
            fixture.deliver(1, to: monitor)
            #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
            #expect(WorkerFixture.wait { monitor.status.health == .running })
            monitor.destroy()
            #expect(place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        }
    }

    /// In a process of its own, whose limit is lowered.
    @Test("with the last descriptors that the process may have")
    func nearTheLimit() async {
        await #expect(processExitsWith: .success) {
            let fixture = try WorkerFixture()
            // The first one starts what the process keeps.
            let first = try fixture.monitor()
            fixture.deliver(1, to: first)
            #expect(first.finish(withinMilliseconds: WorkerFixture.patience))
            try RestartTests.withLimit(128) {
                var taken: [Int32] = []
                while true {
                    let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
                    if descriptor < 0 { break }
                    taken.append(descriptor)
                }
                for descriptor in taken.suffix(10) { close(descriptor) }
                let place = WorkerPlace(
                    fixture.file, executable: try WorkerFixture.executable.get(),
                    deadlines: WorkerFixture.patientDeadlines, restarts: WorkerFixture.once
                ) { _, _ in }
                let monitor = try place.makeMonitor(
                    name: "m", options: [], controller: ControllerID(rawValue: 1), actions: .nothing)
                fixture.deliver(1, to: monitor)
                #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
                #expect(monitor.status.faults.isEmpty && monitor.status.eventsDelivered == 1, "\(monitor.status)")
                for descriptor in taken.dropLast(10) { close(descriptor) }
            }
        }
    }

    @Test("and watched also where the kernel does not poll as many descriptors, which is said once")
    func unpolled() async {
        await #expect(processExitsWith: .success) {
            let fixture = try WorkerFixture(["AT_EVENTS=if (batch->event_count == 2) crash()"])
            let monitor = try fixture.monitor()
            fixture.deliver(1, to: monitor)
            #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
            try RestartTests.withLimit(2) {
                for count in [1, 2] {
                    fixture.deliver(count, to: monitor)
                    #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
                }
                #expect(monitor.status.faults.map(\.kind) == [.crash])
                #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
            }
            #expect(fixture.log.count { $0.contains("cannot be polled") } == 1, "\(fixture.log)")
        }
    }

    private static func withLimit(_ count: rlim_t, _ body: () throws -> Void) throws {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
        var lower = rlimit(rlim_cur: count, rlim_max: limit.rlim_max)
        #expect(unsafe setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &lower) == 0)
        defer { unsafe _ = setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) }
        try body()
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
