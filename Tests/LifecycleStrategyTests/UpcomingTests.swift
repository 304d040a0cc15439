// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("What of the upcoming items a strategy has made ready")
struct UpcomingTests {
    private func items(_ all: KeyValuePairs<String, Int32>) -> [UpcomingItem] {
        all.map { UpcomingItem(uniqueID: $0.key, distance: $0.value) }
    }

    @Test("id-scoped-pool: two ahead and one behind, nearest first", arguments: Subject.all(.idScopedPool))
    func upcoming(_ subject: Subject) throws {
        let stage = try subject.stage()
        let current = try stage.acquire("A")
        let plan = stage.pool.announce(upcoming: items(["D": 3, "C": 2, "B": 1, "A": 0]))
        #expect(plan.preparations.map(\.uniqueID) == ["B", "C"])
        #expect(plan.preparations.map(\.stage) == [.firstFrame, .prepared])
        #expect(stage.pool.counts.idle == 2 && stage.pool.counts.active == 1)
        for preparation in plan.preparations { #expect(stage.pool.reached(preparation.stage, preparation.handle)) }
        // The next one is at hand, and what is behind keeps its player.
        stage.pool.recyclePlayer(current)
        let next = try stage.acquire("B")
        #expect(next.origin == .hit && next.stage == .firstFrame)
        let moved = stage.pool.announce(upcoming: items(["A": -1, "C": 1, "D": 2]))
        #expect(moved.preparations.map(\.uniqueID) == ["C", "A"])
        #expect(moved.preparations.map(\.reached) == [.prepared, .none])
        #expect(stage.alive == [1, 2, 3])
        #expect(stage.pool.status.faults.isEmpty)
    }

    @Test("id-scoped-pool: one player for each item, as far as the window goes", arguments: Subject.all(.idScopedPool))
    func window(_ subject: Subject) throws {
        let stage = try subject.stage(max: 9, ["window_behind": "2", "window_ahead": "1"])
        let plan = stage.pool.announce(
            upcoming: items(["B": 1, "B": 1, "C": 2, "Y": -2, "Z": -1, "X": -3, "B": -1]))
        #expect(plan.preparations.map(\.uniqueID) == ["B", "Z", "Y"])
        #expect(plan.preparations.map(\.stage) == [.firstFrame, .prepared, .prepared])
        // The same again makes nothing.
        #expect(stage.pool.announce(upcoming: items(["B": 1, "Z": -1, "Y": -2])).preparations.count == 3)
        #expect(stage.pool.counts.created == 3 && stage.pool.status.faults.isEmpty)
    }

    @Test("id-scoped-pool: in unbound players first, and nobody's is taken", arguments: Subject.all(.idScopedPool))
    func room(_ subject: Subject) throws {
        let stage = try subject.stage()
        let held = try stage.acquire("A")
        #expect(stage.pool.preload(count: 1).created == 1)
        let plan = stage.pool.announce(upcoming: items(["B": 1, "C": 2, "Z": -1, "A": 1]))
        #expect(plan.preparations.map(\.player.playerID) == [2, 3])
        #expect(stage.pool.counts.unbound == 0 && stage.pool.counts.idle == 2)
        // What was made ready for others goes for what is announced now, and what is held stays.
        #expect(stage.pool.announce(upcoming: items(["D": 1, "E": 2])).preparations.count == 2)
        #expect(stage.leaves(1, 4, 5) && stage.pool.check(held) == nil)
        #expect(stage.pool.counts.evictedBy == ["upcoming": 2] && stage.pool.counts.evictedActive == 0)
        for id in ["F", "G"] { _ = try stage.acquire(id) }
        #expect(stage.pool.announce(upcoming: items(["H": 1])).preparations.isEmpty)
        #expect(stage.journal.lines.isEmpty && stage.pool.counts.active == 3)
    }

    @Test("id-scoped-pool: what is not announced any more is taken back", arguments: Subject.all(.idScopedPool))
    func cancelled(_ subject: Subject) throws {
        let stage = try subject.stage()
        let plan = stage.pool.announce(upcoming: items(["B": 1]))
        #expect(stage.pool.reached(.firstFrame, plan.preparations[0].handle))
        #expect(stage.pool.announce(upcoming: []).preparations.isEmpty)
        #expect(stage.factory.players[0].commands == ["stop", "reset"])
        #expect(try stage.acquire("B").stage == PoolRequest.Stage.none)
        // It is somebody's by now.
        #expect(!stage.pool.reached(.firstFrame, plan.preparations[0].handle))
    }

    @Test("id-scoped-pool: what could be made is kept when the factory fails", arguments: Subject.all(.idScopedPool))
    func fails(_ subject: Subject) throws {
        let stage = try subject.stage(max: 4)
        stage.pool.recyclePlayer(try stage.acquire("A"))
        stage.factory.fail(from: 3)
        let plan = stage.pool.announce(upcoming: items(["B": 1, "C": 2, "D": -1]))
        #expect(plan.preparations.map(\.uniqueID) == ["B"] && plan.error?.code == .factoryFailed)
        #expect(stage.alive == [1, 2] && stage.pool.counts.evicted == 0)
    }

    @Test("others make nothing ready", arguments: Subject.all(.default, .reusePool, .singleton))
    func none(_ subject: Subject) throws {
        let stage = try subject.stage()
        #expect(stage.pool.announce(upcoming: items(["B": 1])).preparations.isEmpty)
        let lease = try stage.acquire("A")
        #expect(stage.pool.announce(upcoming: items(["A": 1, "B": 2])).preparations.isEmpty)
        #expect(stage.alive == [1] && stage.pool.check(lease) == nil && stage.pool.status.faults.isEmpty)
    }
}
