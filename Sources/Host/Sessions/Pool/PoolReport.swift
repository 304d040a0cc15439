// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// What a player pool did since it was made, as one snapshot: the report's `pool`.
///
/// created = idle + active + unbound + destroyed.
public struct PoolReport: Hashable, Sendable {
    /// The lifecycle strategy's instance name; `default` is the host's own decision.
    public var strategy: String
    /// Players that were made.
    public var created: Int64 = 0
    /// Acquisitions served by a player that existed, hits not among them.
    public var reused: Int64 = 0
    /// Acquisitions served by the player bound to that id, or by the only one.
    public var hits: Int64 = 0
    /// Players that the strategy gave up.
    public var evicted: Int64 = 0
    /// Of `evicted`, players that somebody held.
    public var evictedActive: Int64 = 0
    /// `evicted` by what made room necessary: `acquire`, `recycle`, `preload`, `resize`, `pressure`, `idle`, `upcoming`.
    public var evictedBy: [String: Int64] = [:]
    /// Players that are gone, for whatever reason.
    public var destroyed: Int64 = 0
    /// Players now that nobody holds and that were used before or are bound to an id.
    public var idle: Int64 = 0
    /// Players now that somebody holds.
    public var active: Int64 = 0
    /// Players now that were made ahead and are bound to no id yet.
    public var unbound: Int64 = 0
    /// Players made although the pool then held more than its size, since none could go.
    public var overCapacity: Int64 = 0
    /// Players that were to be used again and did not come to rest, or were not as good as new; they were destroyed.
    public var stopFailures: Int64 = 0
    /// Of `stopFailures`, those that came to rest and were not equal to a new one.
    public var resetViolations: Int64 = 0
    /// Releases that took longer than a caller may be kept waiting, and went on without it.
    public var slowReleases: Int64 = 0
    /// Microseconds of event time from asking for a player to having it, of those who did not wait for room.
    public var acquireTime = Distribution()
    /// The same of those who did, in `waitForPlayer`.
    public var waitTime = Distribution()
    /// Operations that were rejected, by reason.
    public var rejected: [String: Int64] = [:]

    /// Of a pool that has done nothing yet.
    public init(strategy: String) {
        self.strategy = strategy
    }
}

extension JSONValue {
    init(_ pool: PoolReport) {
        self = [
            "strategy": .string(pool.strategy),
            "created": .int(pool.created), "reused": .int(pool.reused), "hits": .int(pool.hits),
            "evicted": .int(pool.evicted), "evicted_active": .int(pool.evictedActive),
            "evicted_by": JSONValue(counts: pool.evictedBy), "destroyed": .int(pool.destroyed),
            "idle": .int(pool.idle), "active": .int(pool.active), "unbound": .int(pool.unbound),
            "over_capacity": .int(pool.overCapacity), "stop_failures": .int(pool.stopFailures),
            "reset_violations": .int(pool.resetViolations),
            "slow_releases": .int(pool.slowReleases), "acquire_ms": pool.acquireTime.json(.milliseconds),
            "wait_ms": pool.waitTime.json(.milliseconds), "rejected": JSONValue(counts: pool.rejected),
        ]
    }

    private init(counts: [String: Int64]) {
        self = .object(JSONObject(counts.sorted { $0.key < $1.key }.map { .init($0.key, .int($0.value)) }))
    }
}
