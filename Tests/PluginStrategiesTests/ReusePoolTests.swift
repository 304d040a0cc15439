// SPDX-License-Identifier: Apache-2.0

import PluginStrategies
import PluginSupport
import Testing

private typealias Player = PluginPoolRequest.Player

/// A pool: idle players with the moment they became idle, then active ones.
private func pool(idle: [(UInt64, since: UInt64)] = [], active: [UInt64] = [], unbound: [UInt64] = []) -> [Player] {
    idle.map { Player(handle: $0.0, condition: .idle, createdSequence: $0.0, idleSequence: $0.since) }
        + active.map { Player(handle: $0, condition: .active, createdSequence: $0) }
        + unbound.map { Player(handle: $0, condition: .unbound, createdSequence: $0) }
}

private struct Case: CustomTestStringConvertible {
    var testDescription: String
    var question: PluginPoolRequest.Question
    var players: [Player]
    var max: Int64?
    var minIdle: Int64 = 0
    var expected: PluginPoolDecision?

    init(
        _ description: String, _ question: PluginPoolRequest.Question, _ players: [Player], max: Int64? = 3,
        minIdle: Int64 = 0, _ expected: PluginPoolDecision?
    ) {
        testDescription = description
        self.question = question
        self.players = players
        self.max = max
        self.minIdle = minIdle
        self.expected = expected
    }
}

private let acquire = PluginPoolRequest.Question.acquire(uniqueID: "url:a", sourceKind: 1)

private func recycle(force: Bool) -> PluginPoolRequest.Question {
    .recycle(player: 9, uniqueID: "url:a", force: force)
}

private let cases: [Case] = [
    Case("an empty pool creates", acquire, [], .init(.create)),
    Case("active players are never given out", acquire, pool(active: [1, 2]), .init(.create)),
    Case("the newest idle one is the warmest", acquire, pool(idle: [(1, 30), (2, 50), (3, 40)]), .init(.use(2))),
    Case("players that never were used go by age", acquire, pool(idle: [(1, 0), (2, 0)]), .init(.use(2))),
    Case(
        "a returned player is kept while there is room", recycle(force: false), pool(idle: [(1, 1), (2, 2)]),
        .init(.keep)),
    Case(
        "a full pool destroys what comes back", recycle(force: false), pool(idle: [(1, 1), (2, 2), (3, 3)]),
        .init(.destroy)),
    Case("active ones do not fill the pool", recycle(force: false), pool(active: [1, 2, 3, 9]), .init(.keep)),
    Case("force destroys", recycle(force: true), pool(), .init(.destroy)),
    Case(
        "preload fills what is left", .preload(count: 5), pool(idle: [(1, 1)], active: [2]),
        .init(.none, createCount: 1)),
    Case("preload creates no more than asked", .preload(count: 2), [], .init(.none, createCount: 2)),
    Case("a repeated preload is a no-op", .preload(count: 3), pool(idle: [(1, 0), (2, 0), (3, 0)]), .init(.none)),
    Case("preload of a negative number is a no-op", .preload(count: .min), [], .init(.none)),
    Case("an overfull pool preloads nothing", .preload(count: 1), pool(active: [1, 2, 3, 4]), .init(.none)),
    Case(
        "clear names unbound, idle and active ones, longest idle first", .clear,
        pool(idle: [(1, 7), (2, 5)], active: [3], unbound: [4]), .init(.none, evict: [4, 2, 1, 3])),
    Case(
        "a smaller pool trims the longest idle", .resize, pool(idle: [(1, 9), (2, 5), (3, 7)], active: [4]), max: 1,
        .init(.none, evict: [2, 3])),
    Case("a larger pool trims nothing", .resize, pool(idle: [(1, 9)]), max: 8, .init(.none)),
    Case(
        "moderate pressure leaves min_idle", .pressure(isCritical: false), pool(idle: [(1, 1), (2, 2)]), minIdle: 1,
        .init(.none, evict: [1])),
    Case(
        "critical pressure leaves no idle or unbound player", .pressure(isCritical: true),
        pool(idle: [(1, 1), (2, 2)], active: [3], unbound: [4]), minIdle: 1, .init(.none, evict: [4, 1, 2])),
    Case(
        "an idle time-out leaves min_idle", .idle, pool(idle: [(1, 1), (2, 2), (3, 3)]), minIdle: 2,
        .init(.none, evict: [1])),
    Case("upcoming items are not prepared", .upcoming([.init(distance: 1, uniqueID: "b")]), [], .init(.none)),
    Case("an unknown question is declined", .unknown(kind: 3, reason: 99), [], nil),
    Case(
        "without a size of the pool the option counts", recycle(force: false), pool(idle: [(1, 1), (2, 2), (3, 3)]),
        max: nil, .init(.destroy)),
]

@Suite("reuse-pool")
struct ReusePoolTests {
    @Test("the decision follows from the request", arguments: cases)
    private func decision(of example: Case) throws {
        let strategy = try ReusePool(
            options: PluginOptions([("max_pool_size", .int(3)), ("min_idle", .int(example.minIdle))]))
        let request = PluginPoolRequest(example.question, players: example.players, maxPoolSize: example.max)
        #expect(strategy.decide(request) == example.expected)
        #expect(strategy.decide(request) == example.expected, "the same request has the same answer")
    }

    @Test("the seed's default keeps three idle players")
    func defaultSize() throws {
        let strategy = try ReusePool(options: PluginOptions())
        let full = PluginPoolRequest(recycle(force: false), players: pool(idle: [(1, 1), (2, 2), (3, 3)]))
        let notFull = PluginPoolRequest(recycle(force: false), players: pool(idle: [(1, 1), (2, 2)]))
        #expect(strategy.decide(full)?.action == .destroy)
        #expect(strategy.decide(notFull)?.action == .keep)
    }

    @Test(
        "options that contradict each other are refused",
        arguments: [("max_pool_size", Int64(0)), ("min_idle", -1), ("min_idle", 4)])
    func badOptions(key: String, value: Int64) {
        let error = #expect(throws: PluginFailure.self) {
            _ = try ReusePool(options: PluginOptions([(key, .int(value))]))
        }
        #expect(error?.result == .config)
    }
}
