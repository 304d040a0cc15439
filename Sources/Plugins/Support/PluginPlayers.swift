// SPDX-License-Identifier: Apache-2.0

public import PluginABI

/// The players of a request in order of creation, read where the host lends them.
///
/// What the host lends is gone when `decide` returns; a strategy keeps nothing of it.
@safe
public struct PluginPlayers: Sequence {
    /// Not read where there are none.
    @usableFromInline let first: UnsafeRawPointer?
    @usableFromInline let stride: Int
    /// How many there are; asking costs nothing.
    public let count: Int
    /// Keeps records of their own; nil for what is lent.
    @usableFromInline let owner: OwnedMemory?

    init(_ players: [PluginPoolRequest.Player]) {
        let records = unsafe players.map { unsafe $0.record.pointee }
        let owner =
            unsafe records.isEmpty
            ? nil : records.withUnsafeBytes { unsafe OwnedMemory($0, keeping: players.compactMap(\.owner)) }
        self.owner = owner
        unsafe first = owner?.start
        stride = unsafe MemoryLayout<kit_player_v1>.stride
        count = players.count
    }

    init(_ request: kit_pool_request_v1) throws(PluginFailure) {
        unsafe first = UnsafeRawPointer(request.players)
        stride = unsafe Int(request.player_stride)
        count = unsafe request.players == nil ? 0 : Int(request.player_count)
        owner = nil
        let isWhole = unsafe stride >= MemoryLayout<kit_player_v1>.size
        let isAligned = unsafe stride % MemoryLayout<kit_player_v1>.alignment == 0
        guard count == 0 || (isWhole && isAligned) else { throw PluginFailure(.badArgument, "a stride is \(stride)") }
    }

    /// Reads each player once, as it comes to it.
    @inlinable
    public func makeIterator() -> Iterator {
        Iterator(self)
    }

    /// A place among the players.
    @safe
    public struct Iterator: IteratorProtocol {
        // The players do not keep what they are read from; who iterates does.
        @usableFromInline let owner: OwnedMemory?
        @usableFromInline let stride: Int
        @usableFromInline var place: UnsafeRawPointer?
        @usableFromInline var left: Int

        @inlinable init(_ players: PluginPlayers) {
            owner = players.owner
            stride = players.stride
            unsafe place = players.first
            left = players.count
        }

        /// nil after the last one.
        @inlinable
        public mutating func next() -> PluginPoolRequest.Player? {
            guard left > 0, let record = unsafe place else { return nil }
            left -= 1
            unsafe place = record + stride
            return unsafe PluginPoolRequest.Player(record.assumingMemoryBound(to: kit_player_v1.self), owner: nil)
        }
    }
}
