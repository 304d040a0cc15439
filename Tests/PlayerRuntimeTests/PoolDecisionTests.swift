// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("A decision of a lifecycle policy")
struct PoolDecisionTests {
    /// How to answer an acquire wrongly, given the pool's one idle and one active player.
    static let wrongAnswers: [(String, @Sendable (PoolRequest) -> PoolDecision)] = [
        ("no answer to an acquire", { _ in PoolDecision(.keep) }),
        ("none", { _ in PoolDecision(.none) }),
        ("a player it does not have", { _ in PoolDecision(.use(PlayerHandle(rawValue: 0xdead_beef_0000_0001))) }),
        ("handle 0", { _ in PoolDecision(.use(PlayerHandle(rawValue: 0))) }),
        ("a player in use", { PoolDecision(.use($0.players.first { $0.condition == .active }!.handle)) }),
        ("evicts the unknown", { _ in PoolDecision(.create, evict: [PlayerHandle(rawValue: 7)]) }),
        ("evicts twice", { PoolDecision(.create, evict: [$0.players[0].handle, $0.players[0].handle]) }),
        (
            "uses what it evicts",
            {
                let idle = $0.players.first { $0.condition == .idle }!.handle
                return PoolDecision(.use(idle), evict: [idle])
            }
        ),
    ]

    @Test("that breaks a rule is not executed: the default is, and a fault is counted", arguments: wrongAnswers.indices)
    func wrong(_ index: Int) throws {
        let answer = Self.wrongAnswers[index].1
        let policy = FakePolicy { request in
            switch request.kind {
            case .acquire(let id, _): id == "X" ? answer(request) : PoolDecision(.create)
            default: PoolDecision(.keep)
            }
        }
        let pool = PoolContractTests.pool(policy)
        let first = try pool.acquirePlayer(uniqueID: "A")
        _ = try pool.acquirePlayer(uniqueID: "B")
        pool.recyclePlayer(first)
        let lease = try pool.acquirePlayer(uniqueID: "X")
        #expect(lease.origin == .created)
        #expect(pool.counts.created == 3 && pool.counts.evicted == 0)
        #expect(pool.status.defaultsUsed == 1)
        #expect(pool.status.faults.map(\.kind) == [.invalidDecision])
    }

    @Test("that throws is replaced by the default, and a fault is counted")
    func throwing() throws {
        let pool = PoolContractTests.pool(FakePolicy { _ in throw FakeFailure() })
        let lease = try pool.acquirePlayer(uniqueID: "A")
        #expect(pool.recyclePlayer(lease) == .destroyed)
        #expect(pool.status.faults.map(\.kind) == [.exception, .exception])
        #expect(pool.status.defaultsUsed == 2)
    }

    @Test("that declines is the default at no cost")
    func declines() throws {
        let pool = PoolContractTests.pool(FakePolicy { _ in nil })
        let lease = try pool.acquirePlayer(uniqueID: "A")
        #expect(pool.recyclePlayer(lease) == .destroyed)
        #expect(pool.status.faults.isEmpty && pool.status.defaultsUsed == 0)
    }

    @Test("to keep what was forced out, or to create more than was asked for, is not executed")
    func others() throws {
        let policy = FakePolicy(maxPoolSize: 1) { request in
            switch request.kind {
            case .acquire: PoolDecision(.create)
            case .recycle: PoolDecision(.keep)
            case .preload: PoolDecision(.none, createCount: 1_000_000_000)
            default: PoolDecision(.create)
            }
        }
        let pool = PoolContractTests.pool(policy)
        let lease = try pool.acquirePlayer(uniqueID: "A")
        #expect(pool.recyclePlayer(lease, force: true) == .destroyedForce)
        #expect(pool.preload(count: 2).created == 0)
        #expect(pool.clear().isEmpty)
        #expect(pool.setMaxPoolSize(2))
        #expect(pool.status.faults.map(\.kind) == Array(repeating: .invalidDecision, count: 4))
    }

    @Test("is asked with the whole pool, in order of creation, with its limits and the event time")
    func request() throws {
        let clock = FakeClock()
        let policy = FakePolicy.reuse(max: 4)
        let pool = PlayerPool(policy: policy, clock: clock, hardMax: 9, log: LogHub(console: { _ in }))
        pool.setup(factory: FakePlayerFactory())
        let first = try pool.acquirePlayer(uniqueID: "A")
        _ = try pool.acquirePlayer(uniqueID: "B")
        pool.recyclePlayer(first)
        clock.advance(milliseconds: 7)
        _ = try pool.acquirePlayer(uniqueID: "C", sourceKind: .file, onChange: { _ in })
        let request = try #require(policy.requests.last)
        #expect(request.kind == .acquire(uniqueID: "C", sourceKind: .file))
        #expect(request.nowMicroseconds == 7000)
        #expect(request.maxPoolSize == 4 && request.hardMax == 9)
        #expect(request.players.map(\.condition) == [.idle, .active])
        #expect(request.players.map(\.uniqueID) == ["", "B"])
        #expect(request.players[0].createdSequence < request.players[0].acquiredSequence)
        #expect(request.players[0].acquiredSequence < request.players[1].createdSequence)
        #expect(request.players[1].acquiredSequence < request.players[0].idleSequence)
    }
}
