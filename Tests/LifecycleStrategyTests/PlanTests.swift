// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("What is made ahead, and what is let go of")
struct PlanTests {
    // MARK: Preload

    @Test("preloading fills what is left, once", arguments: Subject.sized)
    func preload(_ subject: Subject) throws {
        let stage = try subject.stage()
        _ = try stage.acquire("A")
        #expect(stage.pool.preload(count: 1).created == 1)
        #expect(stage.pool.preload(count: 9).created == 1)
        #expect(stage.pool.preload(count: 9).created == 0)
        #expect(stage.pool.poolCount == 3 && stage.pool.counts.evicted == 0)
    }

    @Test("preloading makes one, whatever the number, and no other", arguments: Subject.all(.singleton))
    func preloadOne(_ subject: Subject) throws {
        let stage = try subject.stage()
        #expect(stage.pool.preload(count: 7).created == 1)
        #expect(stage.pool.preload(count: 7).created == 0)
        #expect(stage.pool.counts.idle == 1)
        #expect(try stage.acquire("A").origin == .hit)
        #expect(stage.pool.preload(count: 7).created == 0)
    }

    @Test("preloading none, or under a strategy that keeps none, does nothing", arguments: Subject.all)
    func preloadNone(_ subject: Subject) throws {
        let stage = try subject.stage()
        for count in [0, -1, Int64.min] { #expect(stage.pool.preload(count: count).created == 0) }
        if subject.builtIn == .default { #expect(stage.pool.preload(count: 3).created == 0) }
        #expect(stage.pool.counts.created == 0 && stage.alive.isEmpty)
    }

    @Test("preloading keeps what was made when the factory fails, and says why", arguments: Subject.keepers)
    func preloadFails(_ subject: Subject) throws {
        let stage = try subject.stage(max: 5)
        let made: Int64 = subject.builtIn == .singleton ? 0 : 2
        stage.factory.fail(from: Int(made) + 1)
        let outcome = stage.pool.preload(count: 4)
        #expect(outcome.asked == 4 && outcome.created == made && outcome.error?.code == .factoryFailed)
        #expect(stage.alive == Array(1..<made + 1))
        #expect(stage.pool.counts.created == made && stage.pool.counts.idle + stage.pool.counts.unbound == made)
    }

    // MARK: Clear

    @Test("clearing destroys what nobody holds, and the rest when it comes back", arguments: Subject.sized)
    func clear(_ subject: Subject) throws {
        let stage = try subject.stage()
        let held = try stage.acquire("A")
        stage.pool.recyclePlayer(try stage.acquire("B"))
        stage.pool.preload(count: 1)
        #expect(stage.pool.clear().count == 2)
        #expect(stage.leaves(1))
        #expect(stage.pool.check(held) == nil && stage.journal.lines.isEmpty)
        #expect(stage.pool.recyclePlayer(held) == .destroyedCleared)
        #expect(stage.alive.isEmpty)
        // What is acquired afterwards is kept as ever.
        #expect(!stage.pool.recyclePlayer(try stage.acquire("A")).isRejection && stage.pool.counts.idle == 1)
    }

    @Test("clearing is nothing to others; the one that keeps a player warns", arguments: Subject.all)
    func clearWarns(_ subject: Subject) throws {
        let lines = Journal()
        let stage = try subject.stage(log: LogHub(console: { lines.note($0) }))
        let lease = try stage.acquire("A")
        stage.pool.clear()
        #expect(stage.pool.check(lease) == nil)
        let warnings = lines.lines.count { $0.contains("does not let go") }
        #expect(warnings == (subject.builtIn == .singleton ? 1 : 0))
        guard !subject.builtIn.hasSize else { return }
        #expect(stage.pool.recyclePlayer(lease) == (subject.builtIn == .default ? .destroyed : .retained))
        #expect(stage.pool.clear().isEmpty)
    }

    // MARK: Pressure and time

    @Test("pressure trims to what is to stay, or all that nobody holds", arguments: Subject.sized)
    func pressure(_ subject: Subject) throws {
        let stage = try subject.stage(max: 4, ["min_idle": "1"])
        _ = try stage.acquire("A")
        for lease in try ["B", "C", "D"].map(stage.acquire) { stage.pool.recyclePlayer(lease) }
        stage.pool.relieve(.moderate)
        #expect(stage.leaves(1, 4))
        stage.pool.relieve(.critical)
        #expect(stage.leaves(1))
        #expect(stage.pool.counts.evictedBy == ["pressure": 3] && stage.journal.lines.isEmpty)
    }

    @Test("id-scoped-pool: only critical pressure takes the unbound", arguments: Subject.all(.idScopedPool))
    func pressureOnUnbound(_ subject: Subject) throws {
        let stage = try subject.stage()
        stage.pool.preload(count: 2)
        stage.pool.relieve(.moderate)
        #expect(stage.alive == [1, 2])
        stage.pool.relieve(.critical)
        #expect(stage.leaves())
    }

    @Test("singleton: goes under critical pressure, but only idle", arguments: Subject.all(.singleton))
    func pressureOnOne(_ subject: Subject) throws {
        let stage = try subject.stage()
        let lease = try stage.acquire("A")
        stage.pool.relieve(.critical)
        #expect(stage.alive == [1])
        stage.pool.recyclePlayer(lease)
        stage.pool.relieve(.moderate)
        #expect(stage.alive == [1])
        stage.pool.relieve(.critical)
        #expect(stage.alive.isEmpty && stage.pool.counts.evictedBy == ["pressure": 1])
    }

    @Test("a pool that is not used for its time-out is trimmed of what is idle", arguments: Subject.all)
    func idleTimeout(_ subject: Subject) throws {
        let stage = try subject.stage(idleMilliseconds: 30_000, subject.builtIn.hasSize ? ["min_idle": "1"] : [:])
        let held = try stage.acquire("A")
        for lease in try ["B", "C"].map(stage.acquire) { stage.pool.recyclePlayer(lease) }
        let before = stage.alive
        stage.clock.advance(milliseconds: 29_999)
        stage.pool.trimIdle()
        #expect(stage.alive == before)
        stage.clock.advance(milliseconds: 1)
        stage.pool.trimIdle()
        switch subject.builtIn {
        case .default: #expect(stage.alive == [1])
        case .reusePool, .idScopedPool: #expect(stage.alive == [1, 3])
        // The only one has been given back.
        case .singleton: #expect(stage.alive.isEmpty)
        }
        #expect(stage.pool.counts.evictedBy == (subject.builtIn == .default ? [:] : ["idle": 1]))
        if subject.builtIn != .singleton { #expect(stage.pool.check(held) == nil) }
    }

    @Test("default: has nothing to let go of", arguments: Subject.all(.default))
    func nothing(_ subject: Subject) throws {
        let stage = try subject.stage()
        let lease = try stage.acquire("A")
        #expect(stage.pool.clear().isEmpty)
        for pressure in PoolRequest.Pressure.allCases { stage.pool.relieve(pressure) }
        #expect(stage.alive == [1] && stage.pool.check(lease) == nil && stage.pool.counts.evicted == 0)
    }
}
