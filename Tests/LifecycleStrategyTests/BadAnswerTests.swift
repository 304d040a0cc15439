// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import TestSupport
import Testing

/// A strategy that answers properly until the clock is moved, and then gives the wrong answer that the time says. In Swift and in C: the
/// pool does the default, counts one fault, keeps to its law, and nothing else has changed.
@Suite("A strategy that gives a wrong answer")
struct BadAnswerTests {
    @Test("in Swift gets the default", arguments: BadAnswer.all)
    func native(_ bad: BadAnswer) throws {
        try ask(
            bad,
            FakePolicy(bindsIDs: true) { request in
                request.nowMicroseconds == 0 ? BadAnswer.proper(request) : bad.decision
            })
    }

    @Test("in a library gets the default", arguments: zip(BadAnswer.all, 1...BadAnswer.all.count))
    func library(_ bad: BadAnswer, _ number: Int) throws {
        try ask(bad, try BadAnswerLibrary.shared.get().policy(), at: number)
    }

    @Test("that only a library can give gets the default", arguments: zip(BadAnswer.inC, 1...BadAnswer.inC.count))
    func libraryOnly(_ bad: BadAnswer, _ number: Int) throws {
        try ask(bad, try BadAnswerLibrary.shared.get().policy(), at: BadAnswer.all.count + number)
    }

    /// One player in use, one idle under its id, one made ready for another id, one unbound.
    private func stage(_ policy: any LifecyclePolicy, hardMax: Int64?) throws -> (PoolStage, PlayerLease) {
        let stage = PoolStage(policy, maxPoolSize: 4, hardMax: hardMax)
        let held = try stage.acquire("A")
        stage.pool.recyclePlayer(try stage.acquire("B"))
        let plan = stage.pool.announce(upcoming: [UpcomingItem(uniqueID: "C", distance: 1)])
        for preparation in plan.preparations { stage.pool.reached(.prepared, preparation.handle) }
        stage.pool.preload(count: 1)
        try #require(stage.pool.players.map(\.handle) == BadAnswer.handles)
        try #require(stage.pool.players.map(\.condition) == [.active, .idle, .idle, .unbound])
        try #require(stage.pool.players[2].stage == .prepared && stage.pool.status.faults.isEmpty)
        return (stage, held)
    }

    private func ask(_ bad: BadAnswer, _ policy: any LifecyclePolicy, at milliseconds: Int = 1) throws {
        let (stage, held) = try stage(policy, hardMax: bad.isFull ? 4 : nil)
        var expected = stage.pool.counts
        stage.clock.advance(milliseconds: Int64(milliseconds))
        let isHeld = try bad.ask(stage, held, &expected)
        var counts = stage.pool.counts
        counts.acquireTime = expected.acquireTime
        #expect(counts == expected)
        #expect(stage.pool.status.faults.map(\.kind) == [.invalidDecision])
        #expect(stage.pool.status.defaultsUsed == 1)
        #expect(stage.pool.violation == nil)
        #expect(stage.journal.lines.isEmpty && (stage.pool.check(held) == nil) == isHeld)
        #expect(stage.alive.count == stage.pool.players.count)
    }
}

extension BadAnswer {
    /// Asks for what it is the answer to, and looks at what came of it.
    ///
    /// - Parameter counts: as they were; gets what the default decision changes.
    /// - Returns: whether the player in use still is.
    fileprivate func ask(_ stage: PoolStage, _ held: PlayerLease, _ counts: inout PoolReport) throws -> Bool {
        let pool = stage.pool
        switch question {
        case .acquire where isFull:
            let error = #expect(throws: PlayerError.self) { try stage.acquire("X") }
            #expect(error?.code == .poolRefused)
            counts.rejected["misc.pool_refused"] = 1
        case .acquire:
            #expect(try stage.acquire("X").origin == .created)
            (counts.created, counts.active) = (counts.created + 1, counts.active + 1)
            // More than its size, which the pool was only told.
            counts.overCapacity += 1
        case .recycle(let force):
            #expect(pool.recyclePlayer(held, force: force) == (force ? .destroyedForce : .destroyed))
            (counts.destroyed, counts.active) = (counts.destroyed + 1, counts.active - 1)
            return false
        case .preload:
            let outcome = pool.preload(count: 2)
            #expect(outcome.created == 0 && outcome.error == nil)
        case .upcoming: #expect(pool.announce(upcoming: BadAnswer.upcoming).preparations.isEmpty)
        case .clear:
            #expect(pool.clear().isEmpty)
            // Nor is anybody's player doomed.
            #expect(pool.check(held) == nil)
        case .resize: #expect(pool.setMaxPoolSize(1) && pool.maxPoolSize == 1)
        case .pressure(let pressure): pool.relieve(pressure)
        case .idle: pool.askIdle()
        }
        return true
    }
}
