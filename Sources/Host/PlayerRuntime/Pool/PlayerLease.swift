// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// The right to use a player until it is given back or revoked.
public struct PlayerLease: Sendable {
    /// Where the player came from.
    public enum Origin: Sendable {
        /// Made for this lease.
        case created
        /// An existing player of no particular id.
        case reused
        /// The player that is bound to the id, or the only one.
        case hit
    }

    /// Not to be touched once the lease is given back or revoked.
    public let player: any MediaPlayer
    /// Names the player with the generation of this lease.
    public let handle: PlayerHandle
    /// What it was asked for.
    public let uniqueID: String
    /// Where the player came from.
    public let origin: Origin
    /// The pool it came from.
    let pool: ObjectIdentifier

    /// - Parameter pool: who gives the lease; only that one takes it back.
    public init(
        player: any MediaPlayer, handle: PlayerHandle, uniqueID: String, origin: Origin,
        pool: any PlayerLifecycleStrategy
    ) {
        self.player = player
        self.handle = handle
        self.uniqueID = uniqueID
        self.origin = origin
        self.pool = ObjectIdentifier(pool)
    }
}

/// Why a lease ended without its holder's doing.
public enum LeaseRevocation: Sendable {
    /// The strategy gave the player up.
    case evicted
    /// Another holder got the player.
    case takenOver
}

extension PlayerHandle {
    var index: UInt32 { UInt32(truncatingIfNeeded: rawValue) }
    var generation: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }

    init(index: UInt32, generation: UInt32) {
        self.init(rawValue: UInt64(generation) << 32 | UInt64(index))
    }
}
