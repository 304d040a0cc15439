// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

/// What a pool promises whatever its strategy is. What the built-in strategies promise is in `LifecycleStrategyTests`, as is what becomes
/// of wrong answers.
@Suite("A pool, whatever its strategy")
struct PoolTests {
    // MARK: Setting up

    @Test("without a strategy each lease has a new player, destroyed when it comes back")
    func defaults() throws {
        let stage = PoolStage(nil)
        let first = try stage.acquire("A")
        #expect(first.origin == .created)
        #expect(stage.pool.recyclePlayer(first) == .destroyed)
        #expect(stage.pool.recyclePlayer(try stage.acquire("A"), force: true) == .destroyedForce)
        #expect(stage.pool.preload(count: 3).created == 0 && stage.pool.clear().isEmpty)
        #expect(!stage.pool.setMaxPoolSize(2) && stage.pool.maxPoolSize == nil)
        #expect(stage.pool.counts.created == 2 && stage.pool.counts.destroyed == 2 && stage.alive.isEmpty)
    }

    @Test("it can make no player before it was set up; the first factory stays, and a later one is warned about")
    func setup() throws {
        let lines = Journal()
        let pool = PlayerPool(
            policy: FakePolicy.reuse(), clock: FakeClock(), log: LogHub(console: { lines.note($0) }))
        let error = #expect(throws: PlayerError.self) { try pool.acquirePlayer(uniqueID: "A") }
        #expect(error?.code == .illegalState)
        #expect(pool.preload(count: 1).error?.code == .illegalState)
        #expect(pool.counts.created == 0)
        let (first, second) = (FakePlayerFactory(), FakePlayerFactory())
        pool.setup(factory: first)
        pool.setup(factory: first)
        #expect(!lines.lines.contains { $0.contains("has a player factory") })
        pool.setup(factory: second)
        #expect(lines.lines.count { $0.contains("has a player factory already") } == 1)
        _ = try pool.acquirePlayer(uniqueID: "A")
        #expect(first.players.count == 1 && second.players.isEmpty)
    }

    @Test("a factory that gives the same player twice has failed")
    func sameTwice() throws {
        final class Miser: PlayerFactory {
            let player = Result { try FakePlayerFactory().makePlayer() }
            func makePlayer() throws(PlayerError) -> any MediaPlayer {
                guard case .success(let player) = player else { throw PlayerError(.factoryFailed, "no player") }
                return player
            }
        }
        let pool = PlayerPool(clock: FakeClock(), log: LogHub(console: { _ in }))
        pool.setup(factory: Miser())
        _ = try pool.acquirePlayer(uniqueID: "A")
        let error = #expect(throws: PlayerError.self) { try pool.acquirePlayer(uniqueID: "B") }
        #expect(error?.code == .factoryFailed)
        #expect(pool.counts.created == 1)
    }

    // MARK: Asking

    @Test("it is asked with the whole pool, in order of creation, with its limits and the event time")
    func request() throws {
        let policy = FakePolicy.reuse(max: 4)
        let stage = PoolStage(policy, hardMax: 9)
        let first = try stage.acquire("A")
        _ = try stage.acquire("B")
        stage.pool.recyclePlayer(first)
        stage.clock.advance(milliseconds: 7)
        _ = try stage.pool.acquirePlayer(uniqueID: "C", sourceKind: .file, onChange: { _ in })
        let request = try #require(policy.requests.last)
        #expect(request.kind == .acquire(uniqueID: "C", sourceKind: .file))
        #expect(request.nowMicroseconds == 7000)
        #expect(request.maxPoolSize == 4 && request.hardMax == 9)
        #expect(request.players.map(\.condition) == [.idle, .active])
        #expect(request.players.map(\.uniqueID) == ["", "B"])
        #expect(request.players[0].createdSequence < request.players[0].acquiredSequence)
        #expect(request.players[0].acquiredSequence < request.players[1].createdSequence)
        #expect(request.players[1].acquiredSequence < request.players[0].idleSequence)
    }

    @Test("one that throws gets the default, and a fault is counted")
    func throwing() throws {
        let pool = PoolStage(FakePolicy { _ in throw FakeFailure() }).pool
        let lease = try pool.acquirePlayer(uniqueID: "A")
        #expect(pool.recyclePlayer(lease) == .destroyed)
        #expect(pool.status.faults.map(\.kind) == [.exception, .exception])
        #expect(pool.status.defaultsUsed == 2)
    }

    @Test("one that declines gets the default at no cost")
    func declines() throws {
        let pool = PoolStage(FakePolicy { _ in nil }).pool
        let lease = try pool.acquirePlayer(uniqueID: "A")
        #expect(pool.recyclePlayer(lease) == .destroyed)
        #expect(pool.preload(count: 2).created == 0 && pool.clear().isEmpty)
        #expect(pool.status.faults.isEmpty && pool.status.defaultsUsed == 0)
    }

    @Test("a refusal is a typed error")
    func refuse() {
        let pool = PoolStage(FakePolicy { _ in PoolDecision(.refuse) }).pool
        let error = #expect(throws: PlayerError.self) { try pool.acquirePlayer(uniqueID: "A") }
        #expect(error?.code == .poolRefused)
        #expect(pool.counts.rejected == ["misc.pool_refused": 1])
        #expect(pool.status.faults.isEmpty)
    }

    @Test("the hard bound holds, whatever it says")
    func hardMax() throws {
        let stage = PoolStage(FakePolicy { _ in PoolDecision(.create) }, hardMax: 2)
        _ = try stage.acquire("A")
        let second = try stage.acquire("B")
        let error = #expect(throws: PlayerError.self) { try stage.acquire("C") }
        #expect(error?.code == .poolRefused)
        stage.pool.recyclePlayer(second, force: true)
        _ = try stage.acquire("C")
        #expect(stage.pool.counts.active == 2)
    }

    @Test("one that gives up a lent player takes it from both", arguments: [false, true])
    func evictsLent(isCleared: Bool) throws {
        let policy = FakePolicy { request in
            switch request.kind {
            case .acquire(let id, _): PoolDecision(.create, evict: id == "B" ? request.players.map(\.handle) : [])
            case .clear: PoolDecision(.none, evict: request.players.map(\.handle))
            default: PoolDecision(.keep)
            }
        }
        let stage = PoolStage(policy)
        let lender = try stage.acquire("A")
        let borrower = try #require(stage.lend(lender, to: "borrower").lease)
        if isCleared {
            #expect(stage.pool.clear().isEmpty)
            #expect(stage.pool.recyclePlayer(borrower) == .popped)
            #expect(stage.pool.recyclePlayer(lender) == .destroyedCleared)
        } else {
            _ = try stage.acquire("B")
            #expect(stage.journal.lines == ["A suspended", "borrower evicted", "A evicted"])
            #expect(stage.pool.recyclePlayer(lender) == .rejectedDestroyed)
        }
    }
}
