// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("Who waits for room in a pool", .timeLimit(.minutes(2)))
struct PoolWaitTests {
    /// Reuses. A plan gives up the player that was made first, or all; who returns "B" has the first given up.
    private static func policy(max: Int64) -> FakePolicy {
        FakePolicy(maxPoolSize: max) { request in
            let first = request.players.first.map(\.handle)
            switch request.kind {
            case .acquire:
                let idle = request.players.last { $0.condition == .idle }.map { PoolDecision(.use($0.handle)) }
                return idle ?? PoolDecision(Int64(request.players.count) < max ? .create : .refuse)
            case .recycle(let player, "B", false):
                return PoolDecision(.keep, evict: player == first ? [] : [first].compactMap(\.self))
            case .recycle(_, _, let force): return PoolDecision(force ? .destroy : .keep)
            case .clear: return PoolDecision(.none, evict: request.players.map(\.handle))
            case .pressure(.critical): return PoolDecision(.none, evict: request.players.map(\.handle))
            case .resize, .pressure, .idle: return PoolDecision(.none, evict: [first].compactMap(\.self))
            case .preload, .upcoming: return nil
            }
        }
    }

    /// A pool whose bound is reached by those who hold A, B and so on, and what those noted who waited.
    private struct Full: Sendable {
        let stage: PoolStage
        let held: [PlayerLease]
        let order = Journal()

        init(_ ids: String..., script: FakePlayerScript = FakePlayerScript()) throws {
            let max = Int64(ids.count)
            stage = PoolStage(PoolWaitTests.policy(max: max), hardMax: max, script: script)
            held = try ids.map(stage.acquire)
        }

        var pool: PlayerPool { stage.pool }

        /// Asks in a task.
        func ask(_ id: String) -> Task<PlayerLease?, Never> {
            Task {
                do throws(PlayerError) {
                    let lease = try await pool.waitForPlayer(uniqueID: id, sourceKind: .url)
                    order.note(id)
                    return lease
                } catch {
                    order.note("\(id) \(error.code.name)")
                    return nil
                }
            }
        }

        func hasWaiting(_ count: Int) async -> Bool {
            await Patience.suspend { pool.waiting == count }
        }

        /// Asks in a task, and waits until that waits behind the others.
        func wait(_ ids: String...) async -> [Task<PlayerLease?, Never>] {
            var tasks: [Task<PlayerLease?, Never>] = []
            for id in ids {
                tasks.append(ask(id))
                #expect(await hasWaiting(tasks.count))
            }
            return tasks
        }
    }

