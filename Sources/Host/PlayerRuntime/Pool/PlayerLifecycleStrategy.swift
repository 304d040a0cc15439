// SPDX-License-Identifier: Apache-2.0

public import MediaCore
public import Sessions

/// How controllers come by players and give them back: the verbs of a lifecycle strategy.
///
/// `PlayerPool` is the host's implementation; it asks a `LifecyclePolicy` and executes what that decides. What decides differently is
/// a policy of its own; what is a pool and more is a `PooledLifecycleStrategy`.
///
/// Thread: any, and from inside any callback.
public protocol PlayerLifecycleStrategy: AnyObject, Sendable {
    /// Says who makes the players. The first factory stays; a later, other one is warned about and ignored.
    func setup(factory: any PlayerFactory)
    /// Gives a player on a lease.
    ///
    /// - Parameters:
    ///   - sourceRevision: `VideoSource.sourceRevision` of what will be played, remembered for whoever asks for the id next; nil: not known.
    ///   - onChange: called when something happens to the lease without its holder's doing; before the player is stopped, on the
    ///     thread of whoever did it, no lock held.
    /// - Throws: `poolRefused`, `factoryFailed` or what the factory threw, `illegalState` before `setup`. Counts are unchanged then.
    func acquirePlayer(
        uniqueID: String, sourceKind: PoolRequest.SourceKind, sourceRevision: UInt64?,
        onChange: @escaping @Sendable (LeaseChange) -> Void
    ) throws(PlayerError) -> PlayerLease
    /// Takes a leased player back. A rejection changes nothing.
    ///
    /// While others hold leases of the same player only this one ends, even with force: the holder below drives again if it was the
    /// top one, and nothing else happens if it was not.
    ///
    /// - Parameters:
    ///   - uniqueID: checked against the lease's; nil stands for whatever the lease's is.
    ///   - force: destroys it whatever the strategy would like.
    @discardableResult
    func recyclePlayer(_ lease: PlayerLease, uniqueID: String?, force: Bool) -> RecycleOutcome
    /// Takes a player back from whoever drives it now, which need not be the caller: who keeps leases gives those back instead.
    ///
    /// - Returns: nil, and nothing is done, without a player.
    @discardableResult
    func recyclePlayer(_ player: (any MediaPlayer)?, uniqueID: String?, force: Bool) -> RecycleOutcome?
    /// Gives the player of a lease to another holder, who drives it until the lease is given back or reclaimed. Nothing is stopped.
    ///
    /// - Parameter onChange: as of `acquirePlayer`, for the borrower.
    func lendPlayer(
        of lender: PlayerLease, onChange: @escaping @Sendable (LeaseChange) -> Void
    ) -> LendOutcome
    /// Takes the player of a lease back from whoever borrowed it; they are told before this returns. Nothing is stopped.
    ///
    /// - Returns: why the lease is none; nil if it drives now.
    @discardableResult
    func reclaimPlayer(_ lease: PlayerLease) -> RecycleOutcome?
    /// Does something to the player of a lease if that drives it. Nobody else gets the player meanwhile, so it must be no more than a
    /// command of the player. It does not wait for what the strategy decides.
    ///
    /// - Returns: nil, and nothing was done, if it does not drive: it is none, or the player is lent.
    func whileDriving<Result>(_ lease: PlayerLease, _ body: () -> Result) -> Result?
    /// Gives up the players that are kept; those in use are given up when they come back.
    ///
    /// - Returns: those that were kept.
    @discardableResult
    func clear() -> [PlayerHandle]
    /// Makes players ahead, as many of `count` as the strategy wants.
    @discardableResult
    func preload(count: Int64) -> PreloadOutcome
    /// Says what may be played next, in place of what was said before: what was made ready and is not wanted any more is given up.
    ///
    /// - Parameter prepare: gives what makes the planned item ready, which is then begun: a new one, or the one that is at it already. nil:
    ///   the caller does it otherwise, and says so with `PlayerPool.reached`.
    /// - Returns: what the strategy wants to be made ready.
    @discardableResult
    func announce(
        upcoming items: [UpcomingItem], prepare: (UpcomingPlan.Preparation) -> PlayerPreparation?
    ) -> UpcomingPlan
    /// Gives up players since memory is short.
    func relieve(_ pressure: PoolRequest.Pressure)
    /// How many players the strategy is to keep; nil if it has no such size.
    var maxPoolSize: Int64? { get }
    /// Changes that number and lets the strategy give up what is too much.
    ///
    /// - Returns: false, and nothing is changed, below 1 and for a strategy that has no such size.
    @discardableResult
    func setMaxPoolSize(_ size: Int64) -> Bool
    /// What the pool holds and did, one consistent snapshot.
    var counts: PoolReport { get }
    /// How the strategy fares.
    var status: StrategyStatus { get }
}

