// SPDX-License-Identifier: Apache-2.0

/// Decides how player instances are created, reused and given up. A pure function of the request; plugins and native Swift
/// strategies implement the same.
///
/// Thread: one call at a time per pool, on the thread of whoever uses the pool; never with a lock held.
public protocol LifecyclePolicy: AnyObject, Sendable {
    /// The name it is chosen by.
    var policyName: String { get }
    /// Whether it may answer with a player in use, whose owner then loses it. Default: no.
    var takesOver: Bool { get }
    /// Whether it keeps one player per unique id. Default: no.
    var bindsIDs: Bool { get }
    /// Its own wish for the pool's size; nil, the default: it has no such thing.
    var maxPoolSize: Int64? { get }
    /// Its own wish for how many players may exist; nil, the default: any number.
    var hardMax: Int64? { get }
    /// Its own wish for how long a pool is not used before it is asked which idle players to give up; nil, the default: for ever.
    var idleTimeout: Duration? { get }

    /// Answers one request.
    ///
    /// - Returns: nil to decline, which means the default decision at no cost.
    /// - Throws: anything; the default decision is taken and a fault is counted.
    func decide(_ request: PoolRequest) throws -> PoolDecision?
}

extension LifecyclePolicy {
    public var takesOver: Bool { false }
    public var bindsIDs: Bool { false }
    public var maxPoolSize: Int64? { nil }
    public var hardMax: Int64? { nil }
    public var idleTimeout: Duration? { nil }
}
