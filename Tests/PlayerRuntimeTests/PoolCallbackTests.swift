// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import Synchronization
import TestSupport
import Testing

@Suite("A pool that is called back")
struct PoolCallbackTests {
    @Test("by its policy takes the default and does not ask again")
    func fromPolicy() throws {
        let box = Mutex<PlayerPool?>(nil)
        let outcomes = Journal()
        let policy = FakePolicy { request in
            guard case .acquire(let id, _) = request.kind, id == "A" else { return PoolDecision(.create) }
            let pool = box.withLock { $0 }!
            let inner = try pool.acquirePlayer(uniqueID: "inner")
            outcomes.note("\(pool.recyclePlayer(inner))")
            return PoolDecision(.create)
        }
        let pool = PoolStage(policy).pool
        box.withLock { $0 = pool }
        _ = try pool.acquirePlayer(uniqueID: "A")
        #expect(outcomes.lines == ["destroyed"])
        #expect(policy.requests.count == 1)
        #expect(pool.counts.created == 2 && pool.counts.active == 1)
        box.withLock { $0 = nil }
    }

    @Test("by its factory works, and endless recursion ends in a typed error")
    func fromFactory() throws {
        let stage = PoolStage(FakePolicy.reuse())
        let (pool, factory) = (stage.pool, stage.factory)
        let errors = Journal()
        factory.onMake { [weak pool] in
            guard let pool else { return }
            do throws(PlayerError) { _ = try pool.acquirePlayer(uniqueID: "inner") } catch {
                errors.note(error.code.name)
            }
        }
        _ = try pool.acquirePlayer(uniqueID: "A")
        #expect(errors.lines == ["misc.illegal_state"])
        #expect(pool.counts.created == Int64(factory.players.count))
        factory.onMake(nil)
    }

    @Test("while it stops a player works, even for the player that is being stopped")
    func fromStop() throws {
        let script = FakePlayerScript()
        let pool = PoolStage(FakePolicy.reuse(), script: script).pool
        let inner = Mutex<PlayerLease?>(nil)
        let lease = try pool.acquirePlayer(uniqueID: "A")
        script.onStop { [weak pool] player in
            guard player.playerID == 1 else { return }
            let lease = try? pool?.acquirePlayer(uniqueID: "inner")
            inner.withLock { $0 = lease }
        }
        #expect(pool.recyclePlayer(lease) == .pooled)
        #expect(inner.withLock { $0?.origin } == .created)
        script.onStop(nil)
    }

    @Test("by the holder of a lease that is taken away works")
    func fromRevoke() throws {
        let policy = FakePolicy(bindsIDs: true) { request in
            guard case .acquire(let id, _) = request.kind else { return PoolDecision(.destroy) }
            return PoolDecision(.create, evict: id == "B" ? request.players.map(\.handle) : [])
        }
        let pool = PoolStage(policy).pool
        let journal = Journal()
        _ = try pool.acquirePlayer(uniqueID: "A", sourceKind: .url) { [weak pool] _ in
            journal.note((try? pool?.acquirePlayer(uniqueID: "again"))??.uniqueID ?? "none")
        }
        _ = try pool.acquirePlayer(uniqueID: "B")
        #expect(journal.lines == ["again"])
        #expect(pool.counts.active == 2)
    }
}
