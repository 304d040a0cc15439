// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// What came of a wish to make players ahead.
public struct PreloadOutcome: Sendable {
    /// How many were to be made.
    public var asked: Int64
    /// Kept even if a later one could not be made.
    public var created: Int64
    /// Why there are fewer than the strategy wanted; nil if there are not.
    public var error: PlayerError?

    public init(asked: Int64, created: Int64, error: PlayerError? = nil) {
        self.asked = asked
        self.created = created
        self.error = error
    }
}
