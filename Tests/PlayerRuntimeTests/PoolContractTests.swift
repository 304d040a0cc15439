// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import Synchronization
import TestSupport
import Testing

@Suite("The contract of a player pool")
struct PoolContractTests {
    static func pool(
        _ policy: FakePolicy? = nil, factory: FakePlayerFactory = FakePlayerFactory(), hardMax: Int64? = nil
    ) -> PlayerPool {
        let pool = PlayerPool(policy: policy, clock: FakeClock(), hardMax: hardMax, log: LogHub(console: { _ in }))
        pool.setup(factory: factory)
        return pool
    }

    @Test("without a strategy each lease has a new player, destroyed when it comes back")
    func defaults() throws {
        let factory = FakePlayerFactory()
        let pool = Self.pool(factory: factory)
        let first = try pool.acquirePlayer(uniqueID: "A")
        #expect(first.origin == .created)
        #expect(pool.recyclePlayer(first) == .destroyed)
        let second = try pool.acquirePlayer(uniqueID: "A")
        #expect(pool.recyclePlayer(second, force: true) == .destroyedForce)
        #expect(factory.players.map(\.isDestroyed) == [true, true])
        #expect(pool.counts.created == 2 && pool.counts.destroyed == 2 && pool.counts.reused == 0)
    }

    @Test("a kept player is stopped and reset before it serves again")
    func reuse() throws {
        let factory = FakePlayerFactory()
        let pool = Self.pool(.reuse(), factory: factory)
        let first = try pool.acquirePlayer(uniqueID: "A")
        #expect(pool.recyclePlayer(first) == .pooled)
        #expect(factory.players[0].commands == ["stop", "reset"])
        #expect(pool.counts.idle == 1)
        let second = try pool.acquirePlayer(uniqueID: "B")
        #expect(second.origin == .reused)
        #expect(second.player === first.player)
        #expect(second.handle != first.handle)
        #expect(pool.counts.created == 1 && pool.counts.reused == 1 && pool.counts.active == 1)
    }

    @Test("what is too much, forced or cleared is destroyed, each with its name")
    func destroyed() throws {
        let pool = Self.pool(.reuse(max: 1))
        let leases = try (0..<4).map { try pool.acquirePlayer(uniqueID: "\($0)") }
        #expect(pool.recyclePlayer(leases[0]) == .pooled)
        #expect(pool.recyclePlayer(leases[1]) == .destroyedFull)
        #expect(pool.recyclePlayer(leases[2], force: true) == .destroyedForce)
        #expect(pool.clear().count == 1)
        #expect(pool.counts.idle == 0 && pool.counts.active == 1)
        #expect(pool.recyclePlayer(leases[3]) == .destroyedCleared)
        #expect(pool.counts.created == 4 && pool.counts.destroyed == 4)
    }

