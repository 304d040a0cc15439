// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Sessions
internal import Synchronization

/// What the pool did for each item of a feed, in their order.
///
/// Thread: any.
final class FeedLedger: Sendable {
    /// The decisions that one item brought about.
    struct Decisions: Hashable, Sendable {
        /// `created`, `reused`, `hit`, `refused` or `failed`; empty if the pool was never asked.
        var outcome = ""
        /// The number of the player that the item got.
        var player: Int64?
        /// When the pool began with it; nil if it was never asked.
        var asked: EventTime?
        /// Players that were given up.
        var evicted: [Int64] = []
        /// What was made ready ahead.
        var prepared: [PoolRecord.Preparation] = []
        /// Whether the host decided in place of the strategy.
        var isDefault = false
    }

    private let state = Mutex<[Decisions]>([])

    var decisions: [Decisions] { state.withLock { $0 } }
    /// When the pool was asked for a player of the newest item; nil if it was not yet.
    var asked: EventTime? { state.withLock { $0.last?.asked } }

    /// What comes from now on is the next item's.
    func begin() {
        state.withLock { $0.append(Decisions()) }
    }

    func note(_ record: PoolRecord) {
        state.withLock { items in
            guard !items.isEmpty else { return }
            let last = items.count - 1
            items[last].evicted += record.evicted
            items[last].isDefault = items[last].isDefault || record.isDefault
            switch record.operation {
            case .acquire:
                items[last].outcome = record.outcome
                items[last].player = record.player
                items[last].asked = record.time
            case .upcoming: items[last].prepared = record.prepared
            default: break
            }
        }
    }
}
