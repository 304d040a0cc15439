// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

/// What the built-in lifecycle strategies promise, each as its Swift code and as its shared library.
@Suite("The contract of the built-in lifecycle strategies")
struct ContractTests {
    // MARK: Acquire

    @Test("an empty pool creates", arguments: Subject.all)
    func creates(_ subject: Subject) throws {
        let stage = try subject.stage()
        #expect(try stage.acquire("A").origin == .created)
        #expect(stage.pool.counts.created == 1 && stage.pool.counts.active == 1)
    }

    @Test("default: always a new player, destroyed when it comes back", arguments: Subject.all(.default))
    func defaultStrategy(_ subject: Subject) throws {
        let stage = try subject.stage()
        let first = try stage.acquire("A")
        #expect(stage.pool.recyclePlayer(first) == .destroyed)
        #expect(try stage.acquire("A").origin == .created)
        #expect(stage.alive == [2])
        #expect(stage.pool.preload(count: 3).created == 0)
        #expect(stage.pool.clear().isEmpty)
        #expect(!stage.pool.setMaxPoolSize(2) && stage.pool.maxPoolSize == nil)
        stage.pool.relieve(.critical)
        #expect(stage.alive == [2])
    }

    @Test("reuse-pool: the newest idle player first, whatever the id", arguments: Subject.all(.reusePool))
    func newestIdle(_ subject: Subject) throws {
        let stage = try subject.stage()
        let (first, second) = (try stage.acquire("A"), try stage.acquire("B"))
        stage.pool.recyclePlayer(second)
        stage.pool.recyclePlayer(first)
        let third = try stage.acquire("C")
        #expect(third.origin == .reused && third.player === first.player)
        #expect(stage.pool.counts.reused == 1 && stage.pool.counts.hits == 0)
    }

    @Test("id-scoped-pool: an id has its player, retained under it", arguments: Subject.all(.idScopedPool))
    func sameID(_ subject: Subject) throws {
        let stage = try subject.stage()
        let first = try stage.acquire("A")
        #expect(stage.pool.recyclePlayer(first) == .retained)
        #expect(try stage.acquire("B").origin == .created)
        let again = try stage.acquire("A")
        #expect(again.origin == .hit && again.player === first.player)
        #expect(stage.pool.counts.hits == 1 && stage.pool.counts.created == 2)
    }

    @Test("id-scoped-pool: an id in use is taken over, its holder told first", arguments: Subject.all(.idScopedPool))
    func takesOverID(_ subject: Subject) throws {
        let script = FakePlayerScript()
        let stage = try subject.stage(script: script)
        script.onStop { [journal = stage.journal] _ in journal.note("stopped") }
        let first = try stage.acquire("A")
        let second = try stage.acquire("A")
        #expect(second.origin == .hit && second.player === first.player)
        #expect(stage.journal.lines == ["A takenOver", "stopped"])
        #expect(stage.pool.recyclePlayer(first) == .rejectedStaleLease)
        #expect(stage.pool.check(first) == .rejectedStaleLease && stage.pool.check(second) == nil)
    }

    @Test("id-scoped-pool: or refused, if it is told so", arguments: Subject.all(.idScopedPool))
    func refusesID(_ subject: Subject) throws {
        let stage = try subject.stage(["in_use": "refuse"])
        let first = try stage.acquire("A")
        let error = #expect(throws: PlayerError.self) { try stage.acquire("A") }
        #expect(error?.code == .poolRefused)
        #expect(stage.journal.lines.isEmpty && stage.pool.check(first) == nil)
        #expect(stage.pool.counts.created == 1)
    }

    @Test("id-scoped-pool: another id gets the oldest unbound player", arguments: Subject.all(.idScopedPool))
    func oldestUnbound(_ subject: Subject) throws {
        let stage = try subject.stage()
        #expect(stage.pool.preload(count: 2).created == 2)
        #expect(stage.pool.counts.unbound == 2)
        let lease = try stage.acquire("A")
        #expect(lease.origin == .reused && lease.player.playerID == 1)
        #expect(stage.pool.counts.unbound == 1 && stage.pool.counts.reused == 1)
    }