    @Test("a rejection has its name, in the order of the contract, and changes nothing")
    func rejections() throws {
        let pool = Self.pool(.reuse())
        let other = Self.pool(.reuse())
        let foreign = try other.acquirePlayer(uniqueID: "A")
        let lease = try pool.acquirePlayer(uniqueID: "A")
        #expect(pool.recyclePlayer(foreign) == .rejectedUnknown)
        #expect(pool.recyclePlayer(lease, uniqueID: "B", force: false) == .rejectedWrongID)
        #expect(pool.counts.active == 1)
        #expect(pool.recyclePlayer(lease, uniqueID: "A", force: false) == .pooled)
        #expect(pool.recyclePlayer(lease) == .rejectedAlreadyIdle)
        #expect(pool.recyclePlayer(lease, force: true) == .rejectedAlreadyIdle)
        let again = try pool.acquirePlayer(uniqueID: "C")
        #expect(pool.recyclePlayer(lease, uniqueID: "X", force: true) == .rejectedStaleLease)
        #expect(pool.recyclePlayer(again, force: true) == .destroyedForce)
        #expect(pool.recyclePlayer(again) == .rejectedDestroyed)
        #expect(pool.recyclePlayer(lease) == .rejectedDestroyed)
        #expect(
            pool.counts.rejected == [
                "rejectedUnknown": 1, "rejectedWrongId": 1, "rejectedAlreadyIdle": 2, "rejectedStaleLease": 1,
                "rejectedDestroyed": 2,
            ])
        #expect(pool.counts.created == 1 && pool.counts.destroyed == 1)
    }

    @Test("a player that does not come to rest is destroyed, not kept")
    func stopFails() throws {
        let factory = FakePlayerFactory(script: FakePlayerScript(comesToRest: false))
        let pool = Self.pool(.reuse(), factory: factory)
        let lease = try pool.acquirePlayer(uniqueID: "A")
        try lease.player.setDataSource(
            PlayerModel(videoSource: .url("/a")),
            output: EventOutput(
                controller: ControllerID(rawValue: 1), session: SessionID(rawValue: 1), clock: FakeClock(),
                queue: EventQueue()))
        lease.player.prepare()
        #expect(pool.recyclePlayer(lease) == .stopFailedDestroyed)
        #expect(factory.players[0].isDestroyed)
        #expect(pool.counts.idle == 0 && pool.counts.destroyed == 1)
    }

    @Test("it cannot give players before it was set up, and the first factory stays")
    func setup() throws {
        let pool = PlayerPool(clock: FakeClock(), log: LogHub(console: { _ in }))
        #expect(throws: PlayerError.self) { try pool.acquirePlayer(uniqueID: "A") }
        let first = FakePlayerFactory()
        pool.setup(factory: first)
        pool.setup(factory: FakePlayerFactory())
        _ = try pool.acquirePlayer(uniqueID: "A")
        #expect(first.players.count == 1)
    }

    @Test("a factory that fails changes no count and evicts nobody")
    func factoryFails() throws {
        let policy = FakePolicy(bindsIDs: true) { request in
            switch request.kind {
            case .acquire: PoolDecision(.create, evict: request.players.map(\.handle))
            default: PoolDecision(.keep)
            }
        }
        let factory = FakePlayerFactory()
        let pool = Self.pool(policy, factory: factory)
        let lease = try pool.acquirePlayer(uniqueID: "A")
        #expect(pool.recyclePlayer(lease) == .retained)
        factory.fail(from: 2)
        #expect(throws: PlayerError.self) { try pool.acquirePlayer(uniqueID: "B") }
        #expect(pool.counts.created == 1 && pool.counts.idle == 1 && pool.counts.evicted == 0)
        #expect(pool.counts.rejected == ["misc.factory_failed": 1])
        factory.fail(from: .max)
        _ = try pool.acquirePlayer(uniqueID: "B")
        #expect(pool.counts.created == 2 && pool.counts.evicted == 1 && pool.counts.idle == 0)
    }

    @Test("an active player that is evicted is told before it is stopped, and its lease is void")
    func evictActive() throws {
        let policy = FakePolicy(bindsIDs: true) { request in
            guard case .acquire = request.kind else { return PoolDecision(.destroy) }
            return PoolDecision(.create, evict: request.players.prefix(1).map(\.handle))
        }
        let journal = Journal()
        let script = FakePlayerScript()
        script.onStop { _ in journal.note("stopped") }
        let pool = Self.pool(policy, factory: FakePlayerFactory(script: script))
        let lease = try pool.acquirePlayer(uniqueID: "A", sourceKind: .url) { journal.note("\($0)") }
        _ = try pool.acquirePlayer(uniqueID: "B")
        #expect(journal.lines == ["evicted", "stopped"])
        #expect(pool.recyclePlayer(lease) == .rejectedDestroyed)
        #expect(pool.counts.evicted == 1 && pool.counts.active == 1)
    }

    @Test("a player that is taken over is told, stopped, and another's from then on")
    func takeOver() throws {
        let policy = FakePolicy(takesOver: true) { request in
            switch request.kind {
            case .acquire: PoolDecision(request.players.first.map { .use($0.handle) } ?? .create)
            default: PoolDecision(.keep)
            }
        }
        let journal = Journal()
        let pool = Self.pool(policy)
        let first = try pool.acquirePlayer(uniqueID: "A", sourceKind: .url) { journal.note("\($0)") }
        let second = try pool.acquirePlayer(uniqueID: "B")
        #expect(journal.lines == ["takenOver"])
        #expect(second.origin == .hit && second.player === first.player)
        #expect(pool.recyclePlayer(first) == .rejectedStaleLease)
        #expect(pool.recyclePlayer(second) == .retained)
        #expect(pool.counts.created == 1 && pool.counts.hits == 1)
    }

    @Test("a player bound to the id is a hit, an unbound one is reused")
    func hits() throws {
        let policy = FakePolicy(bindsIDs: true) { request in
            switch request.kind {
            case .acquire(let id, _):
                let bound = request.players.first { $0.uniqueID == id && $0.condition == .idle }
                let unbound = request.players.first { $0.condition == .unbound }
                return PoolDecision((bound ?? unbound).map { .use($0.handle) } ?? .create)
            case .recycle: return PoolDecision(.keep)
            case .preload(let count): return PoolDecision(.none, createCount: count)
            default: return nil
            }
        }
        let pool = Self.pool(policy)
        #expect(pool.preload(count: 1).created == 1)
        #expect(pool.counts.unbound == 1)
        let first = try pool.acquirePlayer(uniqueID: "A")
        #expect(first.origin == .reused)
        #expect(pool.recyclePlayer(first) == .retained)
        #expect(try pool.acquirePlayer(uniqueID: "A").origin == .hit)
        #expect(pool.counts.hits == 1 && pool.counts.reused == 1 && pool.counts.unbound == 0)
    }

    @Test("preloading keeps what was made when the factory fails, and says so")
    func preload() {
        let factory = FakePlayerFactory()
        let pool = Self.pool(.reuse(max: 5), factory: factory)
        factory.fail(from: 3)
        let outcome = pool.preload(count: 4)
        #expect(outcome.asked == 4 && outcome.created == 2)
        #expect(outcome.error?.code == .factoryFailed)
        #expect(pool.counts.idle == 2)
        #expect(pool.preload(count: 0).created == 0)
        #expect(Self.pool().preload(count: 3).created == 0)
    }

    @Test("a smaller size evicts at once; a wrong one is refused")
    func resize() throws {
        let pool = Self.pool(.reuse(max: 3))
        for lease in try (0..<3).map({ try pool.acquirePlayer(uniqueID: "\($0)") }) { pool.recyclePlayer(lease) }
        #expect(pool.counts.idle == 3)
        #expect(!pool.setMaxPoolSize(0))
        #expect(pool.maxPoolSize == 3)
        #expect(pool.setMaxPoolSize(1))
        #expect(pool.counts.idle == 1 && pool.counts.evicted == 2)
        #expect(!Self.pool().setMaxPoolSize(2))
    }

    @Test("the hard bound holds, whatever the strategy says")
    func hardMax() throws {
        let pool = Self.pool(FakePolicy { _ in PoolDecision(.create) }, hardMax: 2)
        _ = try pool.acquirePlayer(uniqueID: "A")
        let second = try pool.acquirePlayer(uniqueID: "B")
        let error = #expect(throws: PlayerError.self) { try pool.acquirePlayer(uniqueID: "C") }
        #expect(error?.code == .poolRefused)
        pool.recyclePlayer(second, force: true)
        _ = try pool.acquirePlayer(uniqueID: "C")
        #expect(pool.counts.active == 2)
    }

    @Test("a refusal is a typed error")
    func refuse() {
        let pool = Self.pool(FakePolicy { _ in PoolDecision(.refuse) })
        let error = #expect(throws: PlayerError.self) { try pool.acquirePlayer(uniqueID: "A") }
        #expect(error?.code == .poolRefused)
        #expect(pool.counts.rejected == ["misc.pool_refused": 1])
        #expect(pool.status.faults.isEmpty)
    }
}
