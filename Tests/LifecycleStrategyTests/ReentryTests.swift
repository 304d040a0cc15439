// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import Synchronization
import TestSupport
import Testing

/// A factory, or whoever else is called back, may use the pool in the midst of an operation.
@Suite("A pool whose factory asks it for players")
struct ReentryTests {
    /// One that calls the pool the first time it makes a player.
    private func pool(
        _ policy: FakePolicy, hardMax: Int64, _ body: @escaping @Sendable (PlayerPool) -> Void
    ) -> (PlayerPool, FakePlayerFactory) {
        let factory = FakePlayerFactory()
        let pool = PlayerPool(
            policy: policy, clock: FakeClock(), hardMax: hardMax, log: LogHub(console: { _ in }))
        pool.setup(factory: factory)
        factory.onMake { [weak pool, weak factory] in
            factory?.onMake(nil)
            if let pool { body(pool) }
        }
        return (pool, factory)
    }

    private static func creating(_ decide: @escaping @Sendable (PoolRequest) -> PoolDecision?) -> FakePolicy {
        FakePolicy(bindsIDs: true, maxPoolSize: 9) { request in
            if case .acquire = request.kind { return PoolDecision(.create) }
            return decide(request)
        }
    }

    @Test("keeps to its bound when players are made ahead")
    func preload() {
        let policy = Self.creating { request in
            if case .preload(let count) = request.kind { PoolDecision(.none, createCount: count) } else { nil }
        }
        let (pool, factory) = pool(policy, hardMax: 2) { _ = try? $0.acquirePlayer(uniqueID: "inner") }
        let outcome = pool.preload(count: 2)
        #expect(outcome.created == 1 && outcome.error?.code == .poolRefused)
        #expect(pool.poolCount == 2)
        #expect(factory.players.count { !$0.isDestroyed } == 2)
    }

    @Test("keeps to its bound when what is announced is made ready")
    func announce() {
        let policy = Self.creating { request in
            guard case .upcoming(let items) = request.kind else { return nil }
            return PoolDecision(
                .none, prepare: items.indices.map { PoolDecision.Preparation(item: $0, stage: .prepared) })
        }
        let (pool, factory) = pool(policy, hardMax: 2) { _ = try? $0.acquirePlayer(uniqueID: "inner") }
        let plan = pool.announce(upcoming: ["A", "B"].map { UpcomingItem(uniqueID: $0, distance: 1) })
        #expect(plan.preparations.count == 1 && plan.error?.code == .poolRefused)
        #expect(pool.poolCount == 2)
        #expect(factory.players.count { !$0.isDestroyed } == 2)
    }

    @Test("gives nobody up for a player that there is no room for")
    func create() throws {
        let journal = Journal()
        let policy = FakePolicy(bindsIDs: true) { request in
            guard case .acquire(let id, _) = request.kind else { return PoolDecision(.destroy) }
            return PoolDecision(.create, evict: id == "C" ? request.players.prefix(1).map(\.handle) : [])
        }
        let factory = FakePlayerFactory()
        let pool = PlayerPool(policy: policy, clock: FakeClock(), hardMax: 2, log: LogHub(console: { _ in }))
        pool.setup(factory: factory)
        let (first, second) = (
            try pool.acquirePlayer(uniqueID: "A", sourceKind: .url) { journal.note("A \($0)") },
            try pool.acquirePlayer(uniqueID: "B", sourceKind: .url) { journal.note("B \($0)") }
        )
        let inner = Mutex<PlayerLease?>(nil)
        factory.onMake { [weak pool] in
            factory.onMake(nil)
            // Two places become free, and two are taken: what was decided does not make room any more.
            pool?.recyclePlayer(first, force: true)
            let lease = try? pool?.acquirePlayer(uniqueID: "inner")
            inner.withLock { $0 = lease }
        }
        let error = #expect(throws: PlayerError.self) { try pool.acquirePlayer(uniqueID: "C") }
        #expect(error?.code == .poolRefused)
        #expect(journal.lines.isEmpty && pool.check(second) == nil && pool.counts.evicted == 0)
        #expect(pool.poolCount == 2 && inner.withLock { $0 } != nil)
    }

    @Test("who is made room for by a preload goes in the same step, and no more than is replaced if the factory fails")
    func preloadReplaces() throws {
        let policy = FakePolicy(bindsIDs: true, maxPoolSize: 9) { request in
            switch request.kind {
            case .acquire: PoolDecision(.create)
            case .preload(let count):
                PoolDecision(.none, createCount: count, evict: request.players.map(\.handle))
            default: PoolDecision(.keep)
            }
        }
        let most = Atomic<Int>(0)
        let factory = FakePlayerFactory()
        let pool = PlayerPool(policy: policy, clock: FakeClock(), hardMax: 3, log: LogHub(console: { _ in }))
        pool.setup(factory: factory)
        for lease in try ["A", "B", "C"].map({ try pool.acquirePlayer(uniqueID: $0) }) { pool.recyclePlayer(lease) }
        factory.onMake { [weak pool] in
            most.store(max(most.load(ordering: .relaxed), Int(pool?.poolCount ?? 0)), ordering: .relaxed)
        }
        factory.fail(from: 6)
        let outcome = pool.preload(count: 3)
        #expect(outcome.created == 2 && outcome.error?.code == .factoryFailed)
        #expect(most.load(ordering: .relaxed) == 3)
        #expect(factory.players.map(\.isDestroyed) == [true, true, false, false, false])
        #expect(pool.counts.evictedBy == ["preload": 2])
    }
}
