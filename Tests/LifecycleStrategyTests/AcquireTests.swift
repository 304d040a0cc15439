// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("Which player a source gets")
struct AcquireTests {
    @Test("an empty pool creates", arguments: Subject.all)
    func creates(_ subject: Subject) throws {
        let stage = try subject.stage()
        #expect(try stage.acquire("A").origin == .created)
        #expect(stage.pool.counts.created == 1 && stage.pool.counts.active == 1)
    }

    @Test("default: always a new player", arguments: Subject.all(.default))
    func alwaysNew(_ subject: Subject) throws {
        let stage = try subject.stage()
        stage.pool.recyclePlayer(try stage.acquire("A"))
        #expect(try stage.acquire("A").origin == .created)
        #expect(try stage.acquire("A").origin == .created)
        #expect(stage.alive == [2, 3])
        #expect(stage.pool.counts.created == 3 && stage.pool.counts.reused == 0 && stage.pool.counts.hits == 0)
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
        // Then the other, and one in use never.
        #expect(try stage.acquire("B").player === second.player)
        #expect(try stage.acquire("C").origin == .created)
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
        stage.pool.recyclePlayer(first)
        #expect(try stage.acquire("A").origin == .hit)
    }

    @Test("id-scoped-pool: another id gets the oldest unbound player", arguments: Subject.all(.idScopedPool))
    func oldestUnbound(_ subject: Subject) throws {
        let stage = try subject.stage()
        #expect(stage.pool.preload(count: 2).created == 2)
        #expect(stage.pool.counts.unbound == 2)
        let lease = try stage.acquire("A")
        #expect(lease.origin == .reused && lease.player.playerID == 1)
        #expect(stage.pool.counts.unbound == 1 && stage.pool.counts.reused == 1)
        // It is that id's from now on.
        stage.pool.recyclePlayer(lease)
        #expect(try stage.acquire("B").player.playerID == 2)
        #expect(try stage.acquire("A").origin == .hit)
    }

    @Test("singleton: one player, the newest owner takes it over, told first", arguments: Subject.all(.singleton))
    func oneForAll(_ subject: Subject) throws {
        let script = FakePlayerScript()
        let stage = try subject.stage(script: script)
        script.onStop { [journal = stage.journal] _ in journal.note("stopped") }
        let first = try stage.acquire("A")
        let second = try stage.acquire("B")
        #expect(second.origin == .hit && second.player === first.player)
        #expect(stage.journal.lines == ["A takenOver", "stopped"])
        #expect(stage.pool.check(first) == .rejectedStaleLease && stage.pool.check(second) == nil)
        #expect(stage.pool.recyclePlayer(second) == .retained)
        #expect(try stage.acquire("C").origin == .hit)
        #expect(stage.pool.counts.created == 1 && stage.pool.counts.hits == 2)
    }

    @Test("singleton: many at once have one player made", arguments: Subject.all(.singleton))
    func parallelCreation(_ subject: Subject) async throws {
        let stage = try subject.stage()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<16 { group.addTask { _ = try? stage.acquire("\(number)") } }
        }
        #expect(stage.pool.counts.created == 1 && stage.pool.counts.active == 1)
    }

    @Test("a factory that fails changes nothing: nobody is given up for it", arguments: Subject.all)
    func factoryFails(_ subject: Subject) throws {
        let stage = try subject.stage(max: 2)
        stage.factory.fail(from: 1)
        let error = #expect(throws: PlayerError.self) { try stage.acquire("A") }
        #expect(error?.code == .factoryFailed)
        #expect(stage.pool.counts.created == 0 && stage.pool.counts.rejected == ["misc.factory_failed": 1])
        stage.factory.fail(from: .max)
        guard subject.builtIn != .singleton else { return }
        // The pool is full: one in use, one idle where they are kept.
        let held = try stage.acquire("A")
        if subject.builtIn == .idScopedPool { stage.pool.recyclePlayer(try stage.acquire("B")) }
        stage.factory.fail(from: 2)
        let before = stage.unchanging
        #expect(throws: PlayerError.self) { try stage.acquire("C") }
        #expect(before == stage.unchanging && stage.journal.lines.isEmpty)
        #expect(stage.pool.check(held) == nil && stage.pool.status.faults.isEmpty)
    }
}