    @Test("singleton: one player, the newest owner takes it over", arguments: Subject.all(.singleton))
    func oneForAll(_ subject: Subject) throws {
        let stage = try subject.stage()
        let first = try stage.acquire("A")
        let second = try stage.acquire("B")
        #expect(second.origin == .hit && second.player === first.player)
        #expect(stage.journal.lines == ["A takenOver"])
        #expect(stage.pool.recyclePlayer(second) == .retained)
        #expect(stage.pool.preload(count: 5).created == 0)
        #expect(stage.pool.clear().isEmpty)
        #expect(stage.alive == [1])
        let third = try stage.acquire("C")
        #expect(third.origin == .hit)
        #expect(stage.pool.recyclePlayer(third, force: true) == .destroyedForce)
        #expect(try stage.acquire("D").origin == .created)
        #expect(stage.pool.counts.created == 2)
    }

    @Test("singleton: preloading makes one, whatever the number", arguments: Subject.all(.singleton))
    func preloadOne(_ subject: Subject) throws {
        let stage = try subject.stage()
        #expect(stage.pool.preload(count: 7).created == 1)
        #expect(stage.pool.counts.idle == 1)
        #expect(try stage.acquire("A").origin == .hit)
    }

    // MARK: Recycle

    @Test("force destroys, whatever the strategy", arguments: Subject.all)
    func force(_ subject: Subject) throws {
        let stage = try subject.stage()
        #expect(stage.pool.recyclePlayer(try stage.acquire("A"), force: true) == .destroyedForce)
        #expect(stage.alive.isEmpty)
        #expect(try stage.acquire("A").origin == .created)
    }

    @Test("reuse-pool: what is too much is destroyed", arguments: Subject.all(.reusePool))
    func full(_ subject: Subject) throws {
        let stage = try subject.stage(max: 2)
        let leases = try ["A", "B", "C"].map(stage.acquire)
        #expect(leases.map { stage.pool.recyclePlayer($0) } == [.pooled, .pooled, .destroyedFull])
        #expect(stage.alive == [1, 2])
    }

    // MARK: Capacity

    @Test("id-scoped-pool: A, B, C, D with room for three: A goes", arguments: Subject.all(.idScopedPool))
    func leastRecent(_ subject: Subject) throws {
        let stage = try subject.stage()
        let first = try stage.acquire("A")
        for id in ["B", "C", "D"] { _ = try stage.acquire(id) }
        #expect(stage.alive == [2, 3, 4])
        #expect(stage.journal.lines == ["A evicted"])
        #expect(stage.pool.recyclePlayer(first) == .rejectedDestroyed)
        #expect(stage.pool.counts.evicted == 1 && stage.pool.counts.evictedActive == 1)
        #expect(stage.pool.counts.evictedBy == ["acquire": 1])
    }

    @Test(
        "id-scoped-pool: the unbound go first, then the idle, then who does not play",
        arguments: Subject.all(.idScopedPool)
    )
    func evictionOrder(_ subject: Subject) throws {
        let stage = try subject.stage(max: 4)
        let playing = try stage.acquire("playing")
        try stage.play(playing)
        _ = try stage.acquire("paused")
        stage.pool.recyclePlayer(try stage.acquire("idle"))
        #expect(stage.pool.preload(count: 1).created == 1)
        // The unbound player becomes one, so the pool is full of others.
        _ = try stage.acquire("E")
        _ = try stage.acquire("F")
        #expect(stage.alive == [1, 2, 4, 5])
        _ = try stage.acquire("G")
        #expect(stage.alive == [1, 4, 5, 6])
        #expect(stage.journal.lines == ["paused evicted"])
    }

    @Test("id-scoped-pool: a lent player is never given up; the pool exceeds", arguments: Subject.all(.idScopedPool))
    func lentStays(_ subject: Subject) throws {
        let stage = try subject.stage(max: 1)
        let lender = try stage.acquire("A")
        let borrower = try #require(stage.lend(lender, to: "borrower").lease)
        _ = try stage.acquire("B")
        #expect(stage.alive == [1, 2])
        #expect(stage.pool.counts.overCapacity == 1)
        #expect(stage.pool.check(borrower) == nil)
    }

