// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerKit
import PlayerRuntime

/// What a decision of a built-in lifecycle strategy costs whoever uses the pool, asked through its shared library.
///
/// All players are in use and none has the id that is asked for, so that every one has to be looked at; the pool is full, so that
/// `id-scoped-pool` has to choose whom to give up.
enum DecisionBenchmark {
    struct Result: Encodable {
        var strategy: String
        var players: Int
        /// One decision each, the request made C and the answer read back.
        var acquireNanoseconds: Spread
        var recycleNanoseconds: Spread
        /// A player acquired, created for it, given back by force and destroyed, in a pool of that many; nil for a strategy that never
        /// has as many.
        var cycleNanoseconds: Spread?
        var promised: String
    }

    private static let bursts = 51
    /// Players looked at in a burst, about.
    private static let burst = 30_000

    static func run() throws -> [Result] {
        var results: [Result] = []
        for (count, promised) in [(3, "a decision under 1000 ns"), (1000, "a decision under 20000 ns")] {
            let size = Int64(count)
            let strategies: [(any PooledLifecycleStrategy, keepsMany: Bool)] = [
                (try DefaultLifecycleStrategy(), true),
                (try ReusePoolLifecycleStrategy(maxPoolSize: size), true),
                (try IdScopedPoolLifecycleStrategy(maxPoolSize: size + 1), true),
                (try SingletonLifecycleStrategy.shared, false),
            ]
            for (strategy, keepsMany) in strategies {
                results.append(try measure(strategy.pool, count, keepsMany: keepsMany, promised: promised))
            }
        }
        return results
    }

    private static func measure(
        _ pool: PlayerPool, _ count: Int, keepsMany: Bool, promised: String
    ) throws -> Result {
        guard let policy = pool.policy else { throw Failure("a pool has no policy") }
        let players = (1...UInt64(count)).map { number in
            PoolRequest.Player(
                handle: PlayerHandle(rawValue: 1 << 32 | number), condition: .active, isPlaying: number % 2 == 0,
                uniqueID: id(number), createdSequence: number, acquiredSequence: number + UInt64(count))
        }
        func decide(_ kind: PoolRequest.Kind) throws -> Spread {
            let request = PoolRequest(
                kind: kind, nowMicroseconds: 0, players: players, maxPoolSize: Int64(count))
            return try spread(over: count) {
                guard try policy.decide(request) != nil else { throw Failure("\(policy.policyName) declined") }
            }
        }
        let recycled = PoolRequest.Kind.recycle(player: players[0].handle, uniqueID: players[0].uniqueID, force: false)
        return Result(
            strategy: policy.policyName, players: count,
            acquireNanoseconds: try decide(.acquire(uniqueID: id(0), sourceKind: .url)),
            recycleNanoseconds: try decide(recycled),
            cycleNanoseconds: keepsMany ? try cycle(pool, count) : nil, promised: promised)
    }

    private static func cycle(_ pool: PlayerPool, _ count: Int) throws -> Spread {
        pool.setup(factory: SilentPlayers())
        let held = try (1...UInt64(count)).map { try pool.acquirePlayer(uniqueID: id($0)) }
        defer { for lease in held { pool.recyclePlayer(lease, force: true) } }
        let wanted = id(0)
        return try spread(over: count) {
            let lease = try pool.acquirePlayer(uniqueID: wanted)
            guard pool.recyclePlayer(lease, force: true) == .destroyedForce else { throw Failure("a lease was lost") }
        }
    }

    private static func spread(over players: Int, _ body: () throws -> Void) throws -> Spread {
        let times = max(1, burst / players)
        try body()
        return Spread(
            try (0..<bursts).map { _ in
                let start = ContinuousClock.now
                for _ in 0..<times { try body() }
                return (ContinuousClock.now - start) / .nanoseconds(times)
            })
    }

    /// As long as those of real sources.
    private static func id(_ number: UInt64) -> String {
        "url:https://media.example.org/videos/\(number)/index.m3u8"
    }
}
