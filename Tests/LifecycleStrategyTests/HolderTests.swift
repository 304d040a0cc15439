// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("The holder of a player that somebody else gives back")
struct HolderTests {
    @Test("hears of it before it is stopped", arguments: Subject.all, [false, true])
    func told(_ subject: Subject, force: Bool) throws {
        let script = FakePlayerScript()
        let stage = try subject.stage(script: script)
        script.onStop { [journal = stage.journal] _ in journal.note("stopped") }
        let lease = try stage.acquire("A")
        try stage.play(lease)
        stage.pool.recyclePlayer(lease.player, force: force)
        #expect(Patience.wait { stage.journal.lines == ["A evicted", "stopped"] })
        #expect(stage.pool.check(lease) != nil)
    }

    @Test("hears of it where it had borrowed it, and the lender goes on", arguments: Subject.all)
    func borrowed(_ subject: Subject) throws {
        let stage = try subject.stage()
        let lender = try stage.acquire("A")
        _ = try #require(stage.lend(lender, to: "borrower").lease)
        #expect(stage.pool.recyclePlayer(lender.player) == .popped)
        #expect(stage.journal.lines == ["A suspended", "borrower evicted", "A resumed"])
    }

    @Test("hears nothing of what it gives back itself", arguments: Subject.all)
    func own(_ subject: Subject) throws {
        let stage = try subject.stage()
        stage.pool.recyclePlayer(try stage.acquire("A"))
        #expect(stage.journal.lines.isEmpty)
    }
}

@Suite("Players of sources without an id, under id-scoped-pool")
struct NoIDTests {
    @Test("are each other's own, and are anybody's when they come back", arguments: Subject.all(.idScopedPool))
    func noID(_ subject: Subject) throws {
        let stage = try subject.stage()
        let first = try stage.pool.acquirePlayer()
        let second = try stage.pool.acquirePlayer()
        #expect(second.origin == .created && second.player !== first.player)
        #expect(stage.pool.check(first) == nil)
        #expect(stage.pool.recyclePlayer(first) == .retained)
        #expect(stage.pool.counts.unbound == 1 && stage.pool.counts.idle == 0)
        let third = try stage.acquire("A")
        #expect(third.origin == .reused && third.player === first.player)
        #expect(stage.pool.counts.hits == 0)
    }
}