    /// What came of a wait; the test's time limit ends it.
    private func outcome(_ task: Task<PlayerLease?, Never>) async -> PlayerLease? {
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// How there comes to be room.
    enum Way: CaseIterable {
        case returned, forcedOut, cleared, smallerSize, pressure, idle, givenUpForAnother, notReset
    }

    @Test("gets a player as soon as there is room, however that comes about", arguments: Way.allCases)
    func room(_ way: Way) async throws {
        let full = try Full("A", "B", script: FakePlayerScript(comesToRest: way != .notReset))
        let (pool, held) = (full.pool, full.held)
        let task = await full.wait("W")[0]
        switch way {
        case .returned: #expect(pool.recyclePlayer(held[0]) == .pooled)
        case .forcedOut: #expect(pool.recyclePlayer(held[0], force: true) == .destroyedForce)
        case .cleared:
            pool.clear()
            #expect(pool.waiting == 1)
            #expect(pool.recyclePlayer(held[0]) == .destroyedCleared)
        case .smallerSize: #expect(pool.setMaxPoolSize(1))
        case .pressure: pool.relieve(.moderate)
        case .idle: pool.askIdle()
        case .givenUpForAnother: #expect(pool.recyclePlayer(held[1]) == .pooled)
        case .notReset:
            try full.stage.play(held[0])
            #expect(pool.recyclePlayer(held[0]) == .stopFailedDestroyed)
        }
        let lease = try #require(await outcome(task))
        #expect(lease.origin == ([.returned, .givenUpForAnother].contains(way) ? .reused : .created))
        #expect(pool.check(lease) == nil && pool.waiting == 0 && pool.violation == nil)
        #expect(pool.poolCount == (way == .givenUpForAnother ? 1 : 2))
        #expect(pool.counts.waitTime.samples.count == 1 && pool.counts.rejected.isEmpty)
    }

    @Test("does so in the order of asking, each once one leaves")
    func order() async throws {
        let full = try Full("A")
        let tasks = await full.wait("1", "2", "3", "4")
        var lease = full.held[0]
        for (number, task) in tasks.enumerated() {
            #expect(await full.hasWaiting(4 - number))
            #expect(full.order.lines.count == number)
            full.pool.recyclePlayer(lease)
            lease = try #require(await outcome(task))
        }
        #expect(full.order.lines == ["1", "2", "3", "4"])
        #expect(full.pool.counts.created == 1 && full.pool.counts.reused == 4)
    }

    @Test("and those behind go on at once where there is room for several")
    func several() async throws {
        let full = try Full("A", "B", "C")
        let tasks = await full.wait("1", "2", "3", "4")
        full.pool.relieve(.critical)
        for task in tasks.prefix(3) { #expect(await outcome(task) != nil) }
        #expect(await full.hasWaiting(1))
        #expect(full.order.lines.sorted() == ["1", "2", "3"] && full.pool.counts.active == 3)
        full.pool.relieve(.moderate)
        #expect(await outcome(tasks[3]) != nil)
    }

    @Test("and is cancelled loses nobody's turn, first, in the middle or last", arguments: 0..<3)
    func cancelled(_ place: Int) async throws {
        let full = try Full("A")
        var tasks = await full.wait("1", "2", "3")
        let gone = tasks.remove(at: place)
        gone.cancel()
        #expect(await outcome(gone) == nil)
        #expect(await full.hasWaiting(2))
        var lease = full.held[0]
        for task in tasks {
            full.pool.recyclePlayer(lease)
            lease = try #require(await outcome(task))
        }
        #expect(full.order.lines == ["\(place + 1) misc.cancelled"] + ["1", "2", "3"].filter { $0 != "\(place + 1)" })
        #expect(full.pool.counts.active == 1)
    }

    @Test("and is cancelled with its turn hands it on, whichever of the two comes first")
    func cancelledWithTurn() async throws {
        for _ in 0..<200 {
            let full = try Full("A")
            let tasks = await full.wait("1", "2")
            tasks[0].cancel()
            full.pool.recyclePlayer(full.held[0])
            if let lease = await outcome(tasks[0]) { full.pool.recyclePlayer(lease) }
            #expect(await outcome(tasks[1]) != nil)
        }
    }

    @Test("and was cancelled before is told so, also where there is room")
    func cancelledBefore() async throws {
        let stage = PoolStage(Self.policy(max: 1), hardMax: 1)
        for _ in 0..<2 {
            let task = Task { () -> ErrorCode? in
                while !Task.isCancelled { await Task.yield() }
                do throws(PlayerError) { _ = try await stage.pool.waitForPlayer(uniqueID: "W") } catch {
                    return error.code
                }
                return nil
            }
            task.cancel()
            #expect(await task.value == .cancelled)
            #expect(stage.pool.counts.created == stage.pool.counts.active && stage.pool.waiting == 0)
            _ = try? stage.acquire("A")
        }
    }

    @Test("hears why there is none though there is room, and the next goes on")
    func fails() async throws {
        let full = try Full("A")
        let tasks = await full.wait("1", "2")
        full.stage.factory.fail(from: 2)
        full.pool.recyclePlayer(full.held[0], force: true)
        for task in tasks { #expect(await outcome(task) == nil) }
        #expect(full.order.lines.sorted() == ["1 misc.factory_failed", "2 misc.factory_failed"])
        full.stage.factory.fail(from: .max)
        #expect(await outcome(full.ask("3")) != nil)
        #expect(full.pool.counts.rejected == ["misc.factory_failed": 2])
    }

    @Test("has no part in what others are told who do not wait")
    func refusal() async throws {
        let full = try Full("A")
        let task = await full.wait("W")[0]
        let error = #expect(throws: PlayerError.self) { try full.stage.acquire("B") }
        #expect(error?.code == .poolRefused && full.pool.waiting == 1)
        full.stage.clock.advance(milliseconds: 5)
        full.pool.recyclePlayer(full.held[0])
        #expect(await outcome(task) != nil)
        #expect(full.pool.counts.waitTime.samples.count == 1 && full.pool.counts.rejected == ["misc.pool_refused": 1])
    }

    @Test("gets its turn among many who ask, give up and give back at random", arguments: [11, 12] as [UInt64])
    func storm(seed: UInt64) async throws {
        let stage = PoolStage(Self.policy(max: 2), hardMax: 2)
        let (people, rounds) = (16, 200)
        await withTaskGroup(of: Void.self) { group in
            for person in 0..<people {
                group.addTask {
                    var generator = SeededGenerator(seed: seed &+ UInt64(person) << 8)
                    for round in 0..<rounds {
                        let isCancelled = Int.random(in: 0..<3, using: &generator) == 0
                        let isLate = Bool.random(using: &generator)
                        let lease = await withTaskGroup(of: PlayerLease?.self) { wait in
                            wait.addTask { try? await stage.pool.waitForPlayer(uniqueID: "\(person)") }
                            if isCancelled {
                                if isLate { await Task.yield() }
                                wait.cancelAll()
                            }
                            return await wait.next() ?? nil
                        }
                        guard let lease else {
                            if !isCancelled { Issue.record("seed \(seed): \(person) got none in round \(round)") }
                            continue
                        }
                        stage.pool.recyclePlayer(lease, force: Int.random(in: 0..<4, using: &generator) == 0)
                    }
                }
            }
        }
        let counts = stage.pool.counts
        #expect(counts.active == 0 && stage.pool.waiting == 0 && stage.pool.violation == nil, "seed \(seed)")
        #expect(counts.created + counts.reused == counts.waitTime.samples.count, "seed \(seed)")
        #expect(counts.rejected.isEmpty && stage.pool.status.faults.isEmpty, "seed \(seed)")
        #expect(stage.alive.count == Int(counts.idle), "seed \(seed)")
    }
}
