// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What a player keeps of one source for the next one: connections to servers that may still be open, and its decoders, which lie on a shelf
/// that it shares with the other players of its factory.
///
/// Only the players of the process that were stopped last keep connections, so that thousands of idle ones cost nothing.
///
/// Thread: any; what was taken is the taker's until it gives it back.
final class KeptParts: Sendable {
    private struct State {
        var connections: Connections?
        var isClosed = false
    }

    private struct Keeper {
        weak let kept: KeptParts?
    }

    private let shelf: DecoderShelf
    private let state = Mutex(State())

    /// Players of the process that may keep connections: two screens of a feed.
    static let playerLimit = 8
    /// The one that kept some last at the end.
    private static let keepers = Mutex<[Keeper]>([])

    init(shelf: DecoderShelf) {
        self.shelf = shelf
    }

    /// nil if there are none.
    func takeConnections() -> Connections? {
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
        let retired = KeptParts.keepers.withLock { keepers -> KeptParts? in
            keepers.removeAll { $0.kept == nil || $0.kept === self }
            keepers.append(Keeper(kept: self))
            return keepers.count > KeptParts.playerLimit ? keepers.removeFirst().kept : nil
        }
        withExtendedLifetime(retired?.takeConnections()) {}
    }

    /// A decoder that has been given nothing: one that was kept, else a new one.
    ///
    /// - Parameter threads: how many decode.
    /// - Throws: what libav said; the track cannot be decoded then.
    func takeDecoder(for track: Track, threads: Int) throws(AVStatus) -> Decoder {
        try shelf.take(for: track, threads: threads)
    }

    /// Keeps a decoder that nobody uses any more, if it can be used again.
    func give(_ decoder: Decoder) {
        guard decoder.isReusable else { return }
        decoder.rest()
        let excess = state.withLock { state in
            // With the lock: nothing lies on the shelf for a player that is gone.
            state.isClosed ? [decoder] : shelf.put(decoder, of: ObjectIdentifier(self))
        }
        withExtendedLifetime(excess) {}
    }

    /// Closes what is kept, and keeps nothing any more.
    func close() {
        let freed = state.withLock { state in
            state.isClosed = true
            return (state.connections.take(), shelf.remove(of: ObjectIdentifier(self)))
        }
        withExtendedLifetime(freed) {}
    }
}
