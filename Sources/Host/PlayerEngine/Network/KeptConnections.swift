// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What a player keeps of one source for the next one: connections to servers that may still be open.
///
/// Only the players of the process that were stopped last keep some, so that thousands of idle ones cost nothing.
///
/// Thread: any; what was taken is the taker's until it gives it back.
final class KeptConnections: Sendable {
    private struct State {
        var connections: Connections?
        var isClosed = false
    }

    private struct Keeper {
        weak let kept: KeptConnections?
    }

    private let state = Mutex(State())

    /// Players of the process that may keep some: two screens of a feed.
    static let playerLimit = 8
    /// The one that kept some last at the end.
    private static let keepers = Mutex<[Keeper]>([])

    /// nil if there are none.
    func take() -> Connections? {
        state.withLock { $0.connections.take() }
    }

    /// Keeps connections that nobody uses any more.
    func give(_ connections: Connections) {
        let (isKept, former) = state.withLock { state in
            guard !state.isClosed else { return (false, Connections?.none) }
            defer { state.connections = connections }
            return (true, state.connections)
        }
        // Closing one takes its time, and is done without the lock.
        withExtendedLifetime(former) {}
        guard isKept else { return }
        let retired = KeptConnections.keepers.withLock { keepers -> KeptConnections? in
            keepers.removeAll { $0.kept == nil || $0.kept === self }
            keepers.append(Keeper(kept: self))
            return keepers.count > KeptConnections.playerLimit ? keepers.removeFirst().kept : nil
        }
        withExtendedLifetime(retired?.take()) {}
    }

    /// Closes what is kept, and keeps nothing any more.
    func close() {
        let freed = state.withLock { state in
            state.isClosed = true
            return state.connections.take()
        }
        withExtendedLifetime(freed) {}
    }
}