    @Test("a smaller size is put in force at once", arguments: Subject.all(.reusePool, .idScopedPool))
    func lowerMax(_ subject: Subject) throws {
        let stage = try subject.stage()
        for lease in try ["A", "B", "C"].map(stage.acquire) { stage.pool.recyclePlayer(lease) }
        #expect(!stage.pool.setMaxPoolSize(0) && stage.pool.maxPoolSize == 3)
        #expect(stage.pool.setMaxPoolSize(1))
        #expect(stage.leaves(3))
        #expect(stage.pool.counts.evictedBy == ["resize": 2])
    }

    @Test(
        "id-scoped-pool: a smaller size goes by the same rule, to those in use as well",
        arguments: Subject.all(.idScopedPool))
    func lowerMaxInUse(_ subject: Subject) throws {
        let stage = try subject.stage(max: 4)
        let playing = try stage.acquire("playing")
        try stage.play(playing)
        _ = try stage.acquire("paused")
        stage.pool.recyclePlayer(try stage.acquire("idle"))
        stage.pool.preload(count: 1)
        #expect(stage.pool.setMaxPoolSize(1))
        #expect(stage.leaves(1))
        #expect(stage.journal.lines == ["paused evicted"])
        #expect(stage.pool.check(playing) == nil && stage.pool.counts.evictedBy == ["resize": 3])
    }

    @Test(
        "id-scoped-pool: the least recently used is who was acquired longest ago, whenever it came back",
        arguments: Subject.all(.idScopedPool))
    func orderOfAcquire(_ subject: Subject) throws {
        let stage = try subject.stage(max: 2)
        let (first, second) = (try stage.acquire("A"), try stage.acquire("B"))
        stage.pool.recyclePlayer(second)
        stage.pool.recyclePlayer(first)
        _ = try stage.acquire("C")
        #expect(stage.alive == [2, 3])
    }

    @Test("the bound holds, and who waits for room gets it", arguments: Subject.all(.reusePool, .idScopedPool))
    func hardMax(_ subject: Subject) async throws {
        // The option is the library's; the pool keeps to it.
        let pool = try subject.stage(hardMax: subject.form == .swift ? 3 : nil, ["hard_max": "3"]).pool
        let leases = try ["A", "B", "C"].map { try pool.acquirePlayer(uniqueID: $0) }
        guard subject.builtIn == .reusePool else {
            // One is given up to make room.
            #expect(try pool.acquirePlayer(uniqueID: "D").origin == .created)
            #expect(pool.poolCount == 3)
            return
        }
        #expect(throws: PlayerError.self) { try pool.acquirePlayer(uniqueID: "D") }
        let waiting = Task { try await pool.waitForPlayer(uniqueID: "D") }
        pool.recyclePlayer(leases[1])
        #expect(try await waiting.value.player === leases[1].player)
        let cancelled = Task { try await pool.waitForPlayer(uniqueID: "E") }
        cancelled.cancel()
        let error = await #expect(throws: PlayerError.self) { try await cancelled.value }
        #expect(error?.code == .cancelled)
        #expect(pool.counts.active == 3)
    }

    // MARK: Plans

    @Test("preloading fills what is left, once", arguments: Subject.all(.reusePool, .idScopedPool))
    func preload(_ subject: Subject) throws {
        let stage = try subject.stage()
        _ = try stage.acquire("A")
        #expect(stage.pool.preload(count: 9).created == 2)
        #expect(stage.pool.preload(count: 9).created == 0)
        #expect(stage.pool.poolCount == 3)
    }

    @Test("preloading keeps what was made when the factory fails", arguments: Subject.all(.reusePool, .idScopedPool))
    func preloadFails(_ subject: Subject) throws {
        let stage = try subject.stage(max: 5)
        stage.factory.fail(from: 3)
        let outcome = stage.pool.preload(count: 4)
        #expect(outcome.asked == 4 && outcome.created == 2 && outcome.error?.code == .factoryFailed)
        #expect(stage.alive == [1, 2])
    }

