// SPDX-License-Identifier: Apache-2.0

package import MediaCore
package import PlayerRuntime
package import Sessions

/// A pool of fake players under a strategy, and what its holders hear.
package struct PoolStage: Sendable {
    package let pool: PlayerPool
    package let factory: FakePlayerFactory
    package let clock = FakeClock()
    package let journal = Journal()

    package init(
        _ policy: (any LifecyclePolicy)?, maxPoolSize: Int64? = nil, hardMax: Int64? = nil,
        idleTimeout: Duration? = nil, script: FakePlayerScript = FakePlayerScript(),
        log: LogHub = LogHub(console: { _ in })
    ) {
        factory = FakePlayerFactory(script: script)
        pool = PlayerPool(
            policy: policy, clock: clock, maxPoolSize: maxPoolSize, hardMax: hardMax, idleTimeout: idleTimeout, log: log
        )
        pool.setup(factory: factory)
    }

    /// Acquires; what happens to the lease is noted under its id.
    package func acquire(_ id: String) throws -> PlayerLease {
        try acquire(id, revision: nil)
    }

    package func acquire(_ id: String, revision: UInt64?) throws -> PlayerLease {
        try pool.acquirePlayer(uniqueID: id, sourceKind: .url, sourceRevision: revision) { [journal] in
            journal.note("\(id) \($0)")
        }
    }

    package func lend(_ lease: PlayerLease, to name: String) -> LendOutcome {
        pool.lendPlayer(of: lease) { [journal] in journal.note("\(name) \($0)") }
    }

    /// What a rejection must leave as it is: the counts but for those of rejections, and the players.
    package var unchanging: (PoolReport, [String]) {
        var counts = pool.counts
        counts.rejected = [:]
        return (counts, pool.players.map { "\($0)" })
    }

    /// The players that exist, by number.
    package var alive: [Int64] { factory.players.filter { !$0.isDestroyed }.map(\.playerID) }

    /// Waits until exactly these players exist: several that are given up at once go on threads of their own.
    package func leaves(_ numbers: Int64...) -> Bool {
        Patience.wait { alive == numbers }
    }

    /// Has a player play, from the beginning or from somewhere.
    package func play(_ lease: PlayerLease, from milliseconds: Int64 = 0) throws {
        try prepare(lease.player)
        lease.player.seek(to: MediaTime(microseconds: milliseconds * 1000), mode: .exact)
        lease.player.start()
    }

    /// Gives a player something to play.
    package func prepare(_ player: any MediaPlayer) throws {
        try player.setDataSource(
            PlayerModel(videoSource: .url("/a")),
            output: EventOutput(
                controller: ControllerID(rawValue: 1), session: SessionID(rawValue: 1), clock: clock,
                queue: EventQueue()))
        player.prepare()
    }
}
