// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("How many players there are, and who goes where they are too many")
struct CapacityTests {
    @Test(
        "id-scoped-pool: A, B, C, D with room for three: A goes, told before it is stopped",
        arguments: Subject.all(.idScopedPool))
    func leastRecent(_ subject: Subject) throws {
        let script = FakePlayerScript()
        let stage = try subject.stage(script: script)
        script.onStop { [journal = stage.journal] in journal.note("\($0.playerID) stopped") }
        let first = try stage.acquire("A")
        for id in ["B", "C", "D"] { _ = try stage.acquire(id) }
        #expect(stage.alive == [2, 3, 4])
        #expect(stage.journal.lines == ["A evicted", "1 stopped"])
        #expect(stage.pool.recyclePlayer(first) == .rejectedDestroyed)
        #expect(stage.pool.check(first) == .rejectedDestroyed)
        #expect(stage.pool.counts.evicted == 1 && stage.pool.counts.evictedActive == 1)
        #expect(stage.pool.counts.evictedBy == ["acquire": 1])
    }

    @Test("id-scoped-pool: the idle go first, then who does not play", arguments: Subject.all(.idScopedPool))
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
        // Nor for a smaller size, which takes the other.
        stage.pool.recyclePlayer(try stage.acquire("C"))
        #expect(stage.pool.setMaxPoolSize(1))
        #expect(stage.leaves(1) && stage.pool.check(borrower) == nil && stage.pool.check(lender) == nil)
    }

    @Test(
        "id-scoped-pool: the least recently used is who was acquired longest ago, whenever it came back",
        arguments: Subject.all(.idScopedPool))
    func orderOfAcquire(_ subject: Subject) throws {
        let stage = try subject.stage(max: 2)
        let (first, second) = (try stage.acquire("A"), try stage.acquire("B"))
        stage.pool.recyclePlayer(second)
        stage.pool.recyclePlayer(first)
        stage.pool.recyclePlayer(try stage.acquire("C"))
        #expect(stage.alive == [2, 3])
        // Whoever is acquired again is the newest.
        stage.pool.recyclePlayer(try stage.acquire("B"))
        stage.pool.recyclePlayer(try stage.acquire("D"))
        #expect(stage.alive == [2, 4])
    }

    @Test("n at once that are too many give up exactly what is too much", arguments: Subject.all(.idScopedPool))
    func parallelEviction(_ subject: Subject) async throws {
        let stage = try subject.stage(max: 4)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<16 { group.addTask { _ = try? stage.acquire("\(number)") } }
        }
        #expect(stage.pool.counts.evicted == 12 && stage.pool.counts.active == 4)
    }

    // MARK: Another size

    @Test("a smaller size is put in force at once: the longest idle go", arguments: Subject.sized)
    func lowerMax(_ subject: Subject) throws {
        let stage = try subject.stage()
        for lease in try ["A", "B", "C"].map(stage.acquire) { stage.pool.recyclePlayer(lease) }
        #expect(stage.pool.setMaxPoolSize(1))
        #expect(stage.leaves(3))
        #expect(stage.pool.counts.evictedBy == ["resize": 2] && stage.pool.counts.evictedActive == 0)
    }

    @Test("reuse-pool: a smaller size is none of who is in use", arguments: Subject.all(.reusePool))
    func lowerMaxIdleOnly(_ subject: Subject) throws {
        let stage = try subject.stage()
        let held = try ["A", "B"].map(stage.acquire)
        stage.pool.recyclePlayer(try stage.acquire("C"))
        #expect(stage.pool.setMaxPoolSize(1))
        #expect(stage.alive == [1, 2, 3] && stage.pool.counts.evicted == 0)
        #expect(held.map { stage.pool.recyclePlayer($0) } == [.destroyedFull, .destroyedFull])
    }

    @Test(
        "id-scoped-pool: a smaller size goes by the same rule, to those in use as well",
        arguments: Subject.all(.idScopedPool))
    func lowerMaxInUse(_ subject: Subject) throws {
        let stage = try subject.stage(max: 5)
        let playing = try stage.acquire("playing")
        try stage.play(playing)
        _ = try stage.acquire("paused")
        stage.pool.recyclePlayer(try stage.acquire("idle"))
        #expect(stage.pool.preload(count: 2).created == 2)
        // The oldest unbound one, the other, the idle one, and one in use.
        for (size, alive) in [(4, [1, 2, 3, 5]), (3, [1, 2, 3]), (2, [1, 2]), (1, [1])] as [(Int64, [Int64])] {
            #expect(stage.pool.setMaxPoolSize(size))
            #expect(stage.alive == alive)
        }
        #expect(stage.journal.lines == ["paused evicted"])
        #expect(stage.pool.check(playing) == nil && stage.pool.counts.evictedBy == ["resize": 4])
    }

    @Test("a size below one is refused, and any where there is no such thing", arguments: Subject.all)
    func wrongMax(_ subject: Subject) throws {
        let stage = try subject.stage()
        _ = try stage.acquire("A")
        let before = stage.unchanging
        for size in [0, -1, Int64.min] { #expect(!stage.pool.setMaxPoolSize(size)) }
        #expect(stage.pool.setMaxPoolSize(2) == subject.builtIn.hasSize)
        #expect(stage.pool.maxPoolSize == (subject.builtIn.hasSize ? 2 : nil))
        #expect(before == stage.unchanging)
        #expect(stage.pool.counts.rejected == ["maxPoolSize": subject.builtIn.hasSize ? 3 : 4])
    }

    // MARK: The bound

    @Test("the bound holds: who finds no room is refused, or waits until there is", arguments: Subject.all)
    func hardMax(_ subject: Subject) async throws {
        let stage = try subject.stage(max: 2, hardMax: 2)
        let held = try ["A", "B"].map(stage.acquire)
        switch subject.builtIn {
        case .singleton: #expect(stage.pool.poolCount == 1)
        case .idScopedPool:
            // One is given up to make room, unless it is lent.
            let last = try stage.acquire("C")
            #expect(stage.pool.poolCount == 2 && stage.journal.lines == ["A evicted"])
            for lender in [held[1], last] { _ = try #require(stage.lend(lender, to: "borrower").lease) }
            try await waits(stage, last)
        case .reusePool, .default: try await waits(stage, held[1])
        }
    }

    /// The last of the full pool comes back.
    private func waits(_ stage: PoolStage, _ last: PlayerLease) async throws {
        let error = #expect(throws: PlayerError.self) { try stage.acquire("D") }
        #expect(error?.code == .poolRefused && stage.pool.poolCount == 2)
        let waiting = Task { try await stage.pool.waitForPlayer(uniqueID: "D") }
        #expect(await Patience.suspend { stage.pool.waiting == 1 })
        while stage.pool.recyclePlayer(last.player) == .popped {}
        #expect(try await waiting.value.uniqueID == "D")
        #expect(stage.pool.counts.active == 2 && stage.pool.poolCount == 2 && stage.pool.waiting == 0)
    }

    @Test("preloading and what is announced stay within the bound", arguments: Subject.all(.reusePool, .idScopedPool))
    func plansKeepToHardMax(_ subject: Subject) throws {
        let stage = try subject.stage(max: 2, hardMax: 2)
        let held = try stage.acquire("A")
        #expect(stage.pool.preload(count: 5).created == 1)
        #expect(stage.pool.preload(count: 5).created == 0)
        stage.pool.announce(upcoming: (1...3).map { UpcomingItem(uniqueID: "\($0)", distance: $0) })
        #expect(stage.pool.poolCount == 2 && stage.pool.check(held) == nil)
        #expect(stage.pool.status.faults.isEmpty)
    }
}
