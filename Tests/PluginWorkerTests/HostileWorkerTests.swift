// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import Synchronization
import TestSupport
import Testing

/// Workers that break the protocol at random (`hostile-worker.c`): whatever they do, the host answers in time, what it counts adds up, and
/// nothing of them stays.
///
/// `scripts/fuzz.sh wire` runs it for longer and from other seeds.
@Suite struct HostileWorkerTests {
    /// What is run: cases from a seed on, each with the next one, until the count or the time is reached.
    struct Plan: Codable, Sendable {
        var seed: UInt64
        var count: Int
        var seconds: Int?
    }

    /// What the cases have in common.
    private struct Stage: Sendable {
        var file: PluginFile
        var program: String
        var directory: TemporaryDirectory
    }

    @Test func doTheHostNoHarm() async {
        func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
        let plan = Plan(
            seed: UInt64(number("KIT_FUZZ_SEED") ?? 1), count: number("KIT_FUZZ_COUNT") ?? 60,
            seconds: number("KIT_FUZZ_SECONDS"))
        await #expect(processExitsWith: .success) { [plan = plan as Plan] in
            try HostileWorkerTests.run(plan)
        }
    }

    // MARK: In a process of its own

    private static func run(_ plan: Plan) throws {
        let directory = try TemporaryDirectory()
        let path = try WorkerFixture.plugin([], in: directory)
        let stage = Stage(
            file: try PluginFile(PluginInspector.inspect(path: path), origin: .stranger),
            program: try WorkerFixture.hostile(in: directory), directory: directory)
        let end = plan.seconds.map { ContinuousClock.now + .seconds($0) }
        let next = Atomic(0)
        let endings = Mutex<[String: Int]>([:])
        // The first one starts what the process keeps.
        try play(stage, seed: plan.seed, endings)
        let descriptors = ProcessResources.descriptorCount + 20
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            while end.map({ ContinuousClock.now < $0 }) ?? true {
                let number = next.wrappingAdd(1, ordering: .relaxed).newValue
                guard number < plan.count else { return }
                do { try play(stage, seed: plan.seed &+ UInt64(number), endings) } catch { Issue.record(error) }
            }
        }
        #expect(ProcessResources.descriptorCount <= descriptors)
        let child = waitpid(-1, nil, WNOHANG)
        #expect(child == -1 && errno == ECHILD)
        let seen = endings.withLock { $0 }
        // One that never gets as far as to do harm would prove nothing.
        #expect(seen["protocol", default: 0] > 0 && seen["running", default: 0] > 0)
    }

    private static var deadlines: CallDeadlines {
        var deadlines = CallDeadlines()
        deadlines.load = 2000
        deadlines.create = 200
        deadlines.onEvents = 100
        deadlines.decide = 10
        deadlines.destroy = 100
        deadlines.heartbeat = 20
        return deadlines
    }

    private static func play(_ stage: Stage, seed: UInt64, _ endings: borrowing Mutex<[String: Int]>) throws {
        let program = stage.directory.file("hostile-\(seed)")
        try FileManager.default.linkItem(atPath: stage.program, toPath: program)
        defer { try? FileManager.default.removeItem(atPath: program) }
        let place = WorkerPlace(
            stage.file, executable: program, deadlines: deadlines, restarts: RestartPolicy(limit: 2)
        ) { _, _ in }
        let monitors = (0..<2).compactMap {
            try? place.makeMonitor(
                name: "m\($0)", options: [], controller: ControllerID(rawValue: 1), actions: .nothing)
        }
        // Of a worker that has fallen for good by now there is none.
        let strategy = try? place.makeLifecycle(name: "pool", options: [])
        let taken = Atomic(0)
        let sink = ReportSink(instance: "m") { _, _ in taken.wrappingAdd(1, ordering: .relaxed) }
        _ = strategy?.waitUntilStarted(withinMilliseconds: WorkerFixture.patience)
        var handed: UInt64 = 0
        for round in 0..<12 {
            let events = (0...round).map {
                PlayerEvent(
                    .tick, session: SessionID(rawValue: 1), time: EventTime(microseconds: Int64(round * 1000 + $0)))
            }
            for monitor in monitors { monitor.deliver(events, reports: sink) }
            handed += UInt64(events.count)
            let players = (1...3).map { (number: UInt64) in
                PoolRequest.Player(
                    handle: PlayerHandle(rawValue: number), condition: .idle, isPlaying: false, uniqueID: "id\(number)",
                    createdSequence: number, acquiredSequence: 0, idleSequence: number)
            }
            let kind = round % 3 == 0 ? PoolRequest.Kind.clear : .acquire(uniqueID: "x", sourceKind: .file)
            let decision = try? strategy?.decide(
                PoolRequest(kind: kind, nowMicroseconds: Int64(round), players: players, maxPoolSize: 2, hardMax: nil))
            // What a decision names has to be bounded, whatever it says; whether it is allowed is the pool's to judge.
            if let decision { #expect(decision.evict.count <= 4096 && decision.prepare.count <= 1024, "seed \(seed)") }
        }
        for monitor in monitors {
            #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience), "seed \(seed)")
            monitor.destroy()
            let status = monitor.status
            #expect(status.eventsDelivered + status.eventsDropped <= handed, "seed \(seed)")
            let ending = status.health == .running ? "running" : status.faults.last?.kind.rawValue ?? "silent"
            endings.withLock { $0[ending, default: 0] += 1 }
            #expect(status.health == .running || !status.faults.isEmpty, "seed \(seed)")
        }
        strategy?.destroy()
        #expect(place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience), "seed \(seed)")
    }
}
