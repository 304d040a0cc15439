// SPDX-License-Identifier: Apache-2.0

/// What a player pool did since it was made, as one snapshot: the report's `pool`.
///
/// created = idle + active + unbound + destroyed.
public struct PoolReport: Hashable, Sendable {
    /// The lifecycle strategy's instance name; `default` is the host's own decision.
    public var strategy: String
    public var created: Int64 = 0
    /// Acquisitions served by a player that existed, hits not among them.
    public var reused: Int64 = 0
    /// Acquisitions served by the player bound to that id.
    public var hits: Int64 = 0
    public var evicted: Int64 = 0
    public var destroyed: Int64 = 0
    public var idle: Int64 = 0
    public var active: Int64 = 0
    public var unbound: Int64 = 0
    /// Operations that were rejected, by reason.
    public var rejected: [String: Int64] = [:]

    public init(strategy: String) {
        self.strategy = strategy
    }
}