    @Test(
        "clearing destroys what nobody holds, and the rest when it comes back",
        arguments: Subject.all(.reusePool, .idScopedPool))
    func clear(_ subject: Subject) throws {
        let stage = try subject.stage()
        let held = try stage.acquire("A")
        stage.pool.recyclePlayer(try stage.acquire("B"))
        stage.pool.preload(count: 1)
        #expect(stage.pool.clear().count == 2)
        #expect(stage.leaves(1))
        #expect(stage.pool.recyclePlayer(held) == .destroyedCleared)
        #expect(stage.alive.isEmpty)
    }

    @Test("clearing what is not let go of is warned about", arguments: Subject.all)
    func clearWarns(_ subject: Subject) throws {
        let lines = Journal()
        let stage = PoolStage(try subject.policy(), log: LogHub(console: { lines.note($0) }))
        let lease = try stage.acquire("A")
        stage.pool.clear()
        #expect(stage.pool.check(lease) == nil)
        let warnings = lines.lines.count { $0.contains("does not let go") }
        #expect(warnings == (subject.builtIn == .singleton ? 1 : 0))
    }

    @Test(
        "singleton: goes under critical pressure or when it was not used, but only idle",
        arguments: Subject.all(.singleton))
    func singletonTrims(_ subject: Subject) throws {
        let stage = PoolStage(try subject.policy(), idleTimeout: .seconds(30))
        let lease = try stage.acquire("A")
        stage.pool.relieve(.critical)
        #expect(stage.alive == [1])
        stage.pool.recyclePlayer(lease)
        stage.pool.relieve(.moderate)
        #expect(stage.alive == [1])
        stage.pool.relieve(.critical)
        #expect(stage.alive.isEmpty)
        stage.pool.recyclePlayer(try stage.acquire("B"))
        stage.clock.advance(milliseconds: 30_000)
        stage.pool.trimIdle()
        #expect(stage.alive.isEmpty && stage.pool.counts.evictedBy == ["pressure": 1, "idle": 1])
    }

    @Test(
        "pressure trims to what is to stay, or all that nobody holds", arguments: Subject.all(.reusePool, .idScopedPool)
    )
    func pressure(_ subject: Subject) throws {
        let stage = try subject.stage(max: 4, ["min_idle": "1"])
        _ = try stage.acquire("A")
        for lease in try ["B", "C", "D"].map(stage.acquire) { stage.pool.recyclePlayer(lease) }
        stage.pool.relieve(.moderate)
        #expect(stage.leaves(1, 4))
        stage.pool.relieve(.critical)
        #expect(stage.leaves(1))
        #expect(stage.pool.counts.evictedBy == ["pressure": 3])
    }

    @Test("a pool that is not used for its time-out is trimmed", arguments: Subject.all(.reusePool, .idScopedPool))
    func idleTimeout(_ subject: Subject) throws {
        let stage = PoolStage(try subject.policy(["min_idle": "1"]), idleTimeout: .seconds(30))
        for lease in try ["A", "B"].map(stage.acquire) { stage.pool.recyclePlayer(lease) }
        stage.clock.advance(milliseconds: 29_999)
        stage.pool.trimIdle()
        #expect(stage.alive == [1, 2])
        stage.clock.advance(milliseconds: 1)
        stage.pool.trimIdle()
        #expect(stage.alive == [2])
        #expect(stage.pool.counts.evictedBy == ["idle": 1])
    }

