// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// The right to use a player until it is given back or lost. Leases of one player form a stack; the top one drives.
public struct PlayerLease: Sendable {
    /// Where the player came from.
    public enum Origin: Sendable {
        /// Made for this lease.
        case created
        /// An existing player of no particular id.
        case reused
        /// The player that is bound to the id, or the only one.
        case hit
        /// Lent by the holder of another lease.
        case borrowed
    }

    /// Not to be touched once the lease is given back or lost.
    public let player: any MediaPlayer
    /// Names the player with the generation of this lease.
    public let handle: PlayerHandle
    /// What it was asked for.
    public let uniqueID: String
    /// Where the player came from.
    public let origin: Origin
    /// How far the player had been brought for this id when it was leased.
    public let stage: PoolRequest.Stage
    /// Where the last use of the id ended, of which the player itself keeps nothing; nil if the pool does not know.
    public let resume: ResumePoint?
    /// What is ready in the player, or becomes so, for the same id; the holder goes on with it or ends it.
    let preparation: PlayerPreparation?
    /// Unique in the pool.
    public let number: UInt64
    /// The pool it came from.
    let pool: ObjectIdentifier

    /// - Parameter pool: who gives the lease; only that one takes it back.
    public init(
        player: any MediaPlayer, handle: PlayerHandle, uniqueID: String, origin: Origin,
        stage: PoolRequest.Stage = .none, resume: ResumePoint? = nil, preparation: PlayerPreparation? = nil,
        number: UInt64, pool: any PlayerLifecycleStrategy
    ) {
        self.player = player
        self.handle = handle
        self.uniqueID = uniqueID
        self.origin = origin
        self.stage = stage
        self.resume = resume
        self.preparation = preparation
        self.number = number
        self.pool = ObjectIdentifier(pool)
    }
}

/// What happens to a lease without its holder's doing.
public enum LeaseChange: Hashable, Sendable {
    /// It is over: the strategy gave the player up.
    case evicted
    /// It is over: another holder got the player.
    case takenOver
    /// It is over: the lender took the player back.
    case reclaimed
    /// The player was lent; the holder does not drive it until `resumed`.
    case suspended
    /// Whoever had borrowed the player is gone; the holder drives it again.
    case resumed

    /// Whether the holder has no right to the player any more.
    public var isEnd: Bool {
        switch self {
        case .evicted, .takenOver, .reclaimed: true
        case .suspended, .resumed: false
        }
    }
}

/// What came of a wish to lend a player.
public enum LendOutcome: Sendable {
    /// The borrower's lease, which drives from now on.
    case lent(PlayerLease)
    /// The lender's lease is none; nothing was changed.
    case rejected(RecycleOutcome)

    /// nil if it was rejected.
    public var lease: PlayerLease? {
        if case .lent(let lease) = self { lease } else { nil }
    }
}
