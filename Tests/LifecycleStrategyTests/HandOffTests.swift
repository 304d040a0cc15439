// SPDX-License-Identifier: Apache-2.0

import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("Leases of one player form a stack")
struct HandOffTests {
    @Test("lend and return: the lender drives again, and nothing is stopped", arguments: Subject.all)
    func roundTrip(_ subject: Subject) throws {
        let stage = try subject.stage()
        let lender = try stage.acquire("A")
        let borrower = try #require(stage.lend(lender, to: "borrower").lease)
        #expect(borrower.player === lender.player && borrower.origin == .borrowed && borrower.uniqueID == "A")
        #expect(stage.pool.counts.active == 1 && stage.pool.counts.created == 1)
        #expect(stage.pool.recyclePlayer(borrower, force: true) == .popped)
        #expect(stage.journal.lines == ["A suspended", "A resumed"])
        #expect(stage.factory.players[0].commands.isEmpty)
        #expect(stage.pool.recyclePlayer(borrower) == .rejectedStaleLease)
        #expect(stage.pool.recyclePlayer(lender, force: true) == .destroyedForce)
    }

    @Test("a lender that goes first is removed, and the borrower plays on", arguments: Subject.all)
    func lenderFirst(_ subject: Subject) throws {
        let stage = try subject.stage()
        let lender = try stage.acquire("A")
        let borrower = try #require(stage.lend(lender, to: "borrower").lease)
        #expect(stage.pool.recyclePlayer(lender, force: true) == .removed)
        #expect(stage.alive == [1] && stage.pool.check(borrower) == nil)
        #expect(stage.journal.lines == ["A suspended"])
        #expect(stage.pool.recyclePlayer(borrower, force: true) == .destroyedForce)
    }

    @Test("a lender that takes its player back tells every borrower", arguments: Subject.all)
    func reclaim(_ subject: Subject) throws {
        let stage = try subject.stage()
        let lender = try stage.acquire("A")
        let first = try #require(stage.lend(lender, to: "first").lease)
        let second = try #require(stage.lend(lender, to: "second").lease)
        #expect(stage.pool.reclaimPlayer(lender) == nil)
        #expect(stage.journal.lines == ["A suspended", "first suspended", "second reclaimed", "first reclaimed"])
        #expect(stage.pool.recyclePlayer(first) == .rejectedStaleLease)
        #expect(stage.pool.reclaimPlayer(second) == .rejectedStaleLease)
        #expect(stage.pool.check(lender) == nil && stage.factory.players[0].commands.isEmpty)
    }

    @Test("returned out of order, the one in between is removed", arguments: Subject.all)
    func outOfOrder(_ subject: Subject) throws {
        let stage = try subject.stage()
        let lender = try stage.acquire("A")
        let first = try #require(stage.lend(lender, to: "first").lease)
        let second = try #require(stage.lend(first, to: "second").lease)
        #expect(stage.pool.recyclePlayer(first) == .removed)
        #expect(stage.pool.recyclePlayer(second) == .popped)
        #expect(stage.journal.lines == ["A suspended", "first suspended", "A resumed"])
    }

    @Test(
        "whoever takes over replaces the one that drives, and the lender stays under it",
        arguments: Subject.all(.idScopedPool, .singleton))
    func takeOver(_ subject: Subject) throws {
        let stage = try subject.stage()
        let lender = try stage.acquire("A")
        let borrower = try #require(stage.lend(lender, to: "borrower").lease)
        let other = try stage.acquire("A")
        #expect(stage.journal.lines == ["A suspended", "borrower takenOver"])
        #expect(stage.pool.check(borrower) == .rejectedStaleLease)
        #expect(stage.pool.recyclePlayer(other) == .popped)
        #expect(stage.journal.lines.last == "A resumed")
    }

    @Test("what is no lease can be neither lent nor taken back", arguments: Subject.all)
    func rejected(_ subject: Subject) throws {
        let (stage, other) = (try subject.stage(), try subject.stage())
        let lease = try stage.acquire("A")
        stage.pool.recyclePlayer(lease)
        let reason: RecycleOutcome = subject.builtIn == .default ? .rejectedDestroyed : .rejectedAlreadyIdle
        let before = stage.unchanging
        for (lease, reason) in [(lease, reason), (try other.acquire("A"), .rejectedUnknown)] {
            guard case .rejected(let outcome) = stage.lend(lease, to: "borrower") else {
                Issue.record("it was lent")
                return
            }
            #expect(outcome == reason)
            #expect(stage.pool.reclaimPlayer(lease) == reason)
        }
        #expect(before == stage.unchanging && stage.journal.lines.isEmpty)
    }

    @Test("what is lent twice is two leases: the lender's ends last", arguments: Subject.all)
    func deep(_ subject: Subject) throws {
        let stage = try subject.stage()
        let lender = try stage.acquire("A")
        let borrowers = try (0..<4).map { try #require(stage.lend(lender, to: "\($0)").lease) }
        for borrower in borrowers.reversed() { #expect(stage.pool.recyclePlayer(borrower, force: true) == .popped) }
        #expect(stage.factory.players[0].commands.isEmpty && stage.pool.counts.active == 1)
        #expect(stage.journal.lines.last == "A resumed")
        #expect(stage.pool.recyclePlayer(lender, force: true) == .destroyedForce)
    }
}
