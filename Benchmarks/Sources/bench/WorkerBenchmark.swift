// SPDX-License-Identifier: Apache-2.0

import CAffinity
import CFutex
import Foundation
import MediaCore
import PlayerKit
import PlayerRuntime

/// What it costs that a plugin of a third party runs in a process of its own, and how soon its failures are over. All processes stay on one
/// core, where a change of process is all that there is to wait for.
enum WorkerBenchmark {
    struct Result: Encodable {
        /// A decision at three players, sandboxed, in microseconds.
        var decisionMicroseconds: Spread
        /// A bare round trip over a futex between two processes, by turns with the decisions.
        var futexMicroseconds: Spread
        /// Of the medians.
        var ratio: Double
        /// The same without a sandbox, and what the sandbox makes of it.
        var unsandboxedMicroseconds: Spread
        var sandboxRatio: Double
        /// From an event's post to its being handled in the worker, over batches, less what delivery costs without a plugin.
        var eventNanoseconds: Spread
        /// From the question that crashes the plugin to the host's default decision, milliseconds.
        var crashMilliseconds: Spread
        /// From there to the first good decision of the worker that was started again.
        var recoveryMilliseconds: Spread
        /// By how much a decision that does not come is late, beyond its deadline of 25 ms.
        var overrunMilliseconds: Spread
        var promised =
            "a decision at most 2 x the futex; the sandbox at most 1.05 x; an event at most 200 ns; a crash known within 10 ms (p99), a good decision within 25 ms; the default 2 ms after the deadline"
    }

    private static let rounds = 21
    private static let questions = 2_000
    private static let crashes = 100
    /// Milliseconds that a decision may take.
    private static let deadline = 25.0

    /// - Parameter plugin: strategies.c, built.
    static func run(plugin: String) throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "kitshell-bench-\(getpid())")
        // Plugins in a directory that others can write to are refused.
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: directory) }
        // What fails here is meant to.
        PlayerKit.environment.log.logLevel = .none
        let error = affinity_stay()
        guard error == 0 else { throw Failure("cannot stay on one core: \(String(cString: strerror(error)))") }
        defer { _ = affinity_roam() }

        var copies = 0
        func copy() throws -> String {
            copies += 1
            let path = directory.appending(path: "strategies-\(copies).so").path
            try FileManager.default.copyItem(atPath: plugin, toPath: path)
            return path
        }
        let (sandboxed, open) = (try policy(try copy()), try policy(try copy(), isOpen: true))
        var (mine, bare, unsandboxed): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<rounds {
            mine.append(try decisions(of: sandboxed))
            unsandboxed.append(try decisions(of: open))
            bare.append(try roundTrips())
        }
        var (crash, recovery, overrun): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<crashes {
            // A copy each: a file that crashes again and again is started ever later, by design.
            let policy = try policy(try copy())
            crash.append(try failing(policy, "crash"))
            recovery.append(try milliseconds { _ = try policy.decide(request("a")) })
            overrun.append(try failing(try Self.policy(try copy()), "hang") - deadline)
        }
        let (decision, futex, free) = (Spread(mine), Spread(bare), Spread(unsandboxed))
        return Result(
            decisionMicroseconds: decision, futexMicroseconds: futex, ratio: decision.median / futex.median,
            unsandboxedMicroseconds: free, sandboxRatio: decision.median / free.median,
            eventNanoseconds: try events(try copy()), crashMilliseconds: Spread(crash),
            recoveryMilliseconds: Spread(recovery), overrunMilliseconds: Spread(overrun))
    }

    private static func policy(_ path: String, isOpen: Bool = false) throws -> any LifecyclePolicy {
        var selection = StrategySelection()
        selection.plugins = [.init(name: "bench", path: path)]
        selection.monitors = []
        if isOpen { selection.grants = [.init(strategy: "bench", capability: "all")] }
        guard let policy = try PlayerKit.addStrategies(selection)?.policy else {
            throw Failure("\(path) is no strategy")
        }
        // Until it has answered once it may not have been started.
        guard try policy.decide(request("a"))?.action == .create else { throw Failure("\(path) does not decide") }
        return policy
    }

    private static let players = (1...3 as ClosedRange<UInt64>).map { number in
        PoolRequest.Player(
            handle: PlayerHandle(rawValue: 1 << 32 | number), condition: .active, uniqueID: "url:\(number)",
            createdSequence: number, acquiredSequence: number)
    }

    private static func request(_ id: String) -> PoolRequest {
        PoolRequest(
            kind: .acquire(uniqueID: id, sourceKind: .url), nowMicroseconds: 0, players: players, maxPoolSize: 3)
    }

    /// Microseconds of one, over many.
    private static func decisions(of policy: any LifecyclePolicy) throws -> Double {
        let request = request("a")
        let start = ContinuousClock.now
        for _ in 0..<questions {
            guard try policy.decide(request) != nil else { throw Failure("a worker declined") }
        }
        return (ContinuousClock.now - start) / .microseconds(questions)
    }

    private static func roundTrips() throws -> Double {
        var times = [Double](repeating: 0, count: questions)
        let error = futex_round_trips(&times, Int32(times.count))
        guard error == 0 else { throw Failure("no round trips: \(String(cString: strerror(error)))") }
        return times.reduce(0, +) / Double(times.count) / 1000
    }

    private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return (ContinuousClock.now - start) / .milliseconds(1)
    }

    private static func failing(_ policy: any LifecyclePolicy, _ id: String) throws -> Double {
        try milliseconds {
            do {
                _ = try policy.decide(request(id))
            } catch {
                return
            }
            throw Failure("a plugin that was to \(id) did not")
        }
    }

    // MARK: Events

    /// Fits into what a worker's instance holds.
    private static let burst = 3_000

    private static func events(_ path: String) throws -> Spread {
        // With the monitors that every controller has.
        let base = Spread(try perEvent()).median
        var selection = StrategySelection()
        selection.plugins = [.init(name: "bench-events", path: path)]
        selection.monitors = []
        _ = try PlayerKit.addStrategies(selection)
        return Spread(try perEvent().map { $0 - base })
    }

    private static func perEvent() throws -> [Double] {
        let clock = ManualClock()
        let factory = SilentPlayers()
        let environment = PlayerEnvironment(clock: clock, factory: factory, registry: .shared)
        let controller = PlayerController(environment: environment)
        defer { controller.destroy() }
        controller.configure(PlayerModel(videoSource: .url("bench.mp4")))
        let output = try factory.newest()
        func handled() -> UInt64 {
            controller.strategyManager.statuses.first { $0.name == "bench-events" }?.eventsDelivered ?? .max
        }
        var times: [Double] = []
        var time: Int64 = 0
        for round in 0..<(rounds + 1) {
            let before = handled()
            let start = ContinuousClock.now
            for index in 0..<burst {
                time += 10
                output.post(PlayMix.event(index), at: EventTime(microseconds: time), position: PlayMix.position(index))
            }
            environment.dispatcher.barrier()
            while before != .max, handled() - before < burst {
                guard ContinuousClock.now - start < .seconds(5) else { throw Failure("a worker loses events") }
                // Not all the time: whoever asks takes time from those that it asks for.
                usleep(50)
            }
            // The first fills caches.
            if round > 0 { times.append((ContinuousClock.now - start) / .nanoseconds(burst)) }
        }
        return times
    }
}
