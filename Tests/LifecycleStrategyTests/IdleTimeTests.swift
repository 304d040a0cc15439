// SPDX-License-Identifier: Apache-2.0

import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("The timer of a pool that is not used")
struct IdleTimeTests {
    @Test("asks once the time is over, and again after the next use", arguments: Subject.all(.reusePool, .idScopedPool))
    func timer(_ subject: Subject) throws {
        let stage = PoolStage(try subject.policy(), idleTimeout: .milliseconds(2))
        for _ in 0..<3 {
            stage.pool.recyclePlayer(try stage.acquire("A"))
            #expect(stage.pool.poolCount == 1)
            // The timer looks at event time, which stands still until now.
            stage.clock.advance(milliseconds: 2)
            #expect(Patience.wait { stage.alive.isEmpty })
        }
        #expect(stage.pool.counts.evictedBy == ["idle": 3])
    }

    @Test("does not ask while players are in use, and begins when one comes back", arguments: Subject.all(.reusePool))
    func inUse(_ subject: Subject) throws {
        let stage = PoolStage(try subject.policy(), idleTimeout: .milliseconds(2))
        let lease = try stage.acquire("A")
        let calls = stage.pool.status.calls
        stage.clock.advance(milliseconds: 10)
        stage.pool.trimIdle()
        #expect(stage.alive == [1] && stage.pool.status.calls == calls)
        stage.pool.recyclePlayer(lease)
        stage.clock.advance(milliseconds: 2)
        #expect(Patience.wait { stage.alive.isEmpty })
    }
}
