// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

/// Each outcome of giving back a lease, tested in the order of the contract; a rejection changes nothing.
@Suite("What is rejected, and how")
struct RejectionTests {
    private func unchanged(_ stage: PoolStage, _ body: () -> Void) {
        let before = stage.unchanging
        body()
        #expect(before == stage.unchanging)
    }

    @Test("a foreign player is unknown", arguments: Subject.all)
    func unknown(_ subject: Subject) throws {
        let (stage, other) = (try subject.stage(), try subject.stage())
        let foreign = try other.acquire("A")
        _ = try stage.acquire("A")
        unchanged(stage) {
            #expect(stage.pool.recyclePlayer(foreign) == .rejectedUnknown)
            #expect(stage.pool.recyclePlayer(foreign, uniqueID: "X", force: true) == .rejectedUnknown)
        }
        #expect(stage.pool.counts.rejected == ["rejectedUnknown": 2])
    }

    @Test("a destroyed one is destroyed, whatever the id", arguments: Subject.all)
    func destroyed(_ subject: Subject) throws {
        let stage = try subject.stage()
        let lease = try stage.acquire("A")
        stage.pool.recyclePlayer(lease, force: true)
        unchanged(stage) { #expect(stage.pool.recyclePlayer(lease, uniqueID: "X", force: true) == .rejectedDestroyed) }
    }

    @Test("one that was leased again since is stale, in use or not", arguments: Subject.keepers)
    func stale(_ subject: Subject) throws {
        let stage = try subject.stage()
        let first = try stage.acquire("A")
        stage.pool.recyclePlayer(first)
        let second = try stage.acquire("A")
        #expect(second.player === first.player)
        unchanged(stage) { #expect(stage.pool.recyclePlayer(first, uniqueID: "X", force: true) == .rejectedStaleLease) }
        stage.pool.recyclePlayer(second)
        unchanged(stage) { #expect(stage.pool.recyclePlayer(first) == .rejectedStaleLease) }
        #expect(stage.pool.counts.rejected == ["rejectedStaleLease": 2])
    }

    @Test("one that came back is idle, with and without force", arguments: Subject.keepers)
    func idle(_ subject: Subject) throws {
        let stage = try subject.stage()
        let lease = try stage.acquire("A")
        stage.pool.recyclePlayer(lease)
        unchanged(stage) {
            #expect(stage.pool.recyclePlayer(lease, uniqueID: "X", force: false) == .rejectedAlreadyIdle)
            #expect(stage.pool.recyclePlayer(lease, force: true) == .rejectedAlreadyIdle)
        }
        #expect(stage.alive == [1])
    }

    @Test("another id is the wrong one", arguments: Subject.all)
    func wrongID(_ subject: Subject) throws {
        let stage = try subject.stage()
        let lease = try stage.acquire("A")
        unchanged(stage) { #expect(stage.pool.recyclePlayer(lease, uniqueID: "B", force: true) == .rejectedWrongID) }
        #expect(stage.pool.recyclePlayer(lease, uniqueID: "A", force: true) == .destroyedForce)
    }

    // MARK: Without a lease

    @Test("without a player nothing is done", arguments: Subject.all)
    func noPlayer(_ subject: Subject) throws {
        let stage = try subject.stage()
        _ = try stage.acquire("A")
        unchanged(stage) {
            #expect(stage.pool.recyclePlayer(nil) == nil)
            #expect(stage.pool.recyclePlayer(nil, uniqueID: "A", force: true) == nil)
        }
        #expect(stage.pool.counts.rejected.isEmpty)
    }

    @Test("a player stands for the lease that drives it", arguments: Subject.all)
    func current(_ subject: Subject) throws {
        let stage = try subject.stage()
        let lender = try stage.acquire("A")
        let borrower = try #require(stage.lend(lender, to: "borrower").lease)
        #expect(stage.pool.recyclePlayer(lender.player, force: true) == .popped)
        #expect(stage.pool.check(borrower) == .rejectedStaleLease && stage.pool.check(lender) == nil)
        #expect(stage.pool.recyclePlayer(lender.player, uniqueID: "A", force: true) == .destroyedForce)
        #expect(stage.alive.isEmpty)
    }

    @Test("a player is kept as its lease is", arguments: Subject.keepers)
    func kept(_ subject: Subject) throws {
        let stage = try subject.stage()
        let player = try stage.acquire("A").player
        #expect(stage.pool.recyclePlayer(player) == (subject.builtIn == .reusePool ? .pooled : .retained))
        #expect(try stage.acquire("A").player === player)
    }

    @Test(
        "a player that cannot be given back is rejected in the order of the contract, and nothing changes",
        arguments: Subject.all)
    func players(_ subject: Subject) throws {
        let (stage, other) = (try subject.stage(), try subject.stage())
        let foreign = try other.acquire("A").player
        let held = try stage.acquire("A").player
        unchanged(stage) {
            #expect(stage.pool.recyclePlayer(foreign, uniqueID: "X", force: true) == .rejectedUnknown)
            #expect(stage.pool.recyclePlayer(held, uniqueID: "X", force: true) == .rejectedWrongID)
        }
        if subject.builtIn != .default {
            stage.pool.recyclePlayer(held)
            unchanged(stage) {
                #expect(stage.pool.recyclePlayer(held, uniqueID: "X", force: true) == .rejectedAlreadyIdle)
                #expect(stage.pool.recyclePlayer(held) == .rejectedAlreadyIdle)
            }
            _ = try stage.acquire("A")
        }
        stage.pool.recyclePlayer(held, force: true)
        unchanged(stage) {
            #expect(stage.pool.recyclePlayer(held, uniqueID: "X", force: true) == .rejectedDestroyed)
        }
        var expected: [String: Int64] = ["rejectedUnknown": 1, "rejectedWrongId": 1, "rejectedDestroyed": 1]
        if subject.builtIn != .default { expected["rejectedAlreadyIdle"] = 2 }
        #expect(stage.pool.counts.rejected == expected)
    }
}
