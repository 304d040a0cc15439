// SPDX-License-Identifier: Apache-2.0

/// What the user set on a player: belongs to the owner of the player, not to the source.
public struct PlaybackSettings: Hashable, Sendable {
    /// How often a source plays again from its beginning.
    public enum Loop: Hashable, Sendable {
        /// Once.
        case off
        /// Again this many times after the first, at least 1.
        case times(Int)
        /// Until it is stopped.
        case forever
    }

    /// Media time over real time: 0.5 to 2.0.
    public static let rates = 0.5...2.0
    /// Silence to full.
    public static let volumes = 0.0...1.0

    /// Media time over real time, within `rates`.
    public private(set) var rate = 1.0
    /// How often the source plays again when it ends.
    public var loop = Loop.off
    /// No sound, whatever the volume.
    public var isMuted = false
    /// Within `volumes`.
    public private(set) var volume = 1.0

    /// Normal rate and volume, no loop.
    public init() {}

    /// Takes a rate in `rates`; anything else is refused and changes nothing.
    ///
    /// - Returns: whether it was taken.
    @discardableResult
    public mutating func set(rate: Double) -> Bool {
        guard PlaybackSettings.rates.contains(rate) else { return false }
        self.rate = rate
        return true
    }

    /// Takes a volume in `volumes`; anything else is refused and changes nothing.
    ///
    /// - Returns: whether it was taken.
    @discardableResult
    public mutating func set(volume: Double) -> Bool {
        guard PlaybackSettings.volumes.contains(volume) else { return false }
        self.volume = volume
        return true
    }
}

/// How a seek finds its target.
public enum SeekMode: String, Hashable, Sendable, CaseIterable {
    /// The first frame at or after the target.
    case exact
    /// The keyframe at or before the target: faster, and where it lands is told.
    case keyframe
}
