// SPDX-License-Identifier: Apache-2.0

/// What became of a lease that was given back, and of its player.
public enum RecycleOutcome: String, Sendable, CaseIterable {
    /// Idle, for anybody.
    case pooled
    /// Idle, kept under its id or as the only one.
    case retained
    /// Given up: no strategy keeps it.
    case destroyed
    /// Given up because the caller insisted.
    case destroyedForce
    /// The strategy keeps no more.
    case destroyedFull
    /// The pool was cleared while it was in use.
    case destroyedCleared
    /// It was to be kept but did not come to rest, or was not as good as new.
    case stopFailedDestroyed
    /// Borrowed: the lender drives again.
    case popped
    /// Not the lease that drives: whoever does plays on.
    case removed
    /// The pool never had such a player.
    case rejectedUnknown
    /// It had been given up already.
    case rejectedDestroyed
    /// It has been leased again since, or taken back from this borrower.
    case rejectedStaleLease
    /// It had come back already.
    case rejectedAlreadyIdle
    /// The id is not the lease's.
    case rejectedWrongID = "rejectedWrongId"

    /// Whether nothing was changed.
    public var isRejection: Bool {
        switch self {
        case .rejectedUnknown, .rejectedDestroyed, .rejectedStaleLease, .rejectedAlreadyIdle, .rejectedWrongID: true
        default: false
        }
    }
}
