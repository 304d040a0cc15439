// SPDX-License-Identifier: Apache-2.0

internal import PluginSupport

/// How many players are kept and how many are in use, found in one look at each.
struct KeptPlayers {
    private(set) var idle: Int64 = 0
    private(set) var active: Int64 = 0

    init(_ players: PluginPlayers) {
        for player in players {
            switch player.condition {
            case .idle: idle += 1
            case .active: active += 1
            case .unbound: break
            }
        }
    }
}

/// In which order players are given up: lower ones first.
struct EvictionRank: Comparable {
    /// The class goes before the age.
    var group: Int
    var age: UInt64
    /// Tells players apart that never were leased.
    var created: UInt64

    static func < (left: EvictionRank, right: EvictionRank) -> Bool {
        if left.group != right.group { return left.group < right.group }
        if left.age != right.age { return left.age < right.age }
        return left.created < right.created
    }
}

extension PluginPlayers {
    /// The handles of the first `count` players in the order of `rank`; players without a rank stay.
    ///
    /// Cost: linear for one, as in a pool that is full; else that of a sort.
    func first(_ count: Int64, by rank: (PluginPoolRequest.Player) -> EvictionRank?) -> [UInt64] {
        guard count > 0 else { return [] }
        if count == 1 {
            var best: (rank: EvictionRank, handle: UInt64)?
            for player in self {
                guard let rank = rank(player) else { continue }
                if let best, best.rank < rank { continue }
                best = (rank, player.handle)
            }
            return best.map { [$0.handle] } ?? []
        }
        var ranked: [(rank: EvictionRank, handle: UInt64)] = []
        for player in self {
            if let rank = rank(player) { ranked.append((rank, player.handle)) }
        }
        ranked.sort { $0.rank < $1.rank }
        return ranked.prefix(Int(clamping: count)).map(\.handle)
    }

    /// All that a cleared pool gives up: unbound before idle before active, oldest first.
    var inOrderOfRelease: [UInt64] {
        first(.max) { player in
            switch player.condition {
            case .unbound: EvictionRank(group: 0, age: player.createdSequence, created: player.createdSequence)
            case .idle: EvictionRank(group: 1, age: player.idleSequence, created: player.createdSequence)
            case .active: EvictionRank(group: 2, age: player.acquiredSequence, created: player.createdSequence)
            }
        }
    }

    /// Whatever nobody holds: unbound before idle, oldest first.
    var notInUse: [UInt64] {
        first(.max) { player in
            switch player.condition {
            case .unbound: EvictionRank(group: 0, age: player.createdSequence, created: player.createdSequence)
            case .idle: EvictionRank(group: 1, age: player.idleSequence, created: player.createdSequence)
            case .active: nil
            }
        }
    }

    /// The first `count` idle ones, longest idle first.
    func longestIdle(_ count: Int64) -> [UInt64] {
        first(count) { player in
            player.condition == .idle
                ? EvictionRank(group: 0, age: player.idleSequence, created: player.createdSequence) : nil
        }
    }
}