    @Test("id-scoped-pool: what is announced is made ready, nearest first", arguments: Subject.all(.idScopedPool))
    func upcoming(_ subject: Subject) throws {
        let stage = try subject.stage()
        let current = try stage.acquire("A")
        let items = [("D", 3), ("C", 2), ("B", 1), ("A", 0)].map { UpcomingItem(uniqueID: $0.0, distance: $0.1) }
        let plan = stage.pool.announce(upcoming: items)
        #expect(plan.preparations.map(\.uniqueID) == ["B", "C"])
        #expect(plan.preparations.map(\.stage) == [.firstFrame, .prepared])
        #expect(stage.pool.counts.idle == 2 && stage.pool.counts.active == 1)
        for preparation in plan.preparations { #expect(stage.pool.reached(preparation.stage, preparation.handle)) }
        // The next one is at hand, and what is behind keeps its player.
        stage.pool.recyclePlayer(current)
        let next = try stage.acquire("B")
        #expect(next.origin == .hit && next.stage == .firstFrame)
        let moved = stage.pool.announce(
            upcoming: [("A", -1), ("C", 1), ("D", 2)].map { UpcomingItem(uniqueID: $0.0, distance: $0.1) })
        #expect(moved.preparations.map(\.uniqueID) == ["C", "A"])
        #expect(moved.preparations.map(\.reached) == [.prepared, .none])
        #expect(stage.alive == [1, 2, 3])
        #expect(stage.pool.status.faults.isEmpty)
    }

    @Test("id-scoped-pool: what is not announced any more is taken back", arguments: Subject.all(.idScopedPool))
    func upcomingCancelled(_ subject: Subject) throws {
        let stage = try subject.stage()
        let plan = stage.pool.announce(upcoming: [UpcomingItem(uniqueID: "B", distance: 1)])
        #expect(stage.pool.reached(.firstFrame, plan.preparations[0].handle))
        #expect(stage.pool.announce(upcoming: []).preparations.isEmpty)
        #expect(stage.factory.players[0].commands == ["stop", "reset"])
        #expect(try stage.acquire("B").stage == PoolRequest.Stage.none)
    }

    @Test("others make nothing ready", arguments: Subject.all(.default, .reusePool, .singleton))
    func noUpcoming(_ subject: Subject) throws {
        let stage = try subject.stage()
        #expect(stage.pool.announce(upcoming: [UpcomingItem(uniqueID: "B", distance: 1)]).preparations.isEmpty)
        #expect(stage.alive.isEmpty)
    }

    // MARK: Failures

    @Test("singleton: what cannot be made ahead is an error", arguments: Subject.all(.singleton))
    func preloadOneFails(_ subject: Subject) throws {
        let stage = try subject.stage()
        stage.factory.fail(from: 1)
        let outcome = stage.pool.preload(count: 2)
        #expect(outcome.created == 0 && outcome.error?.code == .factoryFailed)
        #expect(stage.pool.counts.created == 0)
    }

    @Test("singleton: many at once have one player made", arguments: Subject.all(.singleton))
    func parallelCreation(_ subject: Subject) async throws {
        let stage = try subject.stage()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<16 { group.addTask { _ = try? stage.acquire("\(number)") } }
        }
        #expect(stage.pool.counts.created == 1 && stage.pool.counts.active == 1)
    }

    @Test("a factory that fails changes nothing", arguments: Subject.all)
    func factoryFails(_ subject: Subject) throws {
        let stage = try subject.stage(max: 1)
        stage.factory.fail(from: 1)
        let error = #expect(throws: PlayerError.self) { try stage.acquire("A") }
        #expect(error?.code == .factoryFailed)
        #expect(stage.pool.counts.created == 0 && stage.pool.counts.evicted == 0)
        stage.factory.fail(from: .max)
        _ = try stage.acquire("A")
        stage.factory.fail(from: 2)
        guard subject.builtIn != .singleton else { return }
        #expect(throws: PlayerError.self) { try stage.acquire("B") }
        #expect(stage.pool.counts.active == 1 && stage.journal.lines.isEmpty)
    }

    @Test("n at once that are too many give up exactly what is too much", arguments: Subject.all(.idScopedPool))
    func parallelEviction(_ subject: Subject) async throws {
        let stage = try subject.stage(max: 4)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<16 { group.addTask { _ = try? stage.acquire("\(number)") } }
        }
        #expect(stage.pool.counts.evicted == 12 && stage.pool.counts.active == 4)
    }
}
