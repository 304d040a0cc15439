// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

/// Keeps the two players that were given back last.
final class LastTwo: LifecyclePolicy {
    let policyName = "last-two"

    func decide(_ request: PoolRequest) -> PoolDecision? {
        let idle = request.players.filter { $0.condition == .idle }
        switch request.kind {
        case .acquire:
            let newest = idle.max { $0.idleSequence < $1.idleSequence }
            return PoolDecision(newest.map { .use($0.handle) } ?? .create)
        case .recycle(_, _, let force):
            guard !force else { return PoolDecision(.destroy) }
            let oldest = idle.min { $0.idleSequence < $1.idleSequence }
            return PoolDecision(.keep, evict: idle.count < 2 ? [] : [oldest].compactMap { $0?.handle })
        default:
            return nil
        }
    }
}

@Suite("The strategy that docs/pool.md shows")
struct WorkedExampleTests {
    @Test("is this one")
    func text() throws {
        let own = URL(filePath: #filePath)
        let code = try String(contentsOf: own, encoding: .utf8)
        let start = try #require(code.range(of: "/// Keeps the two"))
        let end = try #require(code.range(of: "\n}\n", range: start.lowerBound..<code.endIndex))
        let page = own.deletingLastPathComponent().appending(path: "../../docs/pool.md")
        #expect(try String(contentsOf: page, encoding: .utf8).contains(code[start.lowerBound..<end.upperBound]))
    }

    @Test("does what it says")
    func works() throws {
        let factory = FakePlayerFactory()
        let pool = PlayerPool(policy: LastTwo(), clock: FakeClock(), log: LogHub(console: { _ in }))
        pool.setup(factory: factory)
        let leases = try ["A", "B", "C"].map { try pool.acquirePlayer(uniqueID: $0) }
        #expect(leases.map { pool.recyclePlayer($0) } == [.pooled, .pooled, .pooled])
        #expect(factory.players.map(\.isDestroyed) == [true, false, false])
        #expect(try pool.acquirePlayer(uniqueID: "D").player === leases[2].player)
        #expect(pool.preload(count: 2).created == 0)
        #expect(pool.status.faults.isEmpty)
    }
}