extension PlayerLifecycleStrategy {
    /// Gives a player for a source of no particular id.
    public func acquirePlayer() throws(PlayerError) -> PlayerLease {
        try acquirePlayer(uniqueID: "")
    }

    /// Gives a player on a lease that nobody watches.
    public func acquirePlayer(uniqueID: String) throws(PlayerError) -> PlayerLease {
        try acquirePlayer(uniqueID: uniqueID, sourceKind: .unknown, onChange: { _ in })
    }

    /// Gives a player on a lease for a source of which no more is known.
    public func acquirePlayer(
        uniqueID: String, sourceKind: PoolRequest.SourceKind, onChange: @escaping @Sendable (LeaseChange) -> Void
    ) throws(PlayerError) -> PlayerLease {
        try acquirePlayer(uniqueID: uniqueID, sourceKind: sourceKind, sourceRevision: nil, onChange: onChange)
    }

    /// Takes a leased player back under its own id.
    @discardableResult
    public func recyclePlayer(_ lease: PlayerLease, force: Bool = false) -> RecycleOutcome {
        recyclePlayer(lease, uniqueID: nil, force: force)
    }

    /// Takes a player back from whoever drives it, whatever its id.
    @discardableResult
    public func recyclePlayer(_ player: (any MediaPlayer)?, force: Bool = false) -> RecycleOutcome? {
        recyclePlayer(player, uniqueID: nil, force: force)
    }

    /// Says what may be played next; the caller makes it ready.
    @discardableResult
    public func announce(upcoming items: [UpcomingItem]) -> UpcomingPlan {
        announce(upcoming: items, prepare: { _ in nil })
    }

    /// Players that nobody holds and that were used before, or are bound to an id.
    public var idleCount: Int64 { counts.idle }
    /// Players that somebody holds.
    public var activeCount: Int64 { counts.active }
    /// All players that exist.
    public var poolCount: Int64 {
        let counts = counts
        return counts.idle + counts.active + counts.unbound
    }
}

/// A lifecycle strategy that is a pool under another name.
public protocol PooledLifecycleStrategy: PlayerLifecycleStrategy {
    /// Does everything.
    var pool: PlayerPool { get }
}

extension PooledLifecycleStrategy {
    public func setup(factory: any PlayerFactory) { pool.setup(factory: factory) }
    public func acquirePlayer(
        uniqueID: String, sourceKind: PoolRequest.SourceKind, sourceRevision: UInt64?,
        onChange: @escaping @Sendable (LeaseChange) -> Void
    ) throws(PlayerError) -> PlayerLease {
        try pool.acquirePlayer(
            uniqueID: uniqueID, sourceKind: sourceKind, sourceRevision: sourceRevision, onChange: onChange)
    }
    @discardableResult
    public func recyclePlayer(_ lease: PlayerLease, uniqueID: String?, force: Bool) -> RecycleOutcome {
        pool.recyclePlayer(lease, uniqueID: uniqueID, force: force)
    }
    @discardableResult
    public func recyclePlayer(_ player: (any MediaPlayer)?, uniqueID: String?, force: Bool) -> RecycleOutcome? {
        pool.recyclePlayer(player, uniqueID: uniqueID, force: force)
    }
    public func lendPlayer(
        of lender: PlayerLease, onChange: @escaping @Sendable (LeaseChange) -> Void
    ) -> LendOutcome {
        pool.lendPlayer(of: lender, onChange: onChange)
    }
    @discardableResult
    public func reclaimPlayer(_ lease: PlayerLease) -> RecycleOutcome? { pool.reclaimPlayer(lease) }
    public func whileDriving<Result>(_ lease: PlayerLease, _ body: () -> Result) -> Result? {
        pool.whileDriving(lease, body)
    }
    @discardableResult
    public func clear() -> [PlayerHandle] { pool.clear() }
    @discardableResult
    public func preload(count: Int64) -> PreloadOutcome { pool.preload(count: count) }
    @discardableResult
    public func announce(
        upcoming items: [UpcomingItem], prepare: (UpcomingPlan.Preparation) -> PlayerPreparation?
    ) -> UpcomingPlan {
        pool.announce(upcoming: items, prepare: prepare)
    }
    public func relieve(_ pressure: PoolRequest.Pressure) { pool.relieve(pressure) }
    public var maxPoolSize: Int64? { pool.maxPoolSize }
    @discardableResult
    public func setMaxPoolSize(_ size: Int64) -> Bool { pool.setMaxPoolSize(size) }
    public var counts: PoolReport { pool.counts }
    public var status: StrategyStatus { pool.status }
}
