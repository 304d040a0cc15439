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
        await Self.aside {
            var script = LawScript(stage, seed: seed)
            script.run(operations)
        }
        let counts = stage.pool.counts
        #expect(stage.pool.violation == nil, "seed \(seed)")
        #expect(stage.factory.players.count == Int(counts.created), "seed \(seed)")
        let live = Int(counts.idle + counts.active + counts.unbound)
        #expect(Patience.wait { stage.alive.count == live }, "seed \(seed): a player was leaked or killed")
        #expect(counts.resetViolations == 0)
    }

    @Test("holds over random operations under each strategy", arguments: Subject.all, [4711 as UInt64])
    func random(_ subject: Subject, seed: UInt64) async throws {
        let stage = PoolStage(try subject.policy(), log: Self.silence)
        await run(stage, seed: seed, operations: 100_000)
        #expect(stage.pool.status.faults.isEmpty, "seed \(seed)")
    }

    @Test("holds where there is a bound, and some wait for room", arguments: Subject.sized, [4712 as UInt64])
    func bounded(_ subject: Subject, seed: UInt64) async throws {
        let stage = try subject.stage(hardMax: 5, log: Self.silence)
        await run(stage, seed: seed, operations: 100_000)
        #expect(stage.pool.status.faults.isEmpty, "seed \(seed)")
        #expect(stage.pool.counts.waitTime.samples.count > 1000 && stage.pool.waiting == 0, "seed \(seed)")
    }

    @Test("holds whatever a strategy answers, and every wrong answer is a fault", arguments: [1, 2, 3] as [UInt64])
    func madness(seed: UInt64) async {
        let stage = PoolStage(Self.madness(seed), hardMax: seed == 3 ? 4 : nil, log: Self.silence)
        await run(stage, seed: seed, operations: 5000)
        #expect(!stage.pool.status.faults.isEmpty)
    }

    @Test("holds with 16 threads that acquire, recycle, clear and make ahead", arguments: Subject.all)
    func threads(_ subject: Subject) async throws {
        let stage = PoolStage(try subject.policy(), log: Self.silence)
        // One of them as long as it may take.
        let rounds = subject.builtIn == .idScopedPool && subject.form == .library ? 10_000 : 1000
        let ahead = Mutex<Int64>(0)
        await Self.aside {
            DispatchQueue.concurrentPerform(iterations: 16) { thread in
                for round in 0..<rounds {
                    guard let lease = try? stage.pool.acquirePlayer(uniqueID: "\(thread % 5)") else { continue }
                    stage.pool.recyclePlayer(lease, force: round % 7 == 0)
                    guard round % 500 == thread else { continue }
                    stage.pool.clear()
                    let made = stage.pool.preload(count: 2).created
                    ahead.withLock { $0 += made }
                }
            }
        }
        let counts = stage.pool.counts
        #expect(counts.active == 0 && stage.pool.violation == nil)
        #expect(counts.created == counts.idle + counts.unbound + counts.destroyed)
        let leased = counts.created - ahead.withLock { $0 } + counts.reused + counts.hits
        #expect(leased == Int64(16 * rounds) - refusals(counts.rejected))
        #expect(stage.pool.status.faults.isEmpty)
    }

    @Test(
        "B35: threads that acquire at once give up exactly what is too much, and nobody twice", arguments: Subject.all)
    func eviction(_ subject: Subject) async throws {
        let stage = PoolStage(try subject.policy(max: 5), log: Self.silence)
        let ended = Mutex<[LeaseChange: [Int: Int]]>([:])
        // The others keep whatever is in use, and nobody gives anything back here.
        let isBounded = subject.builtIn == .idScopedPool || subject.builtIn == .singleton
        let (rounds, kept) = (isBounded ? 1000 : 50, subject.builtIn == .singleton ? 1 : 5)
        await Self.aside {
            DispatchQueue.concurrentPerform(iterations: 16) { thread in
                for round in 0..<rounds {
                    let number = thread * rounds + round
                    _ = try? stage.pool.acquirePlayer(uniqueID: "\(number)", sourceKind: .url) { change in
                        ended.withLock { $0[change, default: [:]][number, default: 0] += 1 }
                    }
                }
            }
        }
        let (counts, lost) = (stage.pool.counts, isBounded ? 16 * rounds - kept : 0)
        let change: LeaseChange = subject.builtIn == .singleton ? .takenOver : .evicted
        let evicted = Int64(change == .evicted ? lost : 0)
        #expect(counts.evicted == evicted && counts.evictedActive == evicted)
        #expect(counts.active == Int64(16 * rounds - lost) && counts.overCapacity == 0 && counts.rejected.isEmpty)
        let told = ended.withLock { $0 }
        #expect(told.keys.allSatisfy { $0 == change })
        #expect((told[change] ?? [:]).count == lost && (told[change] ?? [:]).values.allSatisfy { $0 == 1 })
        #expect(stage.alive.count == Int(counts.active) && stage.pool.status.faults.isEmpty)
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

    private func refusals(_ rejected: [String: Int64]) -> Int64 {
        rejected.filter { $0.key.hasPrefix("misc.") }.values.reduce(0, +)
    }
}
