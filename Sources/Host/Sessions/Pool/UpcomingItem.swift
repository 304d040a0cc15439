// SPDX-License-Identifier: Apache-2.0

/// Something that may be played next.
public struct UpcomingItem: Hashable, Sendable {
    /// The same for the same media; without secrets.
    public var uniqueID: String
    /// 1 is next, 2 the one after; negative is behind.
    public var distance: Int32

    /// - Parameter distance: of the item itself, which is played now, 0.
    public init(uniqueID: String, distance: Int32) {
        self.uniqueID = uniqueID
        self.distance = distance
    }
}
