// SPDX-License-Identifier: Apache-2.0

public import MediaCore
public import Sessions

/// How controllers come by players and give them back: the verbs of a lifecycle strategy.
///
/// `PlayerPool` is the host's implementation; it asks a `LifecyclePolicy` and executes what that decides.
///
/// Thread: any, and from inside any callback.
public protocol PlayerLifecycleStrategy: AnyObject, Sendable {
    /// Says who makes the players. The first factory stays; a later, other one is warned about and ignored.
    func setup(factory: any PlayerFactory)
    /// Gives a player on a lease.
    ///
    /// - Parameter onRevoke: called at most once, when the lease ends without its holder's doing; before the player is
    ///   stopped, on the thread of whoever took it, no lock held.
    /// - Throws: `poolRefused`, `factoryFailed` or what the factory threw, `illegalState` before `setup`. Counts are unchanged then.
    func acquirePlayer(
        uniqueID: String, sourceKind: PoolRequest.SourceKind,
        onRevoke: @escaping @Sendable (LeaseRevocation) -> Void
    ) throws(PlayerError) -> PlayerLease
    /// Takes a leased player back. A rejection changes nothing.
    ///
    /// - Parameters:
    ///   - uniqueID: checked against the lease's; nil stands for whatever the lease's is.
    ///   - force: destroys it whatever the strategy would like.
    @discardableResult
    func recyclePlayer(_ lease: PlayerLease, uniqueID: String?, force: Bool) -> RecycleOutcome
    /// Gives up the players that are kept; those in use are given up when they come back.
    @discardableResult
    func clear() -> [PlayerHandle]
    /// Makes players ahead, as many of `count` as the strategy wants.
    @discardableResult
    func preload(count: Int64) -> PreloadOutcome
    /// What the pool holds and did, one consistent snapshot.
    var counts: PoolReport { get }
    /// How the strategy fares.
    var status: StrategyStatus { get }
}

extension PlayerLifecycleStrategy {
    /// Gives a player on a lease that nobody watches.
    public func acquirePlayer(uniqueID: String) throws(PlayerError) -> PlayerLease {
        try acquirePlayer(uniqueID: uniqueID, sourceKind: .unknown, onRevoke: { _ in })
    }

    /// Takes a leased player back under its own id.
    @discardableResult
    public func recyclePlayer(_ lease: PlayerLease, force: Bool = false) -> RecycleOutcome {
        recyclePlayer(lease, uniqueID: nil, force: force)
    }
}
