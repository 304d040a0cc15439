// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("What becomes of a player that comes back")
struct RecycleTests {
    @Test("it is destroyed or kept, as the strategy is", arguments: Subject.all)
    func outcome(_ subject: Subject) throws {
        let stage = try subject.stage()
        let outcome = stage.pool.recyclePlayer(try stage.acquire("A"))
        switch subject.builtIn {
        case .default: #expect(outcome == .destroyed && stage.alive.isEmpty && stage.pool.counts.destroyed == 1)
        case .reusePool: #expect(outcome == .pooled && stage.pool.counts.idle == 1)
        case .idScopedPool, .singleton: #expect(outcome == .retained && stage.pool.counts.idle == 1)
        }
        #expect(stage.pool.counts.active == 0 && stage.pool.counts.evicted == 0)
    }

    @Test("what is kept is stopped and reset, and serves again under another handle", arguments: Subject.keepers)
    func reset(_ subject: Subject) throws {
        let stage = try subject.stage()
        let first = try stage.acquire("A")
        try stage.play(first)
        stage.pool.recyclePlayer(first)
        #expect(stage.factory.players[0].commands.suffix(2) == ["stop", "reset"])
        #expect(first.player.differencesFromNew.isEmpty)
        let second = try stage.acquire("A")
        #expect(second.player === first.player && second.handle != first.handle)
        #expect(stage.pool.counts.resetViolations == 0)
    }

    @Test("force destroys, whatever the strategy; the next is a new one", arguments: Subject.all)
    func force(_ subject: Subject) throws {
        let stage = try subject.stage()
        #expect(stage.pool.recyclePlayer(try stage.acquire("A"), force: true) == .destroyedForce)
        #expect(stage.alive.isEmpty)
        #expect(try stage.acquire("A").origin == .created)
        #expect(stage.pool.counts.created == 2 && stage.pool.counts.destroyed == 1)
    }

    @Test("reuse-pool: what is too much is destroyed; those in use do not count", arguments: Subject.all(.reusePool))
    func full(_ subject: Subject) throws {
        let stage = try subject.stage(max: 2)
        let leases = try ["A", "B", "C"].map(stage.acquire)
        #expect(leases.map { stage.pool.recyclePlayer($0) } == [.pooled, .pooled, .destroyedFull])
        #expect(stage.alive == [1, 2])
    }

    @Test("what is not as new after its reset is not kept", arguments: Subject.keepers)
    func notReset(_ subject: Subject) throws {
        let stage = try subject.stage(script: FakePlayerScript(comesToRest: false))
        let lease = try stage.acquire("A")
        try stage.play(lease)
        #expect(stage.pool.recyclePlayer(lease) == .stopFailedDestroyed)
        #expect(stage.alive.isEmpty && stage.pool.counts.destroyed == 1 && stage.pool.counts.idle == 0)
    }
}
