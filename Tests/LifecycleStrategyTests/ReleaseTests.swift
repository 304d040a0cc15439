// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaCore
import PlayerRuntime
import Sessions
import Synchronization
import TestSupport
import Testing

/// Players that do not end when they are told to: nobody is kept waiting for them, and nobody gets them.
@Suite("A player that takes too long to end")
struct ReleaseTests {
    /// Keeps players from ending until it is opened.
    private final class Hold: Sendable {
        private let isOpen = Atomic<Bool>(false)

        func open() { isOpen.store(true, ordering: .releasing) }
        func wait() { _ = Patience.wait { isOpen.load(ordering: .acquiring) } }
    }

    private let hold = Hold()

    /// A stage whose players do not end while they are held; only those of `numbers` if there are any.
    private func stage(_ subject: Subject, max: Int64 = 3, holding numbers: Set<Int64> = []) throws -> PoolStage {
        let script = FakePlayerScript()
        script.onStop { [hold] player in
            if numbers.isEmpty || numbers.contains(player.playerID) { hold.wait() }
        }
        return try subject.stage(max: max, script: script)
    }

    @Test("is not waited for, is counted, and is nobody's", arguments: Subject.all)
    func returns(_ subject: Subject) throws {
        let stage = try stage(subject)
        let lease = try stage.acquire("A")
        try stage.play(lease)
        let outcome = stage.pool.recyclePlayer(lease)
        // It has not ended: the hold is still closed.
        #expect(outcome == (subject.builtIn == .default ? .destroyed : .stopFailedDestroyed))
        #expect(!stage.factory.players[0].isDestroyed)
        #expect(stage.pool.counts.slowReleases == 1 && stage.pool.counts.destroyed == 1)
        #expect(stage.pool.counts.stopFailures == (subject.builtIn == .default ? 0 : 1))
        #expect(try stage.acquire("A").origin == .created)
        hold.open()
        #expect(stage.leaves(2))
    }

    @Test("several cost one wait together", arguments: Subject.all(.idScopedPool))
    func several(_ subject: Subject) throws {
        let stage = try stage(subject, max: 40)
        let leases = try (0..<20).map { try stage.acquire("\($0)") }
        for lease in leases { try stage.play(lease) }
        let began = ContinuousClock.now
        #expect(stage.pool.setMaxPoolSize(1))
        // Nineteen waits would be more than nine seconds.
        #expect(ContinuousClock.now - began < .seconds(5))
        #expect(stage.pool.counts.slowReleases == 19 && stage.pool.counts.active == 1)
        hold.open()
        #expect(stage.leaves(20))
    }

    @Test("a new one takes its place where it was to be taken over", arguments: Subject.all(.singleton, .idScopedPool))
    func takeOver(_ subject: Subject) throws {
        let records = Mutex<[PoolRecord]>([])
        let script = FakePlayerScript()
        script.onStop { [hold] player in if player.playerID == 1 { hold.wait() } }
        let factory = FakePlayerFactory(script: script)
        let pool = PlayerPool(
            policy: try subject.policy(), clock: FakeClock(), log: LogHub(console: { _ in }),
            onOperation: { record in records.withLock { $0.append(record) } })
        pool.setup(factory: factory)
        let journal = Journal()
        let first = try pool.acquirePlayer(uniqueID: "A", sourceKind: .url) { journal.note("\($0)") }
        try first.player.setDataSource(
            PlayerModel(videoSource: .url("/a")),
            output: EventOutput(
                controller: ControllerID(rawValue: 1), session: SessionID(rawValue: 1), clock: FakeClock(),
                queue: EventQueue()))
        first.player.prepare()
        let second = try pool.acquirePlayer(uniqueID: "A")
        #expect(second.origin == .created && second.player.playerID == 2)
        #expect(journal.lines == ["takenOver"])
        #expect(pool.counts.active == 1 && pool.counts.destroyed == 1 && pool.counts.stopFailures == 1)
        let told = records.withLock { $0 }
        #expect(told.map(\.operationName) == ["acquire", "acquire", "lose", "acquire"])
        #expect(told.map(\.outcome) == ["created", "hit", "stopFailedDestroyed", "created"])
        // Whoever reads the log learns that the second lease came to nothing.
        #expect(told[2].lease == told[1].lease && told[2].player == 1)
        #expect(told[3].lease == second.number)
        hold.open()
        #expect(Patience.wait { factory.players[0].isDestroyed })
    }

    @Test(
        "what is not announced any more keeps the next announcement waiting once", arguments: Subject.all(.idScopedPool)
    )
    func announced(_ subject: Subject) throws {
        let stage = try stage(subject, holding: [1])
        let plan = stage.pool.announce(upcoming: [UpcomingItem(uniqueID: "B", distance: 1)])
        try stage.prepare(plan.preparations[0].player)
        #expect(stage.pool.reached(.firstFrame, plan.preparations[0].handle))
        #expect(stage.pool.announce(upcoming: [UpcomingItem(uniqueID: "C", distance: 1)]).preparations.count == 1)
        #expect(stage.pool.counts.stopFailures == 1 && stage.pool.counts.slowReleases == 1)
        #expect(try stage.acquire("B").origin == .created)
        hold.open()
        #expect(stage.leaves(2, 3))
    }

    @Test("keeps no other from ending, however many there are", arguments: Subject.all(.idScopedPool))
    func manyHung(_ subject: Subject) throws {
        let stage = try stage(subject, max: 40, holding: Set(1...17))
        for number in 0..<20 { try stage.play(try stage.acquire("\(number)")) }
        #expect(stage.pool.setMaxPoolSize(1))
        // Still held: those that could end have.
        #expect(Patience.wait { stage.alive == Array(1...17) + [20] })
        hold.open()
        #expect(stage.leaves(20))
    }

    @Test("is not taken back meanwhile: who lent it is told of its loss", arguments: Subject.all(.idScopedPool))
    func reclaimed(_ subject: Subject) throws {
        let stage = try stage(subject, holding: [1])
        let lender = try stage.acquire("A")
        _ = try #require(stage.lend(lender, to: "borrower").lease)
        try stage.prepare(lender.player)
        let taken = Mutex<PlayerLease?>(nil)
        DispatchQueue.global().async {
            let lease = try? stage.pool.acquirePlayer(uniqueID: "A")
            taken.withLock { $0 = lease }
        }
        #expect(Patience.wait { stage.factory.players[0].commands.contains("stop") })
        #expect(stage.pool.reclaimPlayer(lender) == .rejectedDestroyed)
        #expect(Patience.wait { taken.withLock { $0?.origin } == .created })
        #expect(stage.journal.lines == ["A suspended", "borrower takenOver", "A evicted"])
        #expect(stage.pool.counts.hits == 0 && stage.pool.counts.stopFailures == 1)
        hold.open()
        #expect(stage.leaves(2))
    }

    @Test("leaves one player to many that want it", arguments: Subject.all(.singleton))
    func singleton(_ subject: Subject) throws {
        let stage = try stage(subject, holding: [1])
        try stage.play(try stage.acquire("A"))
        DispatchQueue.concurrentPerform(iterations: 4) { number in _ = try? stage.acquire("\(number)") }
        #expect(stage.pool.poolCount == 1 && stage.pool.counts.created == 2)
        #expect(stage.pool.status.faults.isEmpty)
        hold.open()
        #expect(stage.leaves(2))
    }
}
