// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What a player keeps of one source for the next one: connections to servers, and decoders of pictures that own no thread.
///
/// Only the players of the process that were stopped last keep something, so that thousands of idle ones cost nothing.
///
/// Thread: any; what was taken is the taker's until it gives it back.
final class KeptParts: Sendable {
    private struct State {
        var connections: Connections?
        /// Oldest first.
        var decoders: [Decoder] = []
        var isClosed = false
    }

    private struct Keeper {
        weak let parts: KeptParts?
    }

    private let state = Mutex(State())

    /// Players of the process that may keep something: two screens of a feed.
    static let playerLimit = 8
    /// The main decoder and the one for first pictures.
    static let decoderLimit = 2
    /// The one that kept something last at the end.
    private static let keepers = Mutex<[Keeper]>([])

    /// Connections that may still be open; nil if there are none.
    func takeConnections() -> Connections? {
        state.withLock { $0.connections.take() }
    }

    /// A decoder that was opened as a track needs it and has forgotten what it decoded; nil if there is none.
    ///
    /// - Parameter threads: how many are to decode.
    func takeDecoder(for track: Track, threads: Int) -> Decoder? {
        guard threads == 1 else { return nil }
        let decoder = state.withLock { state -> Decoder? in
            let index = state.decoders.firstIndex { $0.fits(track) }
            return index.map { state.decoders.remove(at: $0) }
        }
        decoder?.begin(track)
        return decoder
    }

    /// Keeps connections that nobody uses any more.
    func give(_ connections: consuming Connections) {
        var connections: Connections? = connections
        keep { state in swap(&state.connections, &connections) }
    }

    /// Keeps a decoder that nobody uses any more, if it can be used again.
    func give(_ decoder: Decoder) {
        guard decoder.isReusable else { return }
        // Its pictures and packets go; their memory stays with it.
        decoder.flush()
        var excess: Decoder?
        keep { state in
            state.decoders.append(decoder)
            if state.decoders.count > KeptParts.decoderLimit { excess = state.decoders.removeFirst() }
        }
        withExtendedLifetime(excess) {}
    }

    /// Frees what is kept, and keeps nothing any more.
    func close() {
        empty { $0.isClosed = true }
    }

    private func keep(_ add: (inout State) -> Void) {
        let isKept = state.withLock { state in
            if !state.isClosed { add(&state) }
            return !state.isClosed
        }
        guard isKept else { return }
        let retired = KeptParts.keepers.withLock { keepers -> KeptParts? in
            keepers.removeAll { $0.parts == nil || $0.parts === self }
            keepers.append(Keeper(parts: self))
            return keepers.count > KeptParts.playerLimit ? keepers.removeFirst().parts : nil
        }
        retired?.empty { _ in }
    }

    /// Frees what is kept, without the lock: closing a connection takes its time.
    private func empty(_ change: (inout State) -> Void) {
        let freed = state.withLock { state in
            let freed = (state.connections, state.decoders)
            (state.connections, state.decoders) = (nil, [])
            change(&state)
            return freed
        }
        withExtendedLifetime(freed) {}
    }
}
