// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaCore
import PlayerRuntime
import Sessions
import Synchronization
import TestSupport
import Testing

/// The pool checks its books in a debug build and traps where they are wrong: the sum of the law after every operation, each player after
/// the first thousands and then now and again.
@Suite("The law of a pool's books")
struct LawTests {
    private static let seeds: [UInt64] = [1, 2, 3]

    /// A strategy that answers whatever comes to its mind, most of it wrong.
    private static func madness(_ seed: UInt64) -> FakePolicy {
        let generator = Mutex(SeededGenerator(seed: seed))
        return FakePolicy(takesOver: seed % 2 == 0, bindsIDs: seed % 3 == 0, maxPoolSize: 3) { request in
            try generator.withLock { generator in
                func handle() -> PlayerHandle {
                    Bool.random(using: &generator)
                        ? request.players.randomElement(using: &generator)?.handle ?? PlayerHandle(rawValue: 0)
                        : PlayerHandle(rawValue: generator.next() & 0x7_0000_0007)
                }
                let actions: [PoolDecision.Action] = [.none, .create, .use(handle()), .refuse, .keep, .destroy]
                let evict = (0..<Int.random(in: 0...3, using: &generator)).map { _ in handle() }
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: return nil
                case 1: throw FakeFailure()
                default:
                    return PoolDecision(
                        actions.randomElement(using: &generator) ?? .none,
                        createCount: Int64.random(in: -1...5, using: &generator),
                        evict: Bool.random(using: &generator) ? evict : [],
                        prepare: [.init(item: Int.random(in: -1...2, using: &generator), stage: .prepared)])
                }
            }
        }
    }

    private static let workshop = DispatchQueue(label: "law", qos: .utility)

    /// Does long work, one piece after the other and off the threads that all tests share: none of these waits for it.
    private static func aside(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { done in
            workshop.async {
                body()
                done.resume()
            }
        }
    }

    /// Nobody reads what so many rejections say.
    private static var silence: LogHub {
        let log = LogHub(console: { _ in })
        log.logEnabled = false
        return log
    }

    private func run(_ stage: PoolStage, seed: UInt64, operations: Int) async {
        await Self.aside { Self.operate(stage, seed: seed, operations: operations) }
        let counts = stage.pool.counts
        #expect(stage.pool.violation == nil, "seed \(seed)")
        #expect(stage.factory.players.count == Int(counts.created), "seed \(seed)")
        let live = Int(counts.idle + counts.active + counts.unbound)
        #expect(Patience.wait { stage.alive.count == live }, "seed \(seed): a player was leaked or killed")
        #expect(counts.resetViolations == 0)
    }

    private static func operate(_ stage: PoolStage, seed: UInt64, operations: Int) {
        var generator = SeededGenerator(seed: seed)
        var leases: [PlayerLease] = []
        for _ in 0..<operations {
            let lease = leases.randomElement(using: &generator)
            switch Int.random(in: 0..<20, using: &generator) {
            case 0..<8:
                if let lease = try? stage.pool.acquirePlayer(uniqueID: "\(Int.random(in: 0..<6, using: &generator))") {
                    leases.append(lease)
                }
            case 8..<14:
                guard let lease else { continue }
                let id = Int.random(in: 0..<10, using: &generator) == 0 ? "other" : nil
                stage.pool.recyclePlayer(lease, uniqueID: id, force: Int.random(in: 0..<6, using: &generator) == 0)
            case 14:
                if let lent = lease.flatMap({ stage.pool.lendPlayer(of: $0) { _ in }.lease }) { leases.append(lent) }
            case 15: _ = lease.map { stage.pool.reclaimPlayer($0) }
            case 16: stage.pool.preload(count: Int64.random(in: 0..<4, using: &generator))
            case 17: stage.pool.setMaxPoolSize(Int64.random(in: 0..<6, using: &generator))
            case 18:
                stage.pool.announce(
                    upcoming: (-1...2).map { UpcomingItem(uniqueID: "\(3 + $0)", distance: Int32($0)) })
            default:
                if Bool.random(using: &generator) { stage.pool.clear() } else { stage.pool.relieve(.moderate) }
            }
            // The check of the books goes through all players: a pool that only grows would make it most of the time.
            if leases.count > 40 {
                for lease in leases.prefix(20) { stage.pool.recyclePlayer(lease, uniqueID: nil, force: false) }
                leases.removeFirst(20)
            }
        }
    }

    @Test("holds over random operations under each strategy", arguments: Subject.all)
    func random(_ subject: Subject) async throws {
        let stage = PoolStage(try subject.policy(), log: Self.silence)
        await run(stage, seed: 4711, operations: 100_000)
        #expect(stage.pool.status.faults.isEmpty)
    }

    @Test("holds whatever a strategy answers, and every wrong answer is a fault", arguments: seeds)
    func madness(seed: UInt64) async {
        let stage = PoolStage(Self.madness(seed), hardMax: seed == 3 ? 4 : nil, log: Self.silence)
        await run(stage, seed: seed, operations: 5000)
        #expect(!stage.pool.status.faults.isEmpty)
    }

    @Test("holds with 16 threads that acquire and recycle", arguments: Subject.all)
    func threads(_ subject: Subject) async throws {
        let stage = PoolStage(try subject.policy(), log: Self.silence)
        let rounds = 10_000
        await Self.aside {
            DispatchQueue.concurrentPerform(iterations: 16) { thread in
                for round in 0..<rounds {
                    guard let lease = try? stage.pool.acquirePlayer(uniqueID: "\(thread % 5)") else { continue }
                    stage.pool.recyclePlayer(lease, force: round % 7 == 0)
                }
            }
        }
        let counts = stage.pool.counts
        #expect(counts.active == 0 && stage.pool.violation == nil)
        #expect(counts.created == counts.idle + counts.unbound + counts.destroyed)
        #expect(counts.created + counts.reused + counts.hits == Int64(16 * rounds) - refusals(counts.rejected))
        #expect(stage.pool.status.faults.isEmpty)
    }

    @Test(
        "B35: threads that acquire at once give up exactly what is too much, and nobody twice",
        arguments: Subject.all(.idScopedPool))
    func eviction(_ subject: Subject) async throws {
        let stage = PoolStage(try subject.policy(max: 5), log: Self.silence)
        let ended = Ended()
        await Self.aside {
            DispatchQueue.concurrentPerform(iterations: 16) { thread in
                for round in 0..<1000 {
                    let number = thread * 1000 + round
                    _ = try? stage.pool.acquirePlayer(uniqueID: "\(number)", sourceKind: .url) { change in
                        ended.times.withLock { $0[number, default: 0] += change == .evicted ? 1 : 1000 }
                    }
                }
            }
        }
        let counts = stage.pool.counts
        #expect(counts.created == 16_000 && counts.evicted == 15_995 && counts.evictedActive == 15_995)
        #expect(counts.active == 5 && counts.overCapacity == 0 && counts.rejected.isEmpty)
        #expect(ended.times.withLock { $0.count == 15_995 && $0.values.allSatisfy { $0 == 1 } })
        #expect(stage.alive.count == 5)
    }

    @Test("B40: a thousand players made ahead and given up leave nothing", arguments: Subject.all)
    func preloads(_ subject: Subject) async throws {
        let stage = PoolStage(try subject.policy(), log: Self.silence)
        await Self.aside {
            for _ in 0..<1000 {
                stage.pool.preload(count: 1)
                stage.pool.relieve(.critical)
            }
        }
        let counts = stage.pool.counts
        #expect(counts.created == (subject.builtIn == .default ? 0 : 1000))
        #expect(counts.destroyed == counts.created && counts.evicted == counts.created)
        #expect(counts.idle == 0 && counts.active == 0 && counts.unbound == 0 && stage.pool.players.isEmpty)
        #expect(stage.factory.players.allSatisfy { $0.isDestroyed })
    }

    /// How often each lease ended.
    private final class Ended: Sendable {
        let times = Mutex<[Int: Int]>([:])
    }

    private func refusals(_ rejected: [String: Int64]) -> Int64 {
        rejected.filter { $0.key.hasPrefix("misc.") }.values.reduce(0, +)
    }
}
