// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import Synchronization
import TestSupport
import Testing

/// Random operations on a pool, every kind that there is; the same for the same seed.
struct LawScript {
    /// Who waits for a player in a task, and got one.
    private final class Waiters: Sendable {
        struct State {
            var over = 0
            var leases: [PlayerLease] = []
        }

        let state = Mutex(State())
    }

    private enum Operation: CaseIterable {
        case acquire, recycle, lend, reclaim, play, preload, announce, reach, resize, clear, relieve, idle, fail, wait,
            cancel

        /// How often it comes, beside others.
        var weight: Int {
            switch self {
            case .acquire: 16
            case .recycle: 12
            case .lend, .reclaim, .play, .preload, .announce, .resize, .wait: 2
            case .reach, .clear, .relieve, .idle, .fail, .cancel: 1
            }
        }

        static let drawn = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    }

    private let stage: PoolStage
    private var generator: SeededGenerator
    private var leases: [PlayerLease] = []
    private var planned: [UpcomingPlan.Preparation] = []
    private let waiters = Waiters()
    private var waits: [Task<Void, Never>] = []
    private let seed: UInt64

    init(_ stage: PoolStage, seed: UInt64) {
        self.stage = stage
        self.seed = seed
        generator = SeededGenerator(seed: seed)
    }

    private let executor = QueueExecutor()
    private var pool: PlayerPool { stage.pool }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func chance(_ one: Int) -> Bool { number(0..<one) == 0 }

    /// Does them, one after the other. Nobody waits any more afterwards.
    mutating func run(_ operations: Int) {
        for number in 0..<operations {
            perform(Operation.drawn.randomElement(using: &generator) ?? .acquire)
            // The check of the books goes through all players: a pool that only grows would make it most of the time.
            if leases.count > 40 {
                for lease in leases.prefix(20) { pool.recyclePlayer(lease) }
                leases.removeFirst(20)
            }
            guard isAtRest() else {
                Issue.record("seed \(seed), operation \(number): who was called neither got a player nor waits again")
                break
            }
        }
        for wait in waits { wait.cancel() }
        if !isAtRest() { Issue.record("seed \(seed): who is cancelled waits on") }
    }

    private mutating func perform(_ operation: Operation) {
        let lease = leases.randomElement(using: &generator)
        switch operation {
        case .acquire:
            if let lease = try? pool.acquirePlayer(uniqueID: "\(number(0..<6))") { leases.append(lease) }
        case .recycle:
            guard let lease else { return }
            let (id, force) = (chance(10) ? "other" : nil, chance(6))
            if chance(8) {
                pool.recyclePlayer(lease.player, uniqueID: id, force: force)
            } else {
                pool.recyclePlayer(lease, uniqueID: id, force: force)
            }
        case .lend: if let lent = lease.flatMap({ pool.lendPlayer(of: $0) { _ in }.lease }) { leases.append(lent) }
        case .reclaim: _ = lease.map { pool.reclaimPlayer($0) }
        case .play: _ = lease.map { lease in pool.whileDriving(lease) { try? stage.play(lease) } }
        case .preload: pool.preload(count: Int64(number(0..<4)))
        case .announce:
            let here = number(0..<6)
            let items = (-1...2).map { UpcomingItem(uniqueID: "\((here + $0 + 6) % 6)", distance: Int32($0)) }
            planned += pool.announce(upcoming: items).preparations
            planned = planned.suffix(8)
        case .reach:
            // One that was planned just now, or is another's by now.
            if let planned = planned.randomElement(using: &generator) { pool.reached(planned.stage, planned.handle) }
        case .resize: pool.setMaxPoolSize(Int64(number(0..<6)))
        case .clear: pool.clear()
        case .relieve: pool.relieve(chance(2) ? .moderate : .critical)
        case .idle: pool.askIdle()
        case .fail: stage.factory.fail(from: chance(2) ? .max : stage.factory.players.count + number(1..<4))
        case .wait: wait()
        case .cancel: waits.randomElement(using: &generator)?.cancel()
        }
    }

    // MARK: Waiting

    /// Only where there is a bound can one wait.
    private mutating func wait() {
        guard pool.hardMax != nil else { return }
        let id = "\(number(0..<6))"
        waits.append(
            Task(executorPreference: executor) { [pool, waiters] in
                let lease = try? await pool.waitForPlayer(uniqueID: id)
                waiters.state.withLock { state in
                    state.over += 1
                    if let lease { state.leases.append(lease) }
                }
            })
    }

    /// Waits until everybody who was called has a player or waits again: what comes next does not depend on who is faster.
    private mutating func isAtRest() -> Bool {
        guard !waits.isEmpty else { return true }
        let (pool, waiters, count) = (pool, waiters, waits.count)
        let isAtRest = Patience.spin { pool.waiting == count - waiters.state.withLock { $0.over } }
        leases += waiters.state.withLock { state in
            defer { state.leases = [] }
            return state.leases
        }
        if waiters.state.withLock({ $0.over }) == waits.count {
            waits = []
            waiters.state.withLock { $0.over = 0 }
        }
        return isAtRest
    }
}
