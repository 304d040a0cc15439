// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

/// The players of a request in order of creation, read where the host lends them.
///
/// What the host lends is gone when `decide` returns; a strategy keeps nothing of it.
@safe
public struct PluginPlayers: Sequence {
    @unsafe private enum Storage {
        case owned([PluginPoolRequest.Player])
        case lent(UnsafeRawPointer, stride: Int)
    }

    private let storage: Storage
    /// How many there are; asking costs nothing.
    public let count: Int

    init(_ players: [PluginPoolRequest.Player]) {
        unsafe storage = .owned(players)
        count = players.count
    }

    init(_ request: kit_pool_request_v1) throws(PluginFailure) {
        guard let first = unsafe request.players, unsafe request.player_count > 0 else {
            unsafe storage = .owned([])
            count = 0
            return
        }
        let stride = unsafe Int(request.player_stride)
        guard unsafe stride >= MemoryLayout<kit_player_v1>.size else {
            throw PluginFailure(.badArgument, "a stride is \(stride)")
        }
        unsafe storage = .lent(UnsafeRawPointer(first), stride: stride)
        count = unsafe Int(request.player_count)
    }

    /// Reads each player once, as it comes to it.
    public func makeIterator() -> Iterator {
        Iterator(self)
    }

    fileprivate subscript(index: Int) -> PluginPoolRequest.Player {
        switch unsafe storage {
        case .owned(let players): players[index]
        case .lent(let first, let stride):
            unsafe PluginPoolRequest.Player(
                first.loadUnaligned(fromByteOffset: index * stride, as: kit_player_v1.self))
        }
    }

    /// A place among the players.
    public struct Iterator: IteratorProtocol {
        private let players: PluginPlayers
        private var index = 0

        fileprivate init(_ players: PluginPlayers) {
            self.players = players
        }

        /// nil after the last one.
        public mutating func next() -> PluginPoolRequest.Player? {
            guard index < players.count else { return nil }
            defer { index += 1 }
            return players[index]
        }
    }
}

extension PluginPoolRequest.Player {
    fileprivate init(_ player: kit_player_v1) {
        unsafe self.init(
            handle: player.handle, condition: PluginPoolRequest.Condition(rawValue: player.state) ?? .active,
            isPlaying: player.flags & UInt32(KIT_PLAYER_PLAYING) != 0,
            isLent: player.flags & UInt32(KIT_PLAYER_LENT) != 0, stage: player.stage,
            uniqueID: PluginText(player.unique_id),
            bytesHeld: player.bytes_held == PluginEvent.unknown ? nil : player.bytes_held,
            createdSequence: player.created_seq, acquiredSequence: player.acquired_seq, idleSequence: player.idle_seq)
    }
}
